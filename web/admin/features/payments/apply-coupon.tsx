import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../components/dialogs/modal.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { CancelButton, Form, useWriteForm } from '../../components/fields/write-form.tsx'
import { useWrite } from '../../data/queries.ts'

interface ApplyCouponProps {
  readonly id: string
  readonly changed: readonly ['GET /payments/reservation/', 'GET /reservations/one/', 'GET /history/']
  readonly close: () => void
}

/** The dialog that reduces the price of a reservation by a coupon whose code the customer presents. */
export function ApplyCoupon({ id, changed, close }: ApplyCouponProps) {
  const { t } = useTranslation()
  const apply = useWrite('POST /payments/coupons/apply/', changed)
  const form = useWriteForm<{ code: string }>({
    initialValues: { code: '' },
    validate: ({ code }) => (code.trim() === '' ? { code: t('payments.coupons.codeMissing') } : {}),
    write: async ({ code }) => {
      await apply.mutateAsync({ body: { reservationId: id, code } })
      toast(t('payments.coupons.applied'))
      close()
    },
  })
  return (
    <Modal
      opened
      onClose={close}
      title={t('payments.coupons.apply')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Form form={form} submitText={t('payments.coupons.apply')} beside={<CancelButton onClick={close} />}>
        <TextInput
          label={t('payments.coupons.code')}
          maxLength={60}
          data-autofocus
          {...form.fields.getInputProps('code')}
        />
      </Form>
    </Modal>
  )
}
