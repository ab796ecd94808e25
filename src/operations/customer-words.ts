import type { Operation } from '../app.ts'
import { insertMissingWords } from '../storage/customer-words.ts'

// Bookings wait while a portion is written.
const most = 500

/** Writes a portion of the words that customers from before an upgrade are found by; `more` says that others wait. */
export const writeMissingWords: Operation<Record<never, never>, { readonly more: boolean }> = async (tx) => ({
  more: (await insertMissingWords(tx.db, most)) === most,
})
