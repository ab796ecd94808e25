import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface DiscardQuestionProps {
  readonly opened: boolean
  readonly close: () => void
  readonly discard: () => void
}

/** Asks for confirmation before unsaved changes are discarded. */
export function DiscardQuestion({ opened, close, discard }: DiscardQuestionProps) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      opened={opened}
      close={close}
      title={t('unsaved.title')}
      text={t('unsaved.text')}
      action={t('unsaved.discard')}
      danger
      confirm={async () => discard()}
    />
  )
}
