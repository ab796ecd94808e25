import type { Operation } from '../../db/perform/app.ts'
import { deleteHostSecret, findHostSecret, saveHostSecret } from './host-secret.sql.ts'

/** The `place` argument with which the secret of the host site is encrypted, which binds the ciphertext to it. */
export const hostSecretPlace = 'booking-page:host-secret'

/**
 * Stores a new secret, encrypted by the caller, so that no write contains the plain secret. Tokens signed with an earlier
 * secret become invalid.
 */
export const setHostSecret: Operation<{ readonly sealed: string }, Record<never, never>> = async (tx, { sealed }) => {
  await tx.lock(['host-secret'])
  await saveHostSecret(tx.db, { sealed, createdAt: tx.now })
  await tx.append({ type: 'booking_page.host_secret_set', objectId: 'site', object: null, previous: null })
  return {}
}

/** Removes the secret: no token is accepted any more. */
export const removeHostSecret: Operation<Record<never, never>, Record<never, never>> = async (tx) => {
  await tx.lock(['host-secret'])
  if (!(await findHostSecret(tx.db))) return {}
  await deleteHostSecret(tx.db)
  await tx.append({ type: 'booking_page.host_secret_removed', objectId: 'site', object: null, previous: null })
  return {}
}

/** Stores the secret encrypted with another key; does nothing when the secret has changed since `from` was read. */
export const resealHostSecret: Operation<{ readonly from: string; readonly to: string }, Record<never, never>> = async (
  tx,
  { from, to },
) => {
  await tx.lock(['host-secret'])
  const stored = await findHostSecret(tx.db)
  if (stored?.sealed === from) await saveHostSecret(tx.db, { ...stored, sealed: to })
  return {}
}
