import { lockCatalogue } from '../../catalogue/catalogue.operations.ts'
import type { Tx } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { providerResource, resourceLock } from '../../scheduling/plan/resource.ts'
import { findAccount } from './accounts.sql.ts'

/** An account, and whose accounts the caller may change. */
export interface ChangingAccount {
  readonly id: string
  /** The provider of the acting user; undefined for all providers. */
  readonly ofProvider?: number
}

/** Loads an account with its provider's time locked; refuses an unknown id and another provider's account. */
export async function lockAccount(tx: Tx, { id, ofProvider }: ChangingAccount) {
  const found = await findAccount(tx.db, id)
  if (!found || (ofProvider !== undefined && found.providerId !== ofProvider)) throw refusal('calendar_not_found')
  await lockCatalogue(tx)
  await tx.lock([resourceLock(providerResource(found.providerId))])
  // The first read only found the keys to lock; the account may have been changed before the lock was granted.
  const locked = await findAccount(tx.db, id)
  if (!locked) throw refusal('calendar_not_found')
  return locked
}
