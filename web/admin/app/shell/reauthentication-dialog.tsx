import { lazyPart } from '../../components/lazy-part.tsx'
import { reauthenticationPending, resolveReauthentication } from '../../data/reauthentication.ts'
import { useStore } from '../../data/store.ts'

const ConfirmIdentity = lazyPart(() => import('../../components/dialogs/confirm-identity.tsx'), {
  closeOf: () => () => resolveReauthentication(false),
})

/** Shows the dialog in which users confirm their identity, for as long as a request waits for that confirmation. */
export function ReauthenticationDialog() {
  return useStore(reauthenticationPending) && <ConfirmIdentity />
}
