import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { ConnectedCalendarTable } from '../db/query/calendar-tables.ts'
import { deleteBatch } from '../db/query/delete-batch.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import type { CalendarKind, ConnectedCalendar, ReadContent } from './calendar.ts'
import type { CalendarFaultCode } from './calendar-fault.ts'
import { deleteWatch } from './push/watches.sql.ts'

/** Returns the connected calendars of a provider, or of all providers, in the order of connection. */
export async function listCalendars(db: Database, providerId?: number): Promise<ConnectedCalendar[]> {
  const rows = await db.build
    .selectFrom('connected_calendar')
    .selectAll()
    .$if(providerId !== undefined, (query) => query.where('provider_id', '=', providerId ?? 0))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toCalendar)
}

/** Returns the connected calendar with the given id; undefined when there is none. */
export async function findCalendar(db: Database, id: string): Promise<ConnectedCalendar | undefined> {
  const row = await db.build.selectFrom('connected_calendar').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toCalendar(row)
}

/** Returns at most 5,000 connected calendars that are due to be read, ordered by when they became due. */
export async function listDue(db: Database, now: number): Promise<ConnectedCalendar[]> {
  const rows = await db.build
    .selectFrom('connected_calendar')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(5_000)
    .execute()
  return rows.map(toCalendar)
}

/** Returns the hosts of the connected calendars that are due to be read. */
export async function listDueHosts(db: Database, now: number): Promise<string[]> {
  const rows = await db.build
    .selectFrom('connected_calendar')
    .select('host')
    .distinct()
    .where('next_at', '<=', now)
    .execute()
  return rows.map(({ host }) => host)
}

/** Stores a new connected calendar. */
export async function insertCalendar(db: Database, calendar: ConnectedCalendar, now: number): Promise<void> {
  await db.build
    .insertInto('connected_calendar')
    .values({ ...toRow(calendar), created_at: now, updated_at: now })
    .execute()
}

/**
 * Stores the changed settings of a connected calendar. The encrypted address is stored only with `hasNewAddress`,
 * because a key rotation may encrypt it again at the same time.
 */
