import type { Operation } from '../app.ts'
import { deleteEndedOccupancy, deleteExpiredAnswers, deleteExpiredEntries } from '../storage/expired.ts'

// A sweep shares the writing connection with bookings: none waits for more than this many rows to go.
const mostRows = 2_000
const keptAfterEnd = 86_400

/** Deletes a portion of what nothing looks at any more; `more` says that another portion waits. */
export const sweep: Operation<Record<never, never>, { readonly deleted: number; readonly more: boolean }> = async (
  tx,
) => {
  const occupancy = await deleteEndedOccupancy(tx.db, tx.now - keptAfterEnd, mostRows)
  const answers = await deleteExpiredAnswers(tx.db, tx.now, mostRows)
  const entries = await deleteExpiredEntries(tx.db, tx.now, mostRows)
  return {
    deleted: occupancy + answers + entries,
    more: occupancy === mostRows || answers === mostRows || entries >= mostRows,
  }
}
