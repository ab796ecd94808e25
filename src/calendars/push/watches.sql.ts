import type { Database } from '../../db/database.ts'
import type { CalendarWatchTable } from '../../db/query/calendar-tables.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import type { CalendarWatch } from './watch.ts'

/** Returns the watches (requests for notifications of changes) of the given calendars. */
export async function listWatches(db: Database, calendarIds: readonly string[]): Promise<CalendarWatch[]> {
  if (calendarIds.length === 0) return []
  const rows = await db.build
    .selectFrom('calendar_watch')
    .selectAll()
    .where((row) => db.dialect.listed(row.ref('calendar_id'), calendarIds, 'text'))
    .execute()
  return rows.map(toWatch)
}

/** Returns the watch whose secret has the given hash; undefined when there is none. */
export async function findWatchByHash(db: Database, secretHash: string): Promise<CalendarWatch | undefined> {
  const row = await db.build
    .selectFrom('calendar_watch')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
  return row && toWatch(row)
}

/** Stores the watch of a calendar (the request for notifications of its changes), replacing an existing one. */
export async function saveWatch(db: Database, watch: CalendarWatch): Promise<void> {
  await deleteWatch(db, watch.calendarId)
  await db.build.insertInto('calendar_watch').values(toRow(watch)).execute()
}

/** Deletes the watch of a calendar. */
export async function deleteWatch(db: Database, calendarId: string): Promise<void> {
  await db.build.deleteFrom('calendar_watch').where('calendar_id', '=', calendarId).execute()
}

function toWatch(row: CalendarWatchTable): CalendarWatch {
  return {
    calendarId: row.calendar_id,
    secretHash: row.secret_hash,
    channel: row.channel,
    remote: row.remote,
    expiresAt: row.expires_at,
    nextAt: row.next_at,
    fault: row.fault as CalendarFaultCode | null,
  }
}

function toRow(watch: CalendarWatch): CalendarWatchTable {
  return {
    calendar_id: watch.calendarId,
    secret_hash: watch.secretHash,
    channel: watch.channel,
    remote: watch.remote,
    expires_at: watch.expiresAt,
    next_at: watch.nextAt,
    fault: watch.fault,
  }
}
