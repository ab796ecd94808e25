import { lazy, Suspense } from 'react'
import { reauthenticationPending } from '../../data/reauthentication.ts'
import { useStore } from '../../data/store.ts'

const ConfirmIdentity = lazy(() => import('../../components/dialogs/confirm-identity.tsx'))

/** Opens the dialog that confirms the user's identity while a request waits for the confirmation. */
export function ReauthenticationDialog() {
  return (
    useStore(reauthenticationPending) && (
      <Suspense>
        <ConfirmIdentity />
      </Suspense>
    )
  )
}
