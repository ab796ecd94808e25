import { createHash } from 'node:crypto'
import type { Operation } from '../../db/perform/app.ts'
import { syncSoon } from '../calendars.operations.ts'
import { findCalendar, makeDue } from '../calendars.sql.ts'
import type { CalendarWatch } from './watch.ts'
import { findWatchByHash, saveWatch } from './watches.sql.ts'

/** Returns the hash under which the secret of a watch is stored. */
export function hashWatchSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Records what a calendar system answered when it was asked to report changes. */
export const recordWatch: Operation<CalendarWatch, Record<string, never>> = async (tx, watch) => {
  if (await findCalendar(tx.db, watch.calendarId)) await saveWatch(tx.db, watch)
  return {}
}

/** Reads the calendars with these watches as soon as possible. One that could not be read last time waits for its next attempt. */
export const receiveChanges: Operation<{ readonly secretHashes: readonly string[] }, Record<string, never>> = async (
  tx,
  { secretHashes },
) => {
  for (const hash of secretHashes) {
    const watch = await findWatchByHash(tx.db, hash)
    const calendar = watch && (await findCalendar(tx.db, watch.calendarId))
    if (!calendar || calendar.failures > 0) continue
    // Each report changes the time, so that a reading that began before it does not put the next one off.
    await makeDue(tx.db, calendar.id, Math.min(tx.now, calendar.nextAt - 1))
    await syncSoon(tx, [calendar])
  }
  return {}
}