export async function updateCalendar(
  db: Database,
  calendar: ConnectedCalendar,
  { now, hasNewAddress }: { readonly now: number; readonly hasNewAddress: boolean },
): Promise<void> {
  const { id, secret, ...row } = toRow(calendar)
  await db.build
    .updateTable('connected_calendar')
    .set({ ...row, ...(hasNewAddress && { secret }), updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Replaces the encrypted address `from` of a calendar with `to`; does nothing if the stored one is not `from`. */
export async function replaceAddress(
  db: Database,
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
): Promise<void> {
  await db.build
    .updateTable('connected_calendar')
    .set({ secret: to })
    .where('id', '=', id)
    .where('secret', '=', from)
    .execute()
}

/**
 * Deletes a connected calendar with its busy times, stored items and watch (see `CalendarWatch`). The caller deletes
 * the times that its events open for booking, with `saveOpenings`.
 */
export async function deleteCalendar(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('busy').where('calendar_id', '=', id).execute()
  await deleteItems(db, id)
  await deleteWatch(db, id)
  await db.build.deleteFrom('connected_calendar').where('id', '=', id).execute()
}

/** Deletes the stored items of a calendar of an account. */
export async function deleteItems(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('calendar_item').where('calendar_id', '=', id).execute()
}

/** A connected calendar with the revision of its settings and its due time when the reading began. */
export type ReadRevision = Pick<ConnectedCalendar, 'id' | 'revision' | 'nextAt'>

/**
 * Records in one statement that calendars were read and found unchanged, except those whose settings have changed since
 * the reading began. If the previous reading of a calendar was too old (not after `freshSince`), increments `turn`, so
 * that availability is computed again. A calendar that was made due during the reading stays due.
 */
export async function recordUnchanged(
  db: Database,
  read: readonly ReadRevision[],
  { now, nextAt, freshSince }: { readonly now: number; readonly nextAt: number; readonly freshSince: number },
): Promise<void> {
  const ids = read.map(({ id }) => id)
  const revisions = read.map(({ id, revision }) => `${id}:${revision}`)
  const due = read.map(({ id, nextAt: dueAt }) => `${id}:${dueAt}`)
  const isUnreported = db.dialect.listed(sql`id || ':' || next_at`, due, 'text')
  await db.build
    .updateTable('connected_calendar')
    .set({
      ...{ read_at: now, tried_at: now, failures: 0, fault: null, fault_detail: '', updated_at: now },
      next_at: sql<number>`case when ${isUnreported} then ${nextAt} else next_at end`,
      turn: sql<number>`turn + case when read_at <= ${freshSince} then 1 else 0 end`,
    })
    .where((row) => db.dialect.listed(row.ref('id'), ids, 'text'))
    .where(db.dialect.listed(sql`id || ':' || revision`, revisions, 'text'))
    .execute()
}

/** The state that `recordReading` stores. */
export interface StoredReading extends Pick<ConnectedCalendar, 'coveredUntil' | 'openingFaults'> {
  readonly now: number
  readonly content: ReadContent
  /** The time at which the calendar was due when the reading began, and the time at which it is due again. */
  readonly dueAt: number
  readonly nextAt: number
  /** Whether `turn` is incremented. */
  readonly isResumed: boolean
}

/**
 * Records a successful reading of a calendar. Stores no other columns, because a key rotation or a report of a change
 * may write them at the same time. A calendar that was made due during the reading stays due.
 */
export async function recordReading(
  db: Database,
  id: string,
  { now, content, coveredUntil, openingFaults, dueAt, nextAt, isResumed }: StoredReading,
): Promise<void> {
  await db.build
    .updateTable('connected_calendar')
    .set({
      ...{ content: JSON.stringify(content), covered_until: coveredUntil },
      ...{ opening_faults: JSON.stringify(openingFaults), read_at: now, tried_at: now, updated_at: now },
      ...{ failures: 0, fault: null, fault_detail: '' },
      next_at: sql<number>`case when next_at = ${dueAt} then ${nextAt} else next_at end`,
      ...(isResumed && { turn: sql<number>`turn + 1` }),
    })
    .where('id', '=', id)
    .execute()
}

/** Records a failed reading of a calendar, unless its settings have changed since the reading began. */
export async function recordFault(
  db: Database,
  { id, revision }: Pick<ReadRevision, 'id' | 'revision'>,
  state: Pick<ConnectedCalendarTable, 'failures' | 'fault' | 'fault_detail' | 'tried_at' | 'next_at'>,
): Promise<void> {
  await db.build
    .updateTable('connected_calendar')
    .set(state)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .execute()
}

/** Makes a connected calendar due to be read at `now`. */
export async function makeDue(db: Database, id: string, now: number): Promise<void> {
  await db.build.updateTable('connected_calendar').set({ next_at: now }).where('id', '=', id).execute()
}

/** A busy time of a connected calendar, as stored in the table `busy`. */
export interface StoredBusyTime extends Interval {
  readonly id: string
}

/** Returns the busy times of a connected calendar that end after `after` (Unix seconds). */
export async function listBusyTimes(db: Database, calendarId: string, after: number): Promise<StoredBusyTime[]> {
  const rows = await db.build
    .selectFrom('busy')
    .select(['id', 'start_at', 'end_at'])
    .where('calendar_id', '=', calendarId)
    .where('end_at', '>', after)
    .execute()
  return rows.map((row) => ({ id: row.id, start: row.start_at, end: row.end_at }))
}

// SQLite accepts up to 32,766 parameters in one statement, so rows are inserted in batches.
const rowsAtOnce = 500

/**
 * Inserts busy times of a connected calendar; each replaces a stored time with the same start. Only a time that ended
 * before the window of the last reading can be left there, and only until the next sweep.
 */
export async function insertBusyTimes(
  db: Database,
  { id, providerId }: Pick<ConnectedCalendar, 'id' | 'providerId'>,
  times: readonly Interval[],
): Promise<void> {
  const fixed = { provider_id: providerId, source: 'calendar', note: '', calendar_id: id }
  const rows = times.map(({ start, end }) => ({ ...fixed, id: `${id}:${start}`, start_at: start, end_at: end }))
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db.build
      .insertInto('busy')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) => conflict.column('id').doUpdateSet((row) => ({ end_at: row.ref('excluded.end_at') })))
      .execute()
}

/** Deletes the busy times with the given ids. */
export async function deleteBusyTimes(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.build
    .deleteFrom('busy')
    .where((row) => db.dialect.listed(row.ref('id'), ids, 'text'))
    .execute()
}

/**
 * Deletes at most `limit` busy times of connected calendars that ended before `before` (Unix seconds); returns the
 * number deleted.
 */
export function deleteEndedBusyTimes(db: Database, before: number, limit: number): Promise<number> {
  return deleteBatch(db, 'busy', { where: sql`calendar_id is not null and end_at < ${before}`, limit })
}

/**
 * Returns those of the given ids that belong to existing reservations, or to removed reservations whose events still
 * have to be removed from a calendar.
 */
export async function listKnownReservations(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.build
    .selectFrom('reservation')
    .select('id')
    .where((row) => db.dialect.listed(row.ref('id'), ids, 'text'))
    .union(
      db.build
        .selectFrom('calendar_event')
        .select('reservation_id as id')
        .where((row) => db.dialect.listed(row.ref('reservation_id'), ids, 'text')),
    )
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * The numbers of connected calendars of the site, of those whose last reading failed, and of those whose last
 * successful reading is too old, and the age of the oldest reading.
 */
export interface CalendarFigures {
  readonly connected: number
  readonly failing: number
  readonly tooOld: number
  /**
   * The largest number of seconds since the last successful reading of a calendar, or since the connection of a
   * calendar that was never read successfully; 0 without calendars.
   */
  readonly oldestAge: number
}

/**
 * Counts the connected calendars by state and computes the age of the oldest reading; `maxAge` is the site's maximum
 * age of a reading, in seconds.
 */
export async function calendarFigures(
  db: Database,
  { now, maxAge }: { readonly now: number; readonly maxAge: number },
): Promise<CalendarFigures> {
  const { rows } = await sql<{ connected: number; failing: number; too_old: number; oldest: number | null }>`
    select count(*) as connected, coalesce(sum(case when fault is not null then 1 else 0 end), 0) as failing,
      coalesce(sum(case when read_at + ${maxAge} <= ${now} then 1 else 0 end), 0) as too_old,
      min(case when read_at = 0 then created_at else read_at end) as oldest
    from connected_calendar`.execute(db.build)
  const [row] = rows
  const oldest = row?.oldest ?? null
  return {
    connected: Number(row?.connected ?? 0),
    failing: Number(row?.failing ?? 0),
    tooOld: Number(row?.too_old ?? 0),
    oldestAge: oldest === null ? 0 : Math.max(0, now - Number(oldest)),
  }
}

function toCalendar(row: ConnectedCalendarTable): ConnectedCalendar {
  return {
    id: row.id,
    providerId: row.provider_id,
    kind: row.kind as CalendarKind,
    name: row.name,
    host: row.host,
    sealed: row.secret,
    blocking: JSON.parse(row.blocking),
    opening: row.opening === '' ? null : JSON.parse(row.opening),
    openingFaults: JSON.parse(row.opening_faults),
    content: row.content === '' ? null : JSON.parse(row.content),
    coveredUntil: row.covered_until,
    readAt: row.read_at,
    triedAt: row.tried_at,
    nextAt: row.next_at,
    failures: row.failures,
    fault: row.fault as CalendarFaultCode | null,
    faultDetail: row.fault_detail,
    revision: row.revision,
    turn: row.turn,
    account: row.account_id === null ? null : { id: row.account_id, remote: row.remote ?? '' },
    createdAt: row.created_at,
  }
}

function toRow(calendar: ConnectedCalendar): Omit<ConnectedCalendarTable, 'created_at' | 'updated_at'> {
  return {
    id: calendar.id,
    provider_id: calendar.providerId,
    kind: calendar.kind,
    name: calendar.name,
    host: calendar.host,
    secret: calendar.sealed,
    blocking: JSON.stringify(calendar.blocking),
    opening: calendar.opening === null ? '' : JSON.stringify(calendar.opening),
    opening_faults: JSON.stringify(calendar.openingFaults),
    content: calendar.content === null ? '' : JSON.stringify(calendar.content),
    covered_until: calendar.coveredUntil,
    read_at: calendar.readAt,
    tried_at: calendar.triedAt,
    next_at: calendar.nextAt,
    failures: calendar.failures,
    fault: calendar.fault,
    fault_detail: calendar.faultDetail,
    revision: calendar.revision,
    turn: calendar.turn,
    account_id: calendar.account?.id ?? null,
    remote: calendar.account?.remote ?? null,
  }
}
