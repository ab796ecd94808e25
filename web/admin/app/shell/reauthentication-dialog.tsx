import { lazy, Suspense } from 'react'
import { reauthenticationPending } from '../../data/reauthentication.ts'
import { useStore } from '../../data/store.ts'

const ConfirmIdentity = lazy(() => import('../../components/dialogs/confirm-identity.tsx'))

/** Shows the dialog in which users confirm their identity, for as long as a request waits for that confirmation. */
export function ReauthenticationDialog() {
  return (
    useStore(reauthenticationPending) && (
      <Suspense>
        <ConfirmIdentity />
      </Suspense>
    )
  )
}
