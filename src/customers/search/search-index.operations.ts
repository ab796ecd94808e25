import type { ReadDatabase } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { areTermsMissing, insertMissingTerms } from './search-index.sql.ts'

// Bookings wait while a batch is written.
const most = 500

/** Writes one batch of search terms of customers from before an upgrade; `more` says whether others remain. */
export const indexMissingCustomers: Operation<Record<never, never>, { readonly more: boolean }> = async (tx) => ({
  more: (await insertMissingTerms(tx.db, most)) === most,
})

/** Whether search terms are missing. */
export function needsIndexing(db: ReadDatabase): Promise<boolean> {
  return areTermsMissing(db)
}
