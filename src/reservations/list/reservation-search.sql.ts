import { type CompiledQuery, type SelectQueryBuilder, sql } from 'kysely'
import type { Contact } from '../../customers/customers.sql.ts'
import type { Database } from '../../db/database.ts'
import { countRows } from '../../db/query/count-rows.ts'
import type { ReservationTable, Tables } from '../../db/query/tables.ts'
import type { Reservation, ReservationStatus } from '../reservation.ts'
import { toReservation } from '../reservations.sql.ts'

/** Criteria of a reservation search: all of them apply, and an absent one does not restrict. */
export interface ReservationCriteria {
  readonly id?: string | undefined
  readonly customerIds?: readonly string[] | undefined
  /**
   * Whether the customers in `customerIds` have so many reservations that scanning all reservations by start is faster
   * than using the index on customers; as returned by `areCommon`.
   */
  readonly common?: boolean | undefined
  readonly status?: ReservationStatus | undefined
  readonly serviceId?: string | undefined
  readonly providerId?: number | undefined
  /** Only reservations that start at this instant (Unix seconds) or later. */
  readonly from?: number | undefined
  /** Only reservations that start before this instant (Unix seconds). */
  readonly until?: number | undefined
}

/** The sort order: by start; `-` reverses it. */
export type Order = 'start' | '-start'

/**
 * A reservation and the contact data of its customer (`customer`), which is undefined when the customer was removed.
 */
export interface FoundReservation {
  readonly reservation: Reservation
  readonly customer: Contact | undefined
}

type KnownRow = ReservationTable & {
  readonly customer_name: string | null
  readonly customer_email: string | null
  readonly customer_phone: string | null
}

/** Returns one page of the reservations that match the criteria. */
export async function listMatching(
  db: Database,
  sought: ReservationCriteria,
  order: Order,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<FoundReservation[]> {
  const direction = directionOf(order)
  const page = filtered(db, sought)
    .select(['id', 'start_at'])
    .orderBy('start_at', direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
  // Reservations and customers are joined to the rows of the page, so that they are not looked up for the rows before
  // the page. The result is sorted by columns of the subquery `page`: with columns of the table `reservation`, SQLite
  // would scan all reservations in the order of their starts.
  const rows = await db.build
    .selectFrom(page.as('page'))
    .innerJoin('reservation', 'reservation.id', 'page.id')
    .leftJoin('customer', 'customer.id', 'reservation.customer_id')
    .selectAll('reservation')
    .select(contact)
    .orderBy('page.start_at', direction)
    .orderBy('page.id', direction)
    .execute()
  return rows.map(toFoundReservation)
}

// When the sought customers have at least this many reservations, scanning all reservations by start is faster than
// looking up and sorting those of the customers.
const many = 50_000

/**
 * Whether these customers have so many reservations that scanning all reservations by start finds a page of the result
 * faster than looking up those of the customers.
 */
export async function areCommon(db: Database, customerIds: readonly string[]): Promise<boolean> {
  return (await countMatching(db, { customerIds }, many)) === many
}

/** Counts the reservations that match the criteria, up to `most`. */
export async function countMatching(db: Database, sought: ReservationCriteria, most: number): Promise<number> {
  const { common = false, providerId, serviceId, status } = sought
  // A count needs no order, so the index on customers is the fastest, unless another criterion can narrow the result.
  const narrowed = (providerId ?? serviceId ?? status) !== undefined
  const some = filtered(db, { ...sought, common: common && narrowed })
    .select(sql.lit(1).as('one'))
    .limit(most)
  return countRows(db, some)
}

/**
 * Builds the query of all reservations that match the criteria, for streaming; `toFoundReservation` converts its rows.
 */
export function matchingQuery(db: Database, sought: ReservationCriteria, order: Order): CompiledQuery<KnownRow> {
  const direction = directionOf(order)
  return db.build
    .selectFrom(filtered(db, sought).selectAll().as('reservation'))
    .leftJoin('customer', 'customer.id', 'reservation.customer_id')
    .selectAll('reservation')
    .select(contact)
    .orderBy('reservation.start_at', direction)
    .orderBy('reservation.id', direction)
    .compile()
}

/** Converts a row of `matchingQuery` or `listMatching` to a reservation with its customer. */
export function toFoundReservation(row: KnownRow): FoundReservation {
  const { customer_name: name, customer_email: email, customer_phone: phone } = row
  return {
    reservation: toReservation(row),
    customer: name === null ? undefined : { name, email: email ?? '', phone: phone ?? '' },
  }
}

const contact = [
  'customer.name as customer_name',
  'customer.email as customer_email',
  'customer.phone as customer_phone',
] as const

function directionOf(order: Order) {
  return order === 'start' ? ('asc' as const) : ('desc' as const)
}

function filtered(db: Database, sought: ReservationCriteria) {
  const { id, customerIds, common = false, status, serviceId, providerId, from, until } = sought
  const { dialect, build } = db
  let query: SelectQueryBuilder<Tables, 'reservation', Record<never, never>> = build.selectFrom('reservation')
  // The first of id, customers (unless `common`), provider, service and status that is present can use the index on its
  // column. The others only filter the rows; `narrowing` keeps SQLite from choosing an index on their columns.
  let found = false
  const equals = (column: 'id' | 'provider_id' | 'service_id' | 'status', value: string | number | undefined): void => {
    if (value === undefined) return
    const left = found ? dialect.narrowing(sql.ref(column)) : sql.ref(column)
    query = query.where(sql<boolean>`${left} = ${value}`)
    found = true
  }
  equals('id', id)
  if (customerIds !== undefined) {
    const customer = common ? dialect.narrowing(sql.ref('customer_id')) : sql.ref('customer_id')
    query = query.where(dialect.listed(customer, customerIds, 'text'))
    found = !common
  }
  equals('provider_id', providerId)
  equals('service_id', serviceId)
  equals('status', status)
  if (from !== undefined) query = query.where('start_at', '>=', from)
  if (until !== undefined) query = query.where('start_at', '<', until)
  return query
}
