import { lockCatalogue, requireProvider } from '../catalogue/catalogue.operations.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/perform/app.ts'
import { refusal } from '../messages/refusal.ts'
import { providerResource, resourceLock } from '../scheduling/plan/resource.ts'

/** The part of an operation's input that restricts which provider's calendars and accounts the user may change. */
export interface Changing {
  /** The provider to which the acting user is restricted; undefined for a user without such a restriction. */
  readonly ofProvider?: number
}

/** The id of one calendar or account, and the provider to which the acting user is restricted. */
export interface ChangingOne extends Changing {
  readonly id: string
}

/**
 * Locks the catalogue for reading, and takes the lock that serialises changes of a provider's bookable time. Called
 * before a calendar or account is added, and before an OAuth sign-in for a new account begins. Refuses an unknown
 * provider, and a provider that the user may not change.
 */
export async function lockProvider(
  tx: Tx,
  { providerId, ofProvider }: Changing & { readonly providerId: number },
): Promise<void> {
  const catalogue = await lockCatalogue(tx)
  // A provider that the user may not change is refused as unknown, so that the user cannot find out which providers
  // exist.
  requireProvider(catalogue, ofProvider === undefined || ofProvider === providerId ? providerId : 0)
  await tx.lock([resourceLock(providerResource(providerId))])
}

/**
 * Loads a calendar or account and takes the lock that serialises changes of its provider's bookable time. Refuses an
 * unknown id, and a calendar or account that the user may not change. Also takes the lock of the catalogue: shared if
 * `catalogue` is `'catalogue'`, exclusive if it is `'catalogue!'`.
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
  // The first query only found the provider to lock. The row is loaded again, because it may have changed before the
  // lock was granted.
  const locked = await find(tx.db, id)
  if (!locked) throw refusal('calendar_not_found')
  return locked
}
