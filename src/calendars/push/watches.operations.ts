import { createHash } from 'node:crypto'
import type { Operation } from '../../db/perform/app.ts'
import { syncSoon } from '../calendars.operations.ts'
import { findCalendar, makeDue } from '../calendars.sql.ts'
import type { CalendarWatch } from './watch.ts'
import { findWatchByHash, saveWatch } from './watches.sql.ts'

/**
 * Returns the hash under which the secret of a watch (a request for notifications of a calendar's changes) is stored.
 */
export function hashWatchSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/**
 * Records the result of requesting notifications of a calendar's changes; does nothing when the calendar was removed.
 */
export const recordWatch: Operation<CalendarWatch, Record<string, never>> = async (tx, watch) => {
  if (await findCalendar(tx.db, watch.calendarId)) await saveWatch(tx.db, watch)
  return {}
}

/**
 * Queues the reading of the calendars whose watches have the given secrets. A calendar whose last reading failed is
 * left out; it waits for its next attempt.
 */
export const receiveChanges: Operation<{ readonly secretHashes: readonly string[] }, Record<string, never>> = async (
  tx,
  { secretHashes },
) => {
  for (const hash of secretHashes) {
    const watch = await findWatchByHash(tx.db, hash)
    const calendar = watch && (await findCalendar(tx.db, watch.calendarId))
    if (!calendar || calendar.failures > 0) continue
    // Every notification changes the due time of the calendar. A reading that began before the notification detects the
    // changed due time when its result is stored, and leaves the calendar due.
    await makeDue(tx.db, calendar.id, Math.min(tx.now, calendar.nextAt - 1))
    await syncSoon(tx, [calendar])
  }
  return {}
}
