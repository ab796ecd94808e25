import { Modal, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { digitsOf, smallestUnits, typedAmount } from '../../data/dates/money.ts'
import { useWrite } from '../../data/queries.ts'

interface RedeemVoucherProps {
  readonly id: string
  readonly due: number
  readonly currency: string
  readonly changed: readonly ['GET /payments/reservation/', 'GET /reservations/one/', 'GET /history/']
  readonly close: () => void
}

/** Pays what is due for a reservation by a voucher that the customer has. */
export function RedeemVoucher({ id, due, currency, changed, close }: RedeemVoucherProps) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const redeem = useWrite('POST /payments/vouchers/redeem/', changed)
  const whole = typedAmount(due, currency)
  const form = useWriteForm<{ code: string; amount: number | string }>({
    initialValues: { code: '', amount: whole },
    validate: ({ code, amount }) => ({
      ...(code.trim() === '' && { code: t('payments.coupons.codeMissing') }),
      ...(!(Number(amount) > 0) && { amount: t('payments.desk.amountMissing') }),
      ...(smallestUnits(Number(amount), currency) > due && {
        amount: t('payments.desk.most', { amount: money(due, currency) }),
      }),
    }),
    write: async ({ code, amount }) => {
      // The whole amount is as much as the voucher has.
      const part = amount === whole ? {} : { amount: smallestUnits(Number(amount), currency) }
      const paid = await redeem.mutateAsync({ body: { reservationId: id, code, ...part } })
      toast(t('payments.vouchers.redeemed', { amount: money(paid.amount, currency) }))
      close()
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t('payments.vouchers.redeem')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form form={form} submitText={t('payments.vouchers.redeem')} beside={<CancelButton onClick={close} />}>
        <TextInput
          label={t('payments.vouchers.code')}
          maxLength={60}
          autoComplete="off"
          data-autofocus
          {...form.fields.getInputProps('code')}
        />
        <NumberInput
          label={t('payments.vouchers.amount')}
          description={t('payments.vouchers.redeemHelp')}
          min={0}
          decimalScale={digitsOf(currency)}
          suffix={` ${currency}`}
          {...form.fields.getInputProps('amount')}
        />
      </Form>
    </Modal>
  )
}
