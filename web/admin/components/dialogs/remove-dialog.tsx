import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { toast } from './toast.tsx'

interface RemoveDialogProps {
  /** Where the words stand that ask, explain and say that it is done. */
  readonly words: 'providers' | 'services' | 'team'
  /** The name of what is to go; nothing is asked while there is none. */
  readonly name: string | undefined
  readonly close: () => void
  readonly remove: () => Promise<unknown>
}

/** Asks before a row of a list is removed, and says when it is. */
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
