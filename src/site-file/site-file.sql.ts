import { type CompiledQuery, sql } from 'kysely'
import type { Customer } from '../customers/customer.ts'
import { toCustomer } from '../customers/customers.sql.ts'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import type { ReservationTable } from '../db/query/tables.ts'
import type { Reservation } from '../reservations/reservation.ts'
import { toReservation } from '../reservations/reservations.sql.ts'
import { providerResource } from '../scheduling/plan/resource.ts'
import type { Interval } from '../scheduling/time/interval.ts'

/** A row with the key that identifies it in the JSON site file; null for a row without a key. */
export interface Keyed<Row> {
  readonly row: Row
  readonly key: string | null
}

/**
 * Returns every customer to which a JSON site file may refer: by id, by key, by e-mail address (as `emailKey` returns
 * it) or, for entries without an address, by name among the customers without an address.
 */
export async function listCustomersNamed(
  db: Database,
  names: {
    readonly ids: readonly string[]
    readonly keys: readonly string[]
    readonly emailKeys: readonly string[]
    readonly unaddressed: readonly string[]
  },
): Promise<Keyed<Customer>[]> {
  const { listed } = db.dialect
  const rows = await db.build
    .selectFrom('customer')
    .selectAll()
    .where((e) =>
      e.or([
        listed(sql.ref('id'), names.ids, 'text'),
        listed(sql.ref('key'), names.keys, 'text'),
        listed(sql.ref('email_key'), names.emailKeys, 'text'),
        ...(names.unaddressed.length > 0
          ? [e.and([e('email_key', '=', ''), listed(sql.ref('name'), names.unaddressed, 'text')])]
          : []),
      ]),
    )
    .orderBy('ordinal')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ row: toCustomer(row), key: row.key }))
}

/** Returns every reservation to which a JSON site file may refer: by id, by key, or by start. */
export async function listReservationsNamed(
  db: Database,
  names: { readonly ids: readonly string[]; readonly keys: readonly string[]; readonly starts: readonly number[] },
): Promise<Keyed<Reservation>[]> {
  const { listed } = db.dialect
  const rows = await db.build
    .selectFrom('reservation')
    .selectAll()
    .where((e) =>
      e.or([
        listed(sql.ref('id'), names.ids, 'text'),
        listed(sql.ref('key'), names.keys, 'text'),
        listed(sql.ref('start_at'), names.starts, 'bigint'),
      ]),
    )
    .orderBy('start_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ row: toReservation(row), key: row.key }))
}

/** Stores the key that identifies an existing reservation in the JSON site file. */
export async function updateReservationKey(db: Database, id: string, key: string): Promise<void> {
  await db.build.updateTable('reservation').set({ key }).where('id', '=', id).execute()
}

const overlapping = prepared<
  { resource: string; slot: string; start: number; end: number },
  { reservation_id: string | null }
>((db, p) =>
  db
    .selectFrom('occupancy')
    .select('reservation_id')
    .where('resource', '=', p.resource)
    .where('slot', '!=', p.slot)
    .where('start_at', '<', p.end)
    .where('end_at', '>', p.start)
    .orderBy('start_at', 'desc')
    .limit(1),
)

/**
 * Returns a slot other than `slot` that occupies the provider's time in the interval, the one that starts last;
 * undefined when there is none. The returned `reservationId` is null when a hold (seats reserved for an open booking
 * form) occupies the time.
 */
export async function findOverlap(
  db: Database,
  of: { readonly providerId: number; readonly slot: string; readonly time: Interval },
): Promise<{ readonly reservationId: string | null } | undefined> {
  const { start, end } = of.time
  const [row] = await db.run(overlapping, { resource: providerResource(of.providerId), slot: of.slot, start, end })
  return row && { reservationId: row.reservation_id }
}

/** A row of the table `reservation` with the key that identifies its customer in the JSON site file. */
export type ReservationWithCustomerKey = ReservationTable & { readonly customer_key: string | null }

/** Builds the query of every reservation whose customer exists, sorted by start and then id, for streaming. */
export function reservationsWithCustomersQuery(db: Database): CompiledQuery<ReservationWithCustomerKey> {
  return db.build
    .selectFrom('reservation')
    .innerJoin('customer', 'customer.id', 'reservation.customer_id')
    .selectAll('reservation')
    .select('customer.key as customer_key')
    .orderBy('reservation.start_at')
    .orderBy('reservation.id')
    .compile()
}

/** Returns the number of all reservations. */
export async function countReservations(db: Database): Promise<number> {
  const counted = await db.build
    .selectFrom('reservation')
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(counted.total)
}
