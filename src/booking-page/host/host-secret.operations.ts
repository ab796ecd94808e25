import type { Operation } from '../../db/perform/app.ts'
import { deleteHostSecret, findHostSecret, saveHostSecret } from './host-secret.sql.ts'

/**
 * The argument `place` of `encrypt` for the secret of the host site (the owner's website), which binds the ciphertext
 * to its use.
 */
export const hostSecretPlace = 'booking-page:host-secret'

/**
 * Stores a new secret with which the host site signs tokens. The caller has encrypted it, so that the operation's input
 * does not contain the plain secret. Tokens signed with an earlier secret become invalid.
 */
export const setHostSecret: Operation<{ readonly sealed: string }, Record<never, never>> = async (tx, { sealed }) => {
  await tx.lock(['host-secret'])
  await saveHostSecret(tx.db, { sealed, createdAt: tx.now })
  await tx.append({ type: 'booking_page.host_secret_set', objectId: 'site', object: null, previous: null })
  return {}
}

/** Removes the secret with which the host site signs tokens, so that no such token is accepted any more. */
export const removeHostSecret: Operation<Record<never, never>, Record<never, never>> = async (tx) => {
  await tx.lock(['host-secret'])
  if (!(await findHostSecret(tx.db))) return {}
  await deleteHostSecret(tx.db)
  await tx.append({ type: 'booking_page.host_secret_removed', objectId: 'site', object: null, previous: null })
  return {}
}

/**
 * Replaces `from`, the stored ciphertext of the secret of the host site, by `to`, the same secret encrypted with
 * another key; does nothing when the stored ciphertext is no longer `from`.
 */
export const resealHostSecret: Operation<{ readonly from: string; readonly to: string }, Record<never, never>> = async (
  tx,
  { from, to },
) => {
  await tx.lock(['host-secret'])
  const stored = await findHostSecret(tx.db)
  if (stored?.sealed === from) await saveHostSecret(tx.db, { ...stored, sealed: to })
  return {}
}
