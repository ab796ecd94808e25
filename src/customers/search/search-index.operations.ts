import type { ReadDatabase } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { areTermsMissing, insertMissingTerms } from './search-index.sql.ts'

// The number of customers in a batch. Other writes, such as bookings, wait while a batch is written.
const most = 500

/**
 * Writes one batch of search terms for customers stored by a version without the search index; `more` says whether any
 * remain.
 */
export const indexMissingCustomers: Operation<Record<never, never>, { readonly more: boolean }> = async (tx) => ({
  more: (await insertMissingTerms(tx.db, most)) === most,
})

/** Whether any customer lacks search terms. */
export function needsIndexing(db: ReadDatabase): Promise<boolean> {
  return areTermsMissing(db)
}
