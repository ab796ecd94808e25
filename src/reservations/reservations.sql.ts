import { type CompiledQuery, sql } from 'kysely'
import { maxAppointmentMinutes } from '../catalogue/services/service.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import type { ReservationTable } from '../db/query/tables.ts'
import { message } from '../messages/message.ts'
import type { Booked } from '../scheduling/plan/plan.ts'
import { overflowResource, providerResource } from '../scheduling/plan/resource.ts'
import { expectedAttendance, readAttendance, shownAttendance } from './attendance/attendance.ts'
import type { ReservationFilter } from './list/reservation-filter.ts'
import type { ReservationPayment } from './payment.ts'
import type { Assignment, Awaited, Reservation, ReservationSource, ReservationStatus } from './reservation.ts'

/** The maximum length of an appointment in seconds: one that starts earlier before a period does not reach into it. */
export const maxLength = maxAppointmentMinutes * 60

/** The key that identifies an imported reservation in its JSON site file; null when it has none. */
export interface ReservationKey {
  readonly key: string | null
}

const byId = prepared<{ id: string }, ReservationTable>((db, p) =>
  db.selectFrom('reservation').selectAll().where('id', '=', p.id),
)

/** Returns the reservation with this id; undefined for an unknown id. */
export async function findReservation(db: Database, id: string): Promise<Reservation | undefined> {
  const [row] = await db.run(byId, { id })
  return row && toReservation(row)
}

const insert = prepared<ReservationTable, never>((db, p) =>
  db.insertInto('reservation').values({
    id: p.id,
    key: p.key,
    service_id: p.service_id,
    customer_id: p.customer_id,
    provider_id: p.provider_id,
    availability_id: p.availability_id,
    start_at: p.start_at,
    end_at: p.end_at,
    status: p.status,
    data: p.data,
    price: p.price,
    currency: p.currency,
    local_start: p.local_start,
    zone: p.zone,
    tz_version: p.tz_version,
    assigned_because: p.assigned_because,
    series_id: p.series_id,
    group_id: p.group_id,
    version: p.version,
    created_at: p.created_at,
    updated_at: p.updated_at,
    expires_at: p.expires_at,
    source: p.source,
    attendance: p.attendance,
    attendance_record: p.attendance_record,
    note: p.note,
    cancel_reason: p.cancel_reason,
    awaits: p.awaits,
    payment: p.payment,
    meeting: p.meeting,
    link_version: p.link_version,
  }),
)

/** Inserts a reservation. The seats that it occupies are inserted separately, in the same transaction. */
export async function insertReservation(
  db: Database,
  made: Reservation,
  { key }: ReservationKey = { key: null },
): Promise<void> {
  await db.run(insert, { ...toRow(made), key, series_id: null })
}

/** Updates a reservation; id and creation time are immutable. */
export async function updateReservation(db: Database, changed: Reservation): Promise<void> {
  const { id, created_at, ...columns } = toRow(changed)
  await db.build.updateTable('reservation').set(columns).where('id', '=', id).execute()
}

/** Stores that these reservations were checked with this version of the time zone data. */
export async function updateZoneVersion(db: Database, ids: readonly string[], version: string): Promise<void> {
  await db.build
    .updateTable('reservation')
    .set({ tz_version: version })
    .where(db.dialect.listed(sql.ref('id'), ids, 'text'))
    .execute()
}

/** Deletes the reservation's row. The seats that it occupies are released separately. */
export async function deleteReservation(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('reservation').where('id', '=', id).execute()
}

