import type { ReadDatabase } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { areTermsMissing, insertMissingTerms } from './search-index.sql.ts'

// Bookings wait while a portion is written.
const most = 500

/** Writes a portion of the words that customers from before an upgrade are found by; `more` says that others wait. */
export const indexMissingCustomers: Operation<Record<never, never>, { readonly more: boolean }> = async (tx) => ({
  more: (await insertMissingTerms(tx.db, most)) === most,
})

/** Whether any words are still to be written. */
export function needsIndexing(db: ReadDatabase): Promise<boolean> {
  return areTermsMissing(db)
}
