import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'
import { toast } from '../../components/dialogs/toast.tsx'
import { useWrite } from '../../data/queries.ts'

interface EraseProps {
  readonly id: string
  readonly name: string
  readonly opened: boolean
  readonly close: () => void
  readonly done: () => void
}

/**
 * Erases a customer's personal data after confirmation. Works for a removed customer too, whose data remains in the
 * event log until it is erased.
 */
export function EraseCustomer({ id, name, opened, close, done }: EraseProps) {
  const { t } = useTranslation()
  const erase = useWrite('POST /customers/erase/', ['GET /customers/', 'GET /history/'])
  return (
    <ConfirmDialog
      opened={opened}
      close={close}
      title={t('customers.eraseTitle', { name })}
      text={t('customers.eraseText')}
      action={t('customers.eraseDo')}
      danger
      confirm={async () => {
        await erase.mutateAsync({ body: { id } })
        toast(t('customers.erased'))
        done()
      }}
    />
  )
}
