import { Checkbox, Group, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { minorDigits } from '../../../../src/money.ts'
import { codePattern, couponCode } from '../../../../src/payments/coupons/coupon.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { DateField } from '../../components/fields/date-field.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useSiteZone } from '../../data/dates/formats.ts'
import { toMinorUnits } from '../../data/dates/money.ts'
import { useRead, useWrite } from '../../data/queries.ts'
import type { Item } from '../../data/request.ts'
import { useSession } from '../../data/session.ts'

type Coupon = Item<'GET /payments/coupons/'>

interface CouponDialogProps {
  /** The coupon to change; undefined to add a coupon. */
  readonly coupon: Coupon | undefined
  /** The routes to refetch after a coupon was added or changed. */
  readonly changed: readonly ['GET /payments/coupons/', 'GET /history/']
  readonly close: () => void
}

interface Values {
  readonly code: string
  readonly kind: string
  readonly percent: number | string
  readonly amount: number | string
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly maxUses: number | string
  readonly maxUsesPerCustomer: number | string
  readonly serviceIds: string[]
}

/** The dialog that adds a coupon, or changes the period, the number of uses and the services of an existing one. */
export default function CouponDialog({ coupon, changed, close }: CouponDialogProps) {
  const { t } = useTranslation()
  const currency = useSession()?.site.currency ?? ''
  const zone = useSiteZone()
  const { data } = useRead('GET /reservations/filters/', {})
  const add = useWrite('POST /payments/coupons/add/', changed)
  const edit = useWrite('POST /payments/coupons/edit/', changed)
  const form = useWriteForm<Values>({
    initialValues: {
      ...{ code: '', kind: 'percent', percent: '', amount: '' },
      ...{ validFrom: coupon?.validFrom ?? null, validUntil: coupon?.validUntil ?? null },
      maxUses: coupon?.maxUses ?? '',
      maxUsesPerCustomer: coupon?.maxUsesPerCustomer ?? '',
      serviceIds: [...(coupon?.serviceIds ?? [])],
    },
    validate: ({ code, kind, percent, amount }) =>
      coupon
        ? {}
        : {
            ...(!codePattern.test(couponCode(code)) && { code: t('payments.coupons.codeWrong') }),
            ...(kind === 'percent' &&
              !(Number(percent) >= 1 && Number(percent) <= 100) && { percent: t('payments.coupons.percentWrong') }),
            ...(kind === 'amount' && !(Number(amount) > 0) && { amount: t('payments.desk.amountMissing') }),
          },
    write: async ({ code, kind, percent, amount, ...values }) => {
      const { validFrom, validUntil, serviceIds } = values
      const uses = { maxUses: numberOf(values.maxUses), maxUsesPerCustomer: numberOf(values.maxUsesPerCustomer) }
      const limits = { validFrom: validFrom || null, validUntil: validUntil || null, serviceIds, ...uses }
      if (coupon) {
        await edit.mutateAsync({ body: { id: coupon.id, ...form.changedOf(limits) } })
      } else {
        const worth =
          kind === 'amount'
            ? ({ kind, value: toMinorUnits(Number(amount), currency) } as const)
            : ({ kind: 'percent', value: Number(percent) } as const)
        await add.mutateAsync({ body: { code, ...worth, currency, ...limits } })
      }
      toast(t('common.saved'))
      close()
    },
  })
  const { values, getInputProps } = form.fields
  return (
    <Modal
      opened
      onClose={close}
      title={coupon ? t('payments.coupons.editOf', { code: coupon.code }) : t('payments.coupons.add')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form form={form} submitText={t('common.save')} beside={<CancelButton onClick={close} />}>
        {coupon ? (
          <Text size="sm" c="dimmed">
            {t('payments.coupons.fixed')}
          </Text>
        ) : (
          <>
            <TextInput
              label={t('payments.coupons.code')}
              description={t('payments.coupons.codeHelp')}
              maxLength={40}
              data-autofocus
              {...getInputProps('code')}
            />
            <SegmentedControl
              aria-label={t('payments.coupons.kind')}
              data={(['percent', 'amount'] as const).map((value) => ({
                value,
                label: t(`payments.coupons.kinds.${value}`),
              }))}
              {...getInputProps('kind')}
            />
            {values.kind === 'percent' ? (
              <NumberInput
                label={t('payments.coupons.kinds.percent')}
                min={1}
                max={100}
                allowDecimal={false}
                suffix=" %"
                {...getInputProps('percent')}
              />
            ) : (
              <NumberInput
                label={t('payments.coupons.kinds.amount')}
                min={0}
                decimalScale={minorDigits(currency)}
                suffix={` ${currency}`}
                {...getInputProps('amount')}
              />
            )}
          </>
        )}
        <Group grow preventGrowOverflow={false} align="flex-start">
          <DateField
            label={t('payments.coupons.validFrom')}
            miw={140}
            clearable
            zone={zone}
            {...getInputProps('validFrom')}
          />
          <DateField
            label={t('payments.coupons.validUntil')}
            miw={140}
            clearable
            zone={zone}
            {...getInputProps('validUntil')}
          />
        </Group>
        <Text size="xs" c="dimmed">
          {t('payments.coupons.zone', { zone })}
        </Text>
        <Group grow align="flex-start">
          <NumberInput
            label={t('payments.coupons.maxUses')}
            placeholder={t('payments.coupons.unlimited')}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            {...getInputProps('maxUses')}
          />
          <NumberInput
            label={t('payments.coupons.maxUsesPerCustomer')}
            placeholder={t('payments.coupons.unlimited')}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            {...getInputProps('maxUsesPerCustomer')}
          />
        </Group>
        <Checkbox.Group
          label={t('payments.coupons.services')}
          description={t('payments.coupons.servicesHelp')}
          {...getInputProps('serviceIds')}
        >
          <Stack gap="xs" mt="xs" mah={180} style={{ overflowY: 'auto' }}>
            {(data?.services ?? []).map(({ id, name }) => (
              <Checkbox key={id} value={id} label={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Form>
    </Modal>
  )
}

function numberOf(typed: number | string): number | null {
  return typed === '' ? null : Number(typed)
}
