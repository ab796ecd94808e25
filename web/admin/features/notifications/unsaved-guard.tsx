import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx'

/** Asks before a navigation that would discard unsaved changes. */
export function UnsavedGuard({ when }: { readonly when: boolean }) {
  const { t } = useTranslation()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => when,
    enableBeforeUnload: when,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      opened={status === 'blocked'}
      close={() => reset?.()}
      title={t('notifications.unsaved')}
      text={t('notifications.unsavedText')}
      action={t('notifications.discard')}
      danger
      confirm={async () => proceed?.()}
    />
  )
}
