import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { toReservation } from '../../reservations/reservations.sql.ts'
import type { Rating } from './policy.ts'

/**
 * Returns the reservations that were booked with one form, also cancelled ones; that of the first person comes first.
 */
export async function listGroup(db: Database, groupId: string): Promise<Reservation[]> {
  const rows = await db.build
    .selectFrom('reservation')
    .selectAll()
    .where('group_id', '=', groupId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toReservation)
}

/**
 * Returns the names of the customers of the given reservations, in the same order; empty for a customer who was
 * removed.
 */
export async function listNames(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await db.build
    .selectFrom('reservation')
    .innerJoin('customer', 'customer.id', 'reservation.customer_id')
    .select(['reservation.id', 'customer.name'])
    .where(db.dialect.listed(sql.ref('reservation.id'), ids, 'text'))
    .execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return ids.map((id) => names.get(id) ?? '')
}

/**
 * Returns the number of bookings for a person with the given e-mail address that wait for the confirmation of an e-mail
 * address and have not expired; the reservations that were booked with one form count as one.
 */
export async function countUnverified(db: Database, emailKey: string, now: number): Promise<number> {
  const row = await db.build
    .selectFrom('reservation')
    .innerJoin('customer', 'customer.id', 'reservation.customer_id')
    .select((e) => e.fn.count<number>(sql`coalesce(group_id, reservation.id)`).distinct().as('count'))
    .where('customer.email_key', '=', emailKey)
    .where(db.dialect.narrowing(sql.ref('reservation.status')), '=', 'pending')
    .where('reservation.awaits', '=', 'email')
    .where('reservation.expires_at', '>', now)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Returns the rating of a reservation; undefined when there is none. */
export async function findRating(db: Database, reservationId: string): Promise<Rating | undefined> {
  return db.build
    .selectFrom('rating')
    .select(['score', 'comment'])
    .where('reservation_id', '=', reservationId)
    .executeTakeFirst()
}

/** Stores the rating of a reservation, replacing an earlier one. */
export async function storeRating(
  db: Database,
  { reservationId, score, comment, now }: Rating & { readonly reservationId: string; readonly now: number },
): Promise<void> {
  await db.build
    .insertInto('rating')
    .values({ reservation_id: reservationId, score, comment, created_at: now })
    .onConflict((conflict) => conflict.column('reservation_id').doUpdateSet({ score, comment, created_at: now }))
    .execute()
}
