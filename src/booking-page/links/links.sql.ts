import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { BookingLinkTable } from '../../db/query/booking-tables.ts'
import type { BookingLink } from './booking-link.ts'

/** Returns the private link whose secret has the given hash; undefined when there is none. */
export async function findLinkByHash(db: Database, hash: string): Promise<BookingLink | undefined> {
  const row = await links(db).where('booking_link.hash', '=', hash).executeTakeFirst()
  return row && toLink(row)
}

/** Returns the private link with the given id; undefined when there is none. */
export async function findLink(db: Database, id: string): Promise<BookingLink | undefined> {
  const row = await links(db).where('booking_link.id', '=', id).executeTakeFirst()
  return row && toLink(row)
}

/** Returns the private links of a service, the newest first, at most `limit`. */
export async function listLinks(db: Database, serviceId: string, limit: number): Promise<BookingLink[]> {
  const rows = await links(db)
    .where('booking_link.service_id', '=', serviceId)
    .orderBy('booking_link.created_at', 'desc')
    .orderBy('booking_link.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toLink)
}

/** Inserts a private link with the hash of its secret. */
export async function insertLink(db: Database, link: BookingLink, hash: string): Promise<void> {
  const { id, serviceId, singleUse, expiresAt, createdAt } = link
  await db.build
    .insertInto('booking_link')
    .values({
      ...{ id, hash, service_id: serviceId, single_use: singleUse ? 1 : 0 },
      ...{ expires_at: expiresAt, created_at: createdAt, used_at: null, reservation_id: null, revoked_at: null },
    })
    .execute()
}

/** Stores that a single-use link was used for a reservation. */
export async function markLinkUsed(db: Database, id: string, reservationId: string, now: number): Promise<void> {
  await db.build
    .updateTable('booking_link')
    .set({ used_at: now, reservation_id: reservationId })
    .where('id', '=', id)
    .execute()
}

/** Stores that a private link was revoked. */
export async function markLinkRevoked(db: Database, id: string, now: number): Promise<void> {
  await db.build.updateTable('booking_link').set({ revoked_at: now }).where('id', '=', id).execute()
}

/**
 * Deletes at most `limit` private links that expired, were revoked or were used before `before` (Unix seconds); returns
 * the number deleted.
 */
export async function deleteEndedLinks(db: Database, before: number, limit: number): Promise<number> {
  const result = await db.build
    .deleteFrom('booking_link')
    .where(
      'id',
      'in',
      withReservations(db)
        .select('booking_link.id')
        .where((e) =>
          e.or([
            e('booking_link.expires_at', '<', before),
            e('booking_link.revoked_at', '<', before),
            e.and([e('booking_link.used_at', '<', before), e(released, '=', 0)]),
          ]),
        )
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

// A booking that was cancelled before the customer confirmed the e-mail address does not count as a use of the link.
const released = sql<number>`case when reservation.status = 'cancelled' and reservation.awaits = 'email' then 1 else 0 end`

function links(db: Database) {
  return withReservations(db).selectAll('booking_link').select(released.as('released'))
}

function withReservations(db: Database) {
  return db.build.selectFrom('booking_link').leftJoin('reservation', 'reservation.id', 'booking_link.reservation_id')
}

function toLink(row: BookingLinkTable & { readonly released: number }): BookingLink {
  const released = Number(row.released) === 1
  return {
    id: row.id,
    serviceId: row.service_id,
    singleUse: row.single_use === 1,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    usedAt: released ? null : row.used_at,
    reservationId: released ? null : row.reservation_id,
    revokedAt: row.revoked_at,
  }
}
