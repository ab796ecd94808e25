import { lazy, Suspense } from 'react'
import { proofPending } from '../../data/proof.ts'
import { useStore } from '../../data/store.ts'

const ConfirmIdentity = lazy(() => import('../../components/dialogs/confirm-identity.tsx'))

/** Opens the dialog that confirms the user's identity while a request waits for it. */
export function ProofOfIdentity() {
  return (
    useStore(proofPending) && (
      <Suspense>
        <ConfirmIdentity />
      </Suspense>
    )
  )
}
