import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { CalendarDestinationTable } from '../../db/query/calendar-tables.ts'
import type { CalendarFaultCode } from '../calendar-fault.ts'
import type { CalendarDestination, MovePolicy } from './destination.ts'
import { isFailing } from './events.sql.ts'

/**
 * Returns the destination of a provider, the calendar to which the provider's reservations are written; undefined when
 * there is none.
 */
export async function findDestination(db: Database, providerId: number): Promise<CalendarDestination | undefined> {
  const row = await db.build
    .selectFrom('calendar_destination')
    .selectAll()
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  return row && toDestination(row)
}

/** Returns the destinations of the given providers, the calendars to which their reservations are written. */
export async function listDestinations(db: Database, providerIds: readonly number[]): Promise<CalendarDestination[]> {
  if (providerIds.length === 0) return []
  const rows = await db.build
    .selectFrom('calendar_destination')
    .selectAll()
    .where('provider_id', 'in', [...providerIds])
    .orderBy('provider_id')
    .execute()
  return rows.map(toDestination)
}

/** Whether any provider has a destination, a calendar to which reservations are written. */
export async function hasDestinations(db: Database): Promise<boolean> {
  return (await db.build.selectFrom('calendar_destination').select('provider_id').executeTakeFirst()) !== undefined
}

/**
 * Counts the destinations (calendars to which reservations are written), and those whose last comparison failed or that
 * have an event with a fault that staff can still resolve at `now` (see `isFailing`).
 */
export async function countDestinations(
  db: Database,
  now: number,
): Promise<{ readonly chosen: number; readonly failing: number }> {
  const { rows } = await sql<{ chosen: number; failing: number }>`
    select count(*) as chosen, coalesce(sum(case when fault is not null or exists (
        select 1 from calendar_event as event
        where event.provider_id = destination.provider_id and event.calendar = destination.calendar
          and ${isFailing(now)})
      then 1 else 0 end), 0) as failing
    from calendar_destination as destination`.execute(db.build)
  return { chosen: Number(rows[0]?.chosen ?? 0), failing: Number(rows[0]?.failing ?? 0) }
}

/**
 * Returns the ids of at most 5,000 providers whose comparison of reservations with the calendar to which they are
 * written is due.
 */
export async function listDueDestinations(db: Database, now: number): Promise<number[]> {
  const rows = await db.build
    .selectFrom('calendar_destination')
    .select('provider_id')
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(5_000)
    .execute()
  return rows.map((row) => row.provider_id)
}

/** Stores the destination of a provider (the calendar to which reservations are written), replacing an existing one. */
export async function saveDestination(db: Database, destination: CalendarDestination): Promise<void> {
  await deleteDestination(db, destination.providerId)
  await db.build.insertInto('calendar_destination').values(toRow(destination)).execute()
}

/**
 * Stores the result of comparing a destination with the reservations; does nothing when the provider's destination is
 * no longer the same calendar.
 */
export async function updateDestination(
  db: Database,
  { providerId, accountId, calendar }: Pick<CalendarDestination, 'providerId' | 'accountId' | 'calendar'>,
  state: Partial<CalendarDestinationTable>,
): Promise<void> {
  await db.build
    .updateTable('calendar_destination')
    .set(state)
    .where('provider_id', '=', providerId)
    .where('account_id', '=', accountId)
    .where('calendar', '=', calendar)
    .execute()
}

/** Deletes the destination of a provider: its reservations are no longer written to a calendar. */
export async function deleteDestination(db: Database, providerId: number): Promise<void> {
  await db.build.deleteFrom('calendar_destination').where('provider_id', '=', providerId).execute()
}

/**
 * Returns which of the given reservations have a calendar event, or occupy a provider with a destination: one row for
 * each reservation and account with such an event or destination.
 */
export async function listWritten(db: Database, ids: readonly string[]): Promise<ReservationAccount[]> {
  if (ids.length === 0) return []
  const { dialect } = db
  const { rows } = await sql<ReservationAccount>`
    select reservation.id as "reservationId", account_id as "accountId"
    from reservation join calendar_destination on calendar_destination.provider_id = reservation.provider_id
    where ${dialect.listed(sql`reservation.id`, ids, 'text')}
    union select reservation_id as "reservationId", account_id as "accountId"
    from occupancy join calendar_destination
      on ${dialect.narrowing(sql.ref('resource'))} = 'p' || calendar_destination.provider_id
    where ${dialect.listed(sql`reservation_id`, ids, 'text')}
    union select reservation_id as "reservationId", account_id as "accountId"
    from calendar_event where ${dialect.listed(sql`reservation_id`, ids, 'text')}`.execute(db.build)
  return rows
}

/**
 * A reservation and an account that contains its calendar event, or a calendar to which the reservation is to be
 * written.
 */
export interface ReservationAccount {
  readonly reservationId: string
  readonly accountId: string
}

/**
 * Returns the ids of uncancelled reservations that occupy the provider's time and start after `after` (Unix seconds).
 */
export async function listUpcomingIds(db: Database, providerId: number, after: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from reservation where provider_id = ${providerId} and start_at > ${after} and status <> 'cancelled'
    union select reservation.id from occupancy join reservation on reservation.id = occupancy.reservation_id
    where resource = ${`p${providerId}`} and occupancy.start_at > ${after - 86_400}
      and reservation.start_at > ${after} and status <> 'cancelled'`.execute(db.build)
  return rows.map(({ id }) => id)
}

function toDestination(row: CalendarDestinationTable): CalendarDestination {
  return {
    providerId: row.provider_id,
    accountId: row.account_id,
    calendar: row.calendar,
    name: row.name,
    policy: row.policy as MovePolicy,
    names: row.names === 1,
    meetings: row.meetings === 1,
    cursor: row.cursor_text,
    listedAt: row.listed_at,
    readAt: row.read_at,
    nextAt: row.next_at,
    failures: row.failures,
    fault: row.fault as CalendarFaultCode | null,
    faultDetail: row.fault_detail,
    createdAt: row.created_at,
  }
}

function toRow(destination: CalendarDestination): CalendarDestinationTable {
  return {
    provider_id: destination.providerId,
    account_id: destination.accountId,
    calendar: destination.calendar,
    name: destination.name,
    policy: destination.policy,
    names: destination.names ? 1 : 0,
    meetings: destination.meetings ? 1 : 0,
    cursor_text: destination.cursor,
    listed_at: destination.listedAt,
    read_at: destination.readAt,
    next_at: destination.nextAt,
    failures: destination.failures,
    fault: destination.fault,
    fault_detail: destination.faultDetail,
    created_at: destination.createdAt,
  }
}
