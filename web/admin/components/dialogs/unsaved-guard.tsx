import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Asks for confirmation before a navigation that would discard unsaved changes. */
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
      title={t('unsaved.title')}
      text={t('unsaved.text')}
      action={t('unsaved.discard')}
      danger
      confirm={async () => proceed?.()}
    />
  )
}
