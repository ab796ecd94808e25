import { sql } from 'kysely'
import { type BusyRow, type OverlappingBusyValues, overlappingBusy } from '../../catalogue/time-off/busy.sql.ts'
import type { Database } from '../../db/database.ts'
import { prepared } from '../../db/query/prepared.ts'
import { providerIdOf, providerResource } from '../../scheduling/plan/resource.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import type { AttendanceState } from '../attendance/attendance.ts'
import { isWith, type ReachingValues, reaching } from '../occupancy.sql.ts'
import type { ReservationStatus } from '../reservation.ts'
import { maxLength } from '../reservations.sql.ts'

/** The providers whose calendars are read, and the period [from, until) in Unix seconds. */
export interface CalendarWindow {
  readonly providerIds: readonly number[]
  readonly from: number
  readonly until: number
}

/** A reservation as the calendar of the panel shows it. */
export interface CalendarReservation {
  readonly id: string
  readonly serviceId: string
  readonly providerId: number
  readonly customerId: string
  /** The customer's name; empty when the customer was removed. */
  readonly customer: string
  readonly status: ReservationStatus
  readonly attendance: AttendanceState
  /** Whether the reservation has an internal note of staff. */
  readonly noted: boolean
  readonly start: number
  readonly end: number
}

/**
 * Returns at most `limit` reservations that are stored under the providers and overlap the period, by start: cancelled
 * ones only with `cancelled`, and with `shared` also the collective ones (with several providers together) that occupy
 * the providers and are stored under another provider.
 */
export async function listPlaced(
  db: Database,
  { providerIds, from, until }: CalendarWindow,
  {
    cancelled,
    limit,
    shared = false,
  }: { readonly cancelled: boolean; readonly limit: number; readonly shared?: boolean },
): Promise<CalendarReservation[]> {
  const { dialect, build } = db
  const own = dialect.listed(sql.ref('provider_id'), providerIds, 'bigint')
  let within = build
    .selectFrom('reservation')
    .select(['id', 'service_id', 'provider_id', 'customer_id', 'status', 'attendance', 'note', 'start_at', 'end_at'])
    .where(shared ? sql<boolean>`(${sql.join(providerIds.map(isWith), sql` or `)})` : own)
    .where('start_at', '>', from - maxLength)
    .where('start_at', '<', until)
    .where(sql<boolean>`${dialect.narrowing(sql.ref('end_at'))} > ${from}`)
  if (!cancelled) within = within.where(sql<boolean>`${dialect.narrowing(sql.ref('status'))} <> 'cancelled'`)
  const rows = await build
    .selectFrom(within.orderBy('start_at').orderBy('id').limit(limit).as('placed'))
    .leftJoin('customer', 'customer.id', 'placed.customer_id')
    .selectAll('placed')
    .select('customer.name')
    .orderBy('placed.start_at')
    .orderBy('placed.id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    serviceId: row.service_id,
    providerId: row.provider_id,
    customerId: row.customer_id,
    customer: row.name ?? '',
    status: row.status as ReservationStatus,
    attendance: row.attendance as AttendanceState,
    noted: row.note !== '',
    start: row.start_at,
    end: row.end_at,
  }))
}

interface SharedRow {
  readonly id: string
  readonly service_id: string
  readonly resource: string
  readonly start_at: number
  readonly end_at: number
}

const shared = prepared<ReachingValues, SharedRow>(
  (_, p, dialect) => sql<SharedRow>`
    select reservation.id, reservation.service_id, taken.resource, reservation.start_at, reservation.end_at
    from (select reservation_id, resource from ${reaching(dialect, p)} and reservation_id is not null) as taken
      join reservation on reservation.id = taken.reservation_id
    where taken.resource <> 'p' || reservation.provider_id
    order by reservation.start_at, reservation.id, taken.resource`,
)

/**
 * Returns the collective reservations (with several providers together) that occupy these providers in the period but
 * are stored under another provider.
 */
export async function listShared(db: Database, { providerIds, from, until }: CalendarWindow) {
  const rows = await db.run(shared, { resources: providerIds.map(providerResource), from, until })
  return rows.map((row) => ({
    id: row.id,
    serviceId: row.service_id,
    providerId: providerIdOf(row.resource),
    start: row.start_at,
    end: row.end_at,
  }))
}

/**
 * Returns the times of these providers that are reserved for open booking forms at `now` and overlap the period, by
 * start.
 */
export async function listHeld(
  db: Database,
  { providerIds, from, until }: CalendarWindow,
  now: number,
): Promise<{ readonly id: string; readonly providerId: number; readonly start: number; readonly end: number }[]> {
  const rows = await db.build
    .selectFrom('hold')
    .select(['id', 'provider_id', 'start_at', 'end_at'])
    .where(db.dialect.listed(sql.ref('provider_id'), providerIds, 'bigint'))
    .where('expires_at', '>', now)
    .where('end_at', '>', from)
    .where('start_at', '<', until)
    .orderBy('start_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ id: row.id, providerId: row.provider_id, start: row.start_at, end: row.end_at }))
}

/** A blocked time of a provider as the calendar of the panel shows it. */
export interface CalendarBusy extends Interval {
  readonly source: 'time_off' | 'calendar'
  readonly id: string
  readonly providerId: number
  readonly note: string
}

const busyTimes = prepared<OverlappingBusyValues, BusyRow>(
  (_, p, dialect) => sql<BusyRow>`
    select id, provider_id, source, start_at, end_at, note from ${overlappingBusy(dialect, p)}
    order by provider_id, start_at, id`,
)

/** Returns the providers' blocked times in the period, by provider and start. */
export async function listBusy(db: Database, { providerIds, from, until }: CalendarWindow): Promise<CalendarBusy[]> {
  const rows = await db.run(busyTimes, { providers: providerIds, from, until })
  return rows.map((row) => ({
    ...{ id: row.id, providerId: row.provider_id, note: row.note, start: row.start_at, end: row.end_at },
    source: row.source as CalendarBusy['source'],
  }))
}
