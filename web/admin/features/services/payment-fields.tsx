import { Anchor, NumberInput, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { paymentModes } from '../../../../src/catalogue/services/payment-rule.ts'
import { PanelLink } from '../../components/panel-link.tsx'
import { digitsOf } from '../../data/dates/money.ts'
import type { ServiceValues } from './service-values.ts'

interface PaymentFieldsProps {
  readonly fields: UseFormReturnType<ServiceValues>
  readonly currency: string
}

const below: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description']

/** Fields for how a service is paid: where, how much of it when booking, and the tax that the price includes. */
export function PaymentFields({ fields, currency }: PaymentFieldsProps) {
  const { t } = useTranslation()
  const { mode, depositKind } = fields.values.payment
  const online = mode === 'online' || mode === 'choice'
  return (
    <>
      <Select
        label={t('services.payment.mode')}
        description={
          online ? (
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
            : { decimalScale: digitsOf(currency), suffix: ` ${currency}` })}
          {...fields.getInputProps('payment.deposit')}
        />
      )}
    </>
  )
}
