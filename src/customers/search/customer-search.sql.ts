import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { countRows } from '../../db/query/count-rows.ts'
import type { CustomerTable } from '../../db/query/customer-tables.ts'
import type { Tables } from '../../db/query/tables.ts'
import type { ReservationStatus } from '../../reservations/reservation.ts'
import type { Customer, CustomerStatus } from '../customer.ts'
import { toCustomer } from '../customers.sql.ts'
import { tagTerm } from './search-terms.ts'

/** The criteria of a search of customers; absent fields match everything. */
export interface CustomerCriteria {
  readonly ids?: readonly string[] | undefined
  readonly status?: CustomerStatus | undefined
  /** The tag that matching customers have; upper and lower case are equivalent. */
  readonly tag?: string | undefined
  /**
   * The id of the provider that matching customers have a reservation with, of any time and status; undefined for all
   * customers.
   */
  readonly ofProvider?: number | undefined
}

/** The sort order of customers: by name or by time of creation; a `-` in front reverses it. */
export type CustomerOrder = 'name' | '-name' | 'created' | '-created'

/** A customer with the times of creation and of the last change, in Unix seconds. */
export interface FoundCustomer {
  readonly customer: Customer
  readonly createdAt: number
  readonly updatedAt: number
}

/** Returns one page of the customers who match the criteria. */
export async function listMatchingCustomers(
  db: Database,
  sought: CustomerCriteria,
  order: CustomerOrder,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<FoundCustomer[]> {
  const direction = order.startsWith('-') ? 'desc' : 'asc'
  const by = order.endsWith('name') ? sql<string | number>`lower(name)` : sql<string | number>`ordinal`
  // The inner query selects only ids and sort keys, so that the other columns of the customers that `offset` skips are
  // not read.
  const places = filtered(db, sought)
    .select(['id as place', by.as('by')])
    .orderBy(by, direction)
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
  const rows = await db.build
    .selectFrom(places.as('page'))
    .innerJoin('customer', 'customer.id', 'page.place')
    .selectAll('customer')
    .orderBy('page.by', direction)
    .orderBy('customer.id', direction)
    .execute()
  return rows.map(toKnownCustomer)
}

/** Returns at most `limit` ids of customers who have any reservation with a provider. */
export async function listCustomerIdsOf(db: Database, providerId: number, limit: number): Promise<string[]> {
  const rows = await db.build
    .selectFrom('reservation')
    .select('customer_id')
    .distinct()
    .where('provider_id', '=', providerId)
    .limit(limit)
    .execute()
  return rows.map((row) => row.customer_id)
}

/** Whether a customer has any reservation with a provider. */
export async function isCustomerOf(db: Database, customerId: string, providerId: number): Promise<boolean> {
  const row = await db.build
    .selectFrom('reservation')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('provider_id', '=', providerId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the customers who match the criteria, but no further than `most`. */
export async function countMatchingCustomers(db: Database, sought: CustomerCriteria, most: number): Promise<number> {
  const some = filtered(db, sought).select(sql.lit(1).as('one')).limit(most)
  return countRows(db, some)
}

/**
 * Returns the start of the last and of the next reservation of each customer, with one provider or with any; cancelled
 * reservations do not count.
 */
export async function listVisits(
  db: Database,
  ids: readonly string[],
  { ofProvider, now }: { readonly ofProvider: number | undefined; readonly now: number },
): Promise<Map<string, { readonly lastAt: number | null; readonly nextAt: number | null }>> {
  const rows = await db.build
    .selectFrom('reservation')
    .select('customer_id')
    .select(sql<number | null>`max(case when start_at <= ${now} then start_at end)`.as('last_at'))
    .select(sql<number | null>`min(case when start_at > ${now} then start_at end)`.as('next_at'))
    .where(db.dialect.listed(sql.ref('customer_id'), ids, 'text'))
    .where('status', '!=', 'cancelled')
    .$if(ofProvider !== undefined, (query) =>
      query.where(db.dialect.narrowing(sql.ref('provider_id')), '=', ofProvider ?? 0),
    )
    .groupBy('customer_id')
    .execute()
  return new Map(rows.map((row) => [row.customer_id, { lastAt: row.last_at, nextAt: row.next_at }]))
}

/** Counts a customer's reservations by status, with one provider or with any. */
export async function countReservationsOf(
  db: Database,
  customerId: string,
  ofProvider: number | undefined,
): Promise<Readonly<Record<ReservationStatus, number>>> {
  const rows = await db.build
    .selectFrom('reservation')
    .select(['status', (e) => e.fn.countAll<number>().as('total')])
    .where('customer_id', '=', customerId)
    .$if(ofProvider !== undefined, (query) => query.where('provider_id', '=', ofProvider ?? 0))
    .groupBy('status')
    .execute()
  const of = (status: ReservationStatus) => Number(rows.find((row) => row.status === status)?.total ?? 0)
  return { pending: of('pending'), confirmed: of('confirmed'), cancelled: of('cancelled') }
}

/**
 * Counts a customer's confirmed reservations with recorded attendance, and the no-shows among them, with one provider
 * or with any.
 */
export async function countVisitsOf(
  db: Database,
  customerId: string,
  ofProvider: number | undefined,
): Promise<{ readonly marked: number; readonly noShows: number }> {
  const rows = await db.build
    .selectFrom('reservation')
    .select(['attendance', (e) => e.fn.countAll<number>().as('total')])
    .where('customer_id', '=', customerId)
    .where(db.dialect.narrowing(sql.ref('status')), '=', 'confirmed')
    .where('attendance', '!=', 'expected')
    .$if(ofProvider !== undefined, (query) => query.where('provider_id', '=', ofProvider ?? 0))
    .groupBy('attendance')
    .execute()
  return {
    marked: rows.reduce((sum, { total }) => sum + Number(total), 0),
    noShows: Number(rows.find(({ attendance }) => attendance === 'no_show')?.total ?? 0),
  }
}

function filtered(db: Database, { ids, status, tag, ofProvider }: CustomerCriteria) {
  let query: SelectQueryBuilder<Tables, 'customer', Record<never, never>> = db.build.selectFrom('customer')
  if (ids !== undefined) query = query.where(db.dialect.listed(sql.ref('id'), ids, 'text'))
  // Ids that a search has found are few; an index on the status would read all customers with the status.
  const statusOf = ids === undefined ? sql.ref('status') : db.dialect.narrowing(sql.ref('status'))
  if (status !== undefined) query = query.where(statusOf, '=', status)
  if (tag !== undefined) {
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('customer_word')
          .select('customer_word.word')
          .whereRef('customer_word.customer_id', '=', 'customer.id')
          .where('customer_word.word', '=', tagTerm(tag)),
      ),
    )
  }
  if (ofProvider !== undefined) {
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom('reservation')
          .select('reservation.id')
          .whereRef('reservation.customer_id', '=', 'customer.id')
          .where('reservation.provider_id', '=', ofProvider),
      ),
    )
  }
  return query
}

function toKnownCustomer(row: CustomerTable): FoundCustomer {
  return { customer: toCustomer(row), createdAt: row.created_at, updatedAt: row.updated_at }
}
