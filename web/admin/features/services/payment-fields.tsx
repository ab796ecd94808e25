import { Anchor, Button, Checkbox, Group, Input, NumberInput, Select, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { allPaymentMethods, paymentModes } from '../../../../src/catalogue/services/payment-rule.ts'
import { minorDigits } from '../../../../src/money.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { allowsMethod } from './payment-values.ts'
import type { ServiceValues } from './service-values.ts'

interface PaymentFieldsProps {
  readonly fields: UseFormReturnType<ServiceValues>
  readonly currency: string
}

const below: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

/** Form fields for how a service is paid: the method, the part due when booking, the no-show fee, taxes and refunds. */
export function PaymentFields({ fields, currency }: PaymentFieldsProps) {
  const { t } = useTranslation()
  const { payment } = fields.values
  const { mode, depositKind, feeKind, refunds } = payment
  const online = allowsMethod(payment, 'online')
  const card = allowsMethod(payment, 'card')
  return (
    <>
      <Select
        label={t('services.payment.mode')}
        description={
          online || card ? (
            <Anchor component={PanelLink} to="/settings/payments" size="xs">
              {t('services.payment.connect')}
            </Anchor>
          ) : (
            t('services.payment.modeHelp')
          )
        }
        data={paymentModes.map((value) => ({ value, label: t(`services.payment.modes.${value}`) }))}
        allowDeselect={false}
        inputWrapperOrder={below}
        {...fields.getInputProps('payment.mode')}
      />
      {mode === 'choice' && (
        <Checkbox.Group label={t('services.payment.choices')} {...fields.getInputProps('payment.choices')}>
          <Stack gap={6} mt={6}>
            {allPaymentMethods.map((method) => (
              <Checkbox key={method} value={method} label={t(`services.payment.modes.${method}`)} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      {card && (
        <>
          <Select
            label={t('services.payment.fee')}
            data={(['amount', 'percent'] as const).map((value) => ({
              value,
              label: t(`services.payment.kinds.${value}`),
            }))}
            allowDeselect={false}
            {...fields.getInputProps('payment.feeKind')}
          />
          <NumberInput
            label={t('services.payment.feeWorth')}
            description={t('services.payment.feeHelp')}
            min={0}
            inputWrapperOrder={below}
            {...(feeKind === 'percent'
              ? { max: 100, allowDecimal: false, suffix: ' %' }
              : { decimalScale: minorDigits(currency), suffix: ` ${currency}` })}
            {...fields.getInputProps('payment.fee')}
          />
        </>
      )}
      <NumberInput
        label={t('services.payment.tax')}
        description={t('services.payment.taxHelp')}
        min={0}
        max={100}
        decimalScale={2}
        suffix=" %"
        inputWrapperOrder={below}
        {...fields.getInputProps('payment.taxPercent')}
      />
      {online && (
        <Select
          label={t('services.payment.now')}
          data={(['full', 'percent', 'amount'] as const).map((value) => ({
            value,
            label: t(`services.payment.kinds.${value}`),
          }))}
          allowDeselect={false}
          {...fields.getInputProps('payment.depositKind')}
        />
      )}
      {online && depositKind !== 'full' && (
        <NumberInput
          label={t('services.payment.deposit')}
          min={0}
          {...(depositKind === 'percent'
            ? { max: 100, allowDecimal: false, suffix: ' %' }
            : { decimalScale: minorDigits(currency), suffix: ` ${currency}` })}
          {...fields.getInputProps('payment.deposit')}
        />
      )}
      {(mode !== 'none' || refunds.length > 0) && <RefundFields fields={fields} />}
    </>
  )
}

const maxSteps = 5

/**
 * Form fields for the steps of the refund rule: the percentage that is refunded after a cancellation, depending on the
 * hours before the start.
 */
function RefundFields({ fields }: Pick<PaymentFieldsProps, 'fields'>) {
  const { t } = useTranslation()
  const { refunds } = fields.values.payment
  const whole = { min: 0, allowDecimal: false } as const
  return (
    <Input.Wrapper
      label={t('services.payment.refunds')}
      description={t('services.payment.refundsHelp')}
      style={{ gridColumn: '1 / -1' }}
    >
      <Stack gap="xs" mt={4}>
        {refunds.map((_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step has no other identity than its place
          <Group key={at} gap="xs" align="end">
            <NumberInput
              {...whole}
              label={t('services.payment.refundHours')}
              max={8_760}
              w={150}
              {...fields.getInputProps(`payment.refunds.${at}.hours`)}
            />
            <NumberInput
              {...whole}
              label={t('services.payment.refundPercent')}
              max={100}
              suffix=" %"
              w={150}
              {...fields.getInputProps(`payment.refunds.${at}.percent`)}
            />
            <Button variant="default" onClick={() => fields.removeListItem('payment.refunds', at)}>
              {t('services.payment.refundRemove')}
            </Button>
          </Group>
        ))}
        {refunds.length < maxSteps && (
          <Button
            variant="default"
            size="compact-sm"
            style={{ alignSelf: 'start' }}
            onClick={() => fields.insertListItem('payment.refunds', { hours: 24, percent: 100 })}
          >
            {t('services.payment.refundAdd')}
          </Button>
        )}
      </Stack>
    </Input.Wrapper>
  )
}
