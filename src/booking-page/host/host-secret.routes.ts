import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { hostSecretRoutes } from '../../contract/panel/booking/host-secret.ts'
import { encrypt, findDecrypted, type KeySource } from '../../encryption.ts'
import type { Handlers } from '../../http/call.ts'
import { refusal } from '../../messages/refusal.ts'
import type { Daybook, Operations } from '../../operations.ts'
import { hostSecretPlace } from './host-secret.operations.ts'
import { findHostSecret } from './host-secret.sql.ts'
import { newHostSecret } from './host-token.operations.ts'

/**
 * Route handlers that create and remove the secret with which the host site (the owner's website) signs its users'
 * tokens, and show when it was made.
 */
export function hostSecretHandlers({
  app,
  findKey,
}: Pick<PanelContext, 'app' | 'findKey'>): Handlers<typeof hostSecretRoutes, Operations> {
  return {
    'GET /booking-page/host-secret/': async () => ({ createdAt: (await findHostSecret(app.db))?.createdAt ?? null }),
    'POST /booking-page/host-secret/set/': async ({ perform }) => {
      const ring = await findKey()
      if (!ring) throw refusal('secret_key_missing')
      const secret = newHostSecret()
      await perform('booking-page.host-secret.set', { sealed: encrypt(ring, secret, hostSecretPlace) })
      return { secret }
    },
    'POST /booking-page/host-secret/remove/': ({ perform }) => perform('booking-page.host-secret.remove', {}),
  }
}

/**
 * Returns the secret with which the host site signs tokens; undefined when there is none, or when it cannot be
 * decrypted.
 */
export async function loadHostSecret({ db }: Pick<Daybook, 'db'>, findKey: KeySource): Promise<string | undefined> {
  const stored = await findHostSecret(db)
  const ring = stored && (await findKey())
  return ring && findDecrypted(ring, stored.sealed, hostSecretPlace)
}
