import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Database } from '../../db/database.ts'
import type { CalendarEventTable } from '../../db/query/calendar-tables.ts'
import type { CalendarEvent, EventFault, EventKey, PlannedEvent } from './destination.ts'

/** Returns the calendar events of a reservation. */
export async function listEventsOf(db: Database, reservationId: string): Promise<CalendarEvent[]> {
  const rows = await db.build
    .selectFrom('calendar_event')
    .selectAll()
    .where('reservation_id', '=', reservationId)
    .orderBy('provider_id')
    .execute()
  return rows.map(toEvent)
}

/** Returns one calendar event of a reservation; undefined when there is none. */
export async function findEvent(db: Database, key: EventKey): Promise<CalendarEvent | undefined> {
  return (await listEventsOf(db, key.reservationId)).find(
    ({ providerId, calendar }) => providerId === key.providerId && calendar === key.calendar,
  )
}

/** Whether any reservation has a calendar event. */
export async function hasEvents(db: Database): Promise<boolean> {
  return (await db.build.selectFrom('calendar_event').select('item').limit(1).executeTakeFirst()) !== undefined
}

/** Returns those of the given `UID`s that a calendar system gave to the event of a reservation. */
export async function listAssignedUids(db: Database, uids: readonly string[]): Promise<ReadonlySet<string>> {
  if (uids.length === 0) return new Set()
  const rows = await db.build
    .selectFrom('calendar_event')
    .select('assigned_uid')
    .distinct()
    .where((row) => db.dialect.listed(row.ref('assigned_uid'), uids, 'text'))
    .where('assigned_uid', '<>', '')
    .execute()
  return new Set(rows.map((row) => row.assigned_uid))
}

/** Returns the written events in a calendar of a provider that end after `after` (Unix seconds). */
export async function listWrittenEvents(
  db: Database,
  { providerId, calendar }: Pick<EventKey, 'providerId' | 'calendar'>,
  after: number,
): Promise<CalendarEvent[]> {
  const rows = await db.build
    .selectFrom('calendar_event')
    .selectAll()
    .where('provider_id', '=', providerId)
    .where('calendar', '=', calendar)
    .where('end_at', '>', after)
    .where('etag', '<>', '')
    .execute()
  return rows.map(toEvent)
}

/**
 * The condition that the row `event` of `calendar_event` has a fault that staff can still resolve: the reservation, or
 * the event of a removed one, ends after `now` (Unix seconds). An event without an online meeting was written; only the
 * reservation says that the meeting is missing.
 */
export function isFailing(now: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`event.fault is not null and event.fault <> 'no_meeting' and coalesce(
    (select end_at from reservation where reservation.id = event.reservation_id), event.end_at) > ${now}`
}

