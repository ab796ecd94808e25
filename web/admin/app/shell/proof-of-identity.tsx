import { lazy, Suspense } from 'react'
import { proofAsked } from '../../data/proof.ts'
import { useStore } from '../../data/store.ts'

const ConfirmIdentity = lazy(() => import('../../components/dialogs/confirm-identity.tsx'))

/** Stands over the page while something waits for the person to confirm who they are. */
export function ProofOfIdentity() {
  return (
    useStore(proofAsked) && (
      <Suspense>
        <ConfirmIdentity />
      </Suspense>
    )
  )
}
