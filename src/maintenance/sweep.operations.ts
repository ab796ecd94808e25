import { deleteExpiredDevices } from '../access/sessions/devices.sql.ts'
import { deleteEndedOccupancy, deleteExpiredAnswers, deleteExpiredEntries } from '../db/expired.ts'
import { deleteOldSecurityEvents } from '../db/log/security-log.ts'
import type { Operation } from '../db/perform/app.ts'

// A sweep shares the writing connection with bookings: none waits for more than this many rows to go.
const mostRows = 2_000
const keptAfterEnd = 86_400
/** How long the security history is kept: 400 days. */
const securitySeconds = 400 * 86_400

/** Deletes a portion of what nothing looks at any more; `more` says that another portion waits. */
export const sweep: Operation<Record<never, never>, { readonly deleted: number; readonly more: boolean }> = async (
  tx,
) => {
  const occupancy = await deleteEndedOccupancy(tx.db, tx.now - keptAfterEnd, mostRows)
  const answers = await deleteExpiredAnswers(tx.db, tx.now, mostRows)
  const entries = await deleteExpiredEntries(tx.db, tx.now, mostRows)
  const devices = await deleteExpiredDevices(tx.db, tx.now, mostRows)
  const security = await deleteOldSecurityEvents(tx.db, tx.now - securitySeconds, mostRows)
  return {
    deleted: occupancy + answers + entries + devices + security,
    more: [occupancy, answers, entries, devices, security].some((count) => count >= mostRows),
  }
}