/** Whether any pending or confirmed reservation refers to this service, customer or provider. */
export async function hasActiveReservations(
  db: Database,
  of: { readonly serviceId: string } | { readonly customerId: string } | { readonly providerId: number },
): Promise<boolean> {
  const [column, id] = referenceTo(of)
  const row = await db.build
    .selectFrom('reservation')
    .select('id')
    .where(column, '=', id)
    .where('status', '!=', 'cancelled')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Whether any reservation occupies time of the provider, including reservations of collective services (with several
 * providers together) that are stored under another provider.
 */
export async function occupiesProvider(db: Database, providerId: number): Promise<boolean> {
  const names = [providerResource(providerId), overflowResource(providerId)]
  const row = await db.build
    .selectFrom('occupancy')
    .select('id')
    .where(db.dialect.listed(sql.ref('resource'), names, 'text'))
    .where('reservation_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function referenceTo(of: { serviceId: string } | { customerId: string } | { providerId: number }) {
  if ('serviceId' in of) return ['service_id', of.serviceId] as const
  return 'customerId' in of ? (['customer_id', of.customerId] as const) : (['provider_id', of.providerId] as const)
}

const bookedOfCustomer = prepared<
  { customer: string; service: string; from: number; until: number; except: string },
  BookedRow
>((db, p, dialect) =>
  db
    .selectFrom('reservation')
    .select(['service_id', 'provider_id', 'customer_id', 'start_at', 'end_at'])
    .where('customer_id', '=', p.customer)
    .where(dialect.narrowing(sql.ref('service_id')), '=', p.service)
    .where('start_at', '>=', p.from)
    .where('start_at', '<', p.until)
    .where('status', '!=', 'cancelled')
    .where('id', '!=', p.except),
)

/**
 * Returns a customer's pending and confirmed reservations of one service that start in [from, until), without the
 * reservation with the id `except`.
 */
export async function listBookedOfCustomer(
  db: Database,
  of: { customer: string; service: string; from: number; until: number; except: string },
): Promise<Booked[]> {
  return (await db.run(bookedOfCustomer, of)).map(toBooked)
}

/**
 * Builds the query of every pending and confirmed reservation that starts after `after` (Unix seconds), for streaming.
 */
export function comingReservationsQuery(db: Database, after: number): CompiledQuery<PlacedRow> {
  return db.build
    .selectFrom('reservation')
    .select(['id', 'service_id', 'provider_id', 'start_at', 'end_at', 'local_start', 'zone', 'tz_version'])
    .where('start_at', '>', after)
    .where('status', '!=', 'cancelled')
    .orderBy('start_at')
    .orderBy('id')
    .compile()
}

type PlacedRow = Pick<
  ReservationTable,
  'id' | 'service_id' | 'provider_id' | 'start_at' | 'end_at' | 'local_start' | 'zone' | 'tz_version'
>

/** Returns one page of the reservations that match a filter, and the number of all that match. */
export async function pageReservations(
  db: Database,
  filter: ReservationFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ items: Reservation[]; total: number }> {
  const rows = await filtered(db, filter)
    .selectAll()
    .orderBy('start_at')
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  const counted = await filtered(db, filter)
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items: rows.map(toReservation), total: Number(counted.total) }
}

/**
 * Builds the query of the reservations that match a filter. Without statistics, SQLite would use the index on the status
 * or on the end, and read the whole history.
 */
export function filtered(db: Database, filter: ReservationFilter) {
  const { customerIds, serviceIds, providerIds, status, endsAfter } = filter
  const { narrowing } = db.dialect
  const statusOf = customerIds || serviceIds || providerIds ? narrowing(sql.ref('status')) : sql.ref('status')
  return db.build
    .selectFrom('reservation')
    .$if(endsAfter !== undefined, (q) =>
      q.where(narrowing(sql.ref('end_at')), '>', endsAfter ?? 0).where('start_at', '>', (endsAfter ?? 0) - maxLength),
    )
    .$if(status !== undefined, (q) => q.where(statusOf, '=', status ?? ''))
    .$if(customerIds !== undefined, (q) =>
      q.where(db.dialect.listed(sql.ref('customer_id'), customerIds ?? [], 'text')),
    )
    .$if(serviceIds !== undefined, (q) => q.where(db.dialect.listed(sql.ref('service_id'), serviceIds ?? [], 'text')))
    .$if(providerIds !== undefined, (q) =>
      q.where(db.dialect.listed(sql.ref('provider_id'), providerIds ?? [], 'bigint')),
    )
}

/** A row of the table `reservation` with the columns that `Booked` needs. */
export type BookedRow = Pick<ReservationTable, 'service_id' | 'provider_id' | 'customer_id' | 'start_at' | 'end_at'>

/**
 * Converts a `BookedRow` to the form in which the scheduling rules and the choice among providers count reservations.
 */
export function toBooked(row: BookedRow): Booked {
  return {
    serviceId: row.service_id,
    providerId: row.provider_id,
    customerId: row.customer_id,
    start: row.start_at,
    end: row.end_at,
  }
}

/** Converts a row of the table `reservation` to a reservation. */
export function toReservation(row: ReservationTable): Reservation {
  return {
    id: row.id,
    serviceId: row.service_id,
    customerId: row.customer_id,
    providerId: row.provider_id,
    availabilityId: row.availability_id,
    start: row.start_at,
    end: row.end_at,
    status: row.status as ReservationStatus,
    data: JSON.parse(row.data) as Record<string, unknown>,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    price: row.price,
    currency: row.currency,
    localStart: row.local_start,
    zone: row.zone,
    zoneVersion: row.tz_version,
    assignedBecause: row.assigned_because === null ? null : assignmentOf(row.assigned_because),
    groupId: row.group_id,
    expiresAt: row.expires_at,
    source: row.source === null ? null : (JSON.parse(row.source) as ReservationSource),
    attendance: row.attendance_record === null ? expectedAttendance : readAttendance(JSON.parse(row.attendance_record)),
    note: row.note,
    cancelReason: row.cancel_reason,
    awaits: row.awaits as Awaited | null,
    payment: row.payment === null ? null : (JSON.parse(row.payment) as ReservationPayment),
    meeting: row.meeting,
    linkVersion: row.link_version,
    version: row.version,
  }
}

// Earlier versions stored the reason of an assignment as an English sentence.
function assignmentOf(stored: string): Assignment {
  const kept = JSON.parse(stored) as Assignment | (Omit<Assignment, 'because'> & { readonly because: string })
  const { because } = kept
  return { ...kept, because: typeof because === 'string' ? message('verbatim', { text: because }) : because }
}

function toRow(of: Reservation): Omit<ReservationTable, 'key' | 'series_id'> {
  return {
    id: of.id,
    service_id: of.serviceId,
    customer_id: of.customerId,
    provider_id: of.providerId,
    availability_id: of.availabilityId,
    start_at: of.start,
    end_at: of.end,
    status: of.status,
    data: JSON.stringify(of.data),
    price: of.price,
    currency: of.currency,
    local_start: of.localStart,
    zone: of.zone,
    tz_version: of.zoneVersion,
    assigned_because: of.assignedBecause && JSON.stringify(of.assignedBecause),
    version: of.version,
    created_at: of.createdAt,
    updated_at: of.updatedAt,
    group_id: of.groupId,
    expires_at: of.expiresAt,
    source: of.source && JSON.stringify(of.source),
    attendance: of.attendance.state,
    attendance_record: of.attendance.state === 'expected' ? null : JSON.stringify(shownAttendance(of.attendance)),
    note: of.note,
    cancel_reason: of.cancelReason,
    awaits: of.awaits,
    meeting: of.meeting,
    link_version: of.linkVersion,
    payment: of.payment && JSON.stringify(of.payment),
  }
}
