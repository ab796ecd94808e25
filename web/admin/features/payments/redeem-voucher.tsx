import { NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { minorDigits } from '../../../../src/money.ts'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useFormats } from '../../data/dates/formats.ts'
import { toMajorUnits, toMinorUnits } from '../../data/dates/money.ts'
import { useWriteOnce } from '../../data/write-once.ts'

interface RedeemVoucherProps {
  readonly id: string
  readonly due: number
  readonly currency: string
  readonly changed: readonly ['GET /payments/reservation/', 'GET /reservations/one/', 'GET /history/']
  readonly close: () => void
}

/**
 * The dialog that pays the amount due for a reservation (`due`, in minor currency units) with a gift voucher whose code
 * the customer presents.
 */
export function RedeemVoucher({ id, due, currency, changed, close }: RedeemVoucherProps) {
  const { t } = useTranslation()
  const { money } = useFormats()
  const redeem = useWriteOnce('POST /payments/vouchers/redeem/', changed)
  const whole = toMajorUnits(due, currency)
  const form = useWriteForm<{ code: string; amount: number | string }>({
    initialValues: { code: '', amount: whole },
    validate: ({ code, amount }) => ({
      ...(code.trim() === '' && { code: t('payments.coupons.codeMissing') }),
      ...(!(Number(amount) > 0) && { amount: t('payments.desk.amountMissing') }),
      ...(toMinorUnits(Number(amount), currency) > due && {
        amount: t('payments.desk.most', { amount: money(due, currency) }),
      }),
    }),
    write: async ({ code, amount }) => {
      // The amount is sent only if the user has changed it to less than the amount due. A request without an amount
      // makes the voucher pay as much as its balance allows.
      const part = amount === whole ? {} : { amount: toMinorUnits(Number(amount), currency) }
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
          decimalScale={minorDigits(currency)}
          suffix={` ${currency}`}
          {...form.fields.getInputProps('amount')}
        />
      </Form>
    </Modal>
  )
}
