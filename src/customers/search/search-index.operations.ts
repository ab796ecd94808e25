import type { ReadDatabase } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { areTermsMissing, insertMissingTerms } from './search-index.sql.ts'

// The number of customers whose search terms are written in one batch. On SQLite, other writes wait meanwhile.
const most = 500

/**
 * Writes the search terms of one batch of customers whose terms are missing or were written by an earlier version of
 * Daybook. `more` in the result says whether any such customers may remain.
 */
export const indexMissingCustomers: Operation<Record<never, never>, { readonly more: boolean }> = async (tx) => ({
  more: (await insertMissingTerms(tx.db, most)) === most,
})

/** Whether any customer lacks current search terms. */
export function needsIndexing(db: ReadDatabase): Promise<boolean> {
  return areTermsMissing(db)
}