/** Counts the events in a calendar of a provider that have a fault which staff can still resolve (see `isFailing`). */
export async function countFailingEvents(
  db: Database,
  { providerId, calendar }: Pick<EventKey, 'providerId' | 'calendar'>,
  now: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from calendar_event as event
    where event.provider_id = ${providerId} and event.calendar = ${calendar} and ${isFailing(now)}`.execute(db.build)
  return Number(rows[0]?.count ?? 0)
}

/** Stores the calendar event of a reservation, replacing its earlier state. */
export async function saveEvent(db: Database, event: CalendarEvent): Promise<void> {
  await db.build
    .insertInto('calendar_event')
    .values(toRow(event))
    .onConflict((conflict) => conflict.columns(['reservation_id', 'provider_id', 'calendar']).doUpdateSet(toRow(event)))
    .execute()
}

/** Deletes the record of a calendar event. */
export async function deleteEvent(db: Database, key: EventKey): Promise<void> {
  await db.build
    .deleteFrom('calendar_event')
    .where('reservation_id', '=', key.reservationId)
    .where('provider_id', '=', key.providerId)
    .where('calendar', '=', key.calendar)
    .execute()
}

/** Deletes the records of the calendar events in an account. */
export async function deleteEventsOfAccount(db: Database, accountId: string): Promise<void> {
  await db.build.deleteFrom('calendar_event').where('account_id', '=', accountId).execute()
}

/** Returns the ids of the reservations whose events in an account have a fault (see `EventFault`). */
export async function listUnwritten(db: Database, accountId: string): Promise<string[]> {
  const rows = await db.build
    .selectFrom('calendar_event')
    .select('reservation_id')
    .where('account_id', '=', accountId)
    .where('fault', 'is not', null)
    .execute()
  return rows.map((row) => row.reservation_id)
}

/** Returns the ids of the given customers' reservations that have a calendar event. */
export async function listReservationsNaming(db: Database, customerIds: readonly string[]): Promise<string[]> {
  if (customerIds.length === 0) return []
  const rows = await db.build
    .selectFrom('calendar_event')
    .innerJoin('reservation', 'reservation.id', 'calendar_event.reservation_id')
    .select('reservation.id')
    .distinct()
    .where((row) => db.dialect.listed(row.ref('reservation.customer_id'), customerIds, 'text'))
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the data of a reservation for its calendar event; undefined when the reservation was removed. */
export async function findPlanned(db: Database, reservationId: string): Promise<PlannedEvent | undefined> {
  const { rows } = await sql<PlannedRow>`
    select reservation.id, reservation.start_at, reservation.end_at, reservation.status, reservation.version,
      reservation.updated_at, reservation.provider_id, reservation.meeting, reservation.service_id,
      service.name as service, customer.name as customer
    from reservation left join customer on customer.id = reservation.customer_id
      left join service on service.id = reservation.service_id
    where reservation.id = ${reservationId}`.execute(db.build)
  const [row] = rows
  if (!row) return undefined
  const seats = await db.build
    .selectFrom('occupancy')
    .select('resource')
    .where('reservation_id', '=', reservationId)
    .execute()
  const shared = seats.flatMap(({ resource }) => (resource.startsWith('p') ? Number(resource.slice(1)) : []))
  return {
    reservationId: row.id,
    start: Number(row.start_at),
    end: Number(row.end_at),
    status: row.status as PlannedEvent['status'],
    version: Number(row.version),
    updatedAt: Number(row.updated_at),
    service: row.service ?? '',
    meeting: row.meeting ?? '',
    isOnline: (await loadCatalogue(db)).service(row.service_id)?.settings.online ?? false,
    providerId: Number(row.provider_id),
    customer: row.customer ?? '',
    providerIds: [...new Set([Number(row.provider_id), ...shared])],
  }
}

interface PlannedRow {
  readonly id: string
  readonly start_at: number
  readonly end_at: number
  readonly status: string
  readonly version: number
  readonly updated_at: number
  readonly provider_id: number
  readonly meeting: string | null
  readonly service_id: string
  readonly service: string | null
  readonly customer: string | null
}

function toEvent(row: CalendarEventTable): CalendarEvent {
  return {
    reservationId: row.reservation_id,
    providerId: row.provider_id,
    calendar: row.calendar,
    accountId: row.account_id,
    item: row.item,
    uid: row.uid,
    assignedUid: row.assigned_uid,
    etag: row.etag,
    written: row.written,
    start: row.start_at,
    end: row.end_at,
    meetingAskedAt: row.meeting_asked_at,
    restored: row.restored,
    fault: row.fault as EventFault | null,
    faultDetail: row.fault_detail,
  }
}

function toRow(event: CalendarEvent): CalendarEventTable {
  return {
    reservation_id: event.reservationId,
    provider_id: event.providerId,
    calendar: event.calendar,
    account_id: event.accountId,
    item: event.item,
    uid: event.uid,
    assigned_uid: event.assignedUid,
    etag: event.etag,
    written: event.written,
    start_at: event.start,
    end_at: event.end,
    meeting_asked_at: event.meetingAskedAt,
    restored: event.restored,
    fault: event.fault,
    fault_detail: event.faultDetail,
  }
}
