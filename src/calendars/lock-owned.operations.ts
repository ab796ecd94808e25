import { lockCatalogue, requireProvider } from '../catalogue/catalogue.operations.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/perform/app.ts'
import { refusal } from '../messages/refusal.ts'
import { providerResource, resourceLock } from '../scheduling/plan/resource.ts'

/** Whose calendars and accounts a caller may change. */
export interface Changing {
  /** The provider of the acting user; undefined for all providers. */
  readonly ofProvider?: number
}

/** One calendar or account, and whose the caller may change. */
export interface ChangingOne extends Changing {
  readonly id: string
}

/** Locks the time of a provider for a new calendar or account; refuses an unknown provider, and another one's. */
export async function lockProvider(
  tx: Tx,
  { providerId, ofProvider }: Changing & { readonly providerId: number },
): Promise<void> {
  const catalogue = await lockCatalogue(tx)
  // Another provider is refused like an unknown one, so that it cannot be discovered.
  requireProvider(catalogue, ofProvider === undefined || ofProvider === providerId ? providerId : 0)
  await tx.lock([resourceLock(providerResource(providerId))])
}

/**
 * Loads a calendar or account with its provider's time locked; refuses an unknown id, and one of another provider. The
 * catalogue is locked as well, for writing with `catalogue!`.
 */
export async function lockOwned<Owned extends { readonly providerId: number }>(
  tx: Tx,
  { id, ofProvider }: ChangingOne,
  find: (db: Database, id: string) => Promise<Owned | undefined>,
  catalogue: 'catalogue' | 'catalogue!' = 'catalogue',
): Promise<Owned> {
  const found = await find(tx.db, id)
  if (!found || (ofProvider !== undefined && found.providerId !== ofProvider)) throw refusal('calendar_not_found')
  await tx.lock([catalogue])
  await tx.lock([resourceLock(providerResource(found.providerId))])
  // The first read only found the keys to lock; the row may have been changed before the lock was granted.
  const locked = await find(tx.db, id)
  if (!locked) throw refusal('calendar_not_found')
  return locked
}
