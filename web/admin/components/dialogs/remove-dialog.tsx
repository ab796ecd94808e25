import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { toast } from './toast.tsx'

interface RemoveDialogProps {
  /** The first part of the translation keys of the title, the explanation and the success message. */
  readonly words: 'providers' | 'services' | 'team'
  /** The name of the item to remove; undefined closes the dialog. */
  readonly name: string | undefined
  readonly close: () => void
  readonly remove: () => Promise<unknown>
}

/** Asks for confirmation before an item of a list is removed, and reports success. */
export function RemoveDialog({ words, name, close, remove }: RemoveDialogProps) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      opened={name !== undefined}
      close={close}
      title={t(`${words}.removeTitle`, { name })}
      text={t(`${words}.removeText`)}
      action={t('common.remove')}
      danger
      confirm={() => remove().then(() => toast(t(`${words}.removed`, { name })))}
    />
  )
}
