import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { HoldTable } from '../../db/query/booking-tables.ts'
import { deleteBatch } from '../../db/query/delete-batch.ts'
import { prepared } from '../../db/query/prepared.ts'
import type { Hold } from './hold.ts'

const byForm = prepared<{ form: string }, HoldTable>((db, p) =>
  db.selectFrom('hold').selectAll().where('form_hash', '=', p.form),
)

/** Returns the hold of a booking form, expired or not; undefined when the form has none. */
export async function findHold(db: Database, formHash: string): Promise<Hold | undefined> {
  const [row] = await db.run(byForm, { form: formHash })
  return row && toHold(row)
}

const ofAddress = prepared<{ address: string; now: number }, { count: number }>((db, p) =>
  db
    .selectFrom('hold')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('address_hash', '=', p.address)
    .where('expires_at', '>', p.now),
)

/** Returns the number of unexpired holds (slots reserved for open booking forms) of a client address. */
export async function countHolds(db: Database, addressHash: string, now: number): Promise<number> {
  const [row] = await db.run(ofAddress, { address: addressHash, now })
  return Number(row?.count ?? 0)
}

/** Returns at most `limit` unexpired holds, the one that expires last first. */
export async function listLiveHolds(db: Database, now: number, limit: number): Promise<Hold[]> {
  const rows = await db.build
    .selectFrom('hold')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('expires_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toHold)
}

/**
 * Inserts a hold, the reservation of a slot for an open booking form. Its seats are taken separately, in the same
 * transaction.
 */
export async function insertHold(db: Database, hold: Hold): Promise<void> {
  await db.build.insertInto('hold').values(toRow(hold)).execute()
}

/**
 * Stores the new expiry of a slot that is reserved for an open booking form, and that the expiry was extended; returns
 * false when the hold has expired by `now`. Its seats are renewed separately, in the same transaction.
 */
export async function extendHold(
  db: Database,
  { id, expiresAt }: Pick<Hold, 'id' | 'expiresAt'>,
  now: number,
): Promise<boolean> {
  const extended = await db.build
    .updateTable('hold')
    .set({ extended: 1, expires_at: expiresAt })
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning('id')
    .execute()
  return extended.length > 0
}

/** Deletes the row of a hold, the reservation of a slot for an open booking form. Its seats are released separately. */
export async function deleteHold(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('hold').where('id', '=', id).execute()
}

/**
 * Deletes at most `limit` expired rows of `hold` (slots reserved for booking forms), and the seats of the owners of at
 * most `limit` expired seats each of reservations and of forms. Returns whether more may remain.
 */
export async function deleteExpired(db: Database, now: number, limit: number): Promise<{ readonly more: boolean }> {
  const counts = [await deleteBatch(db, 'hold', { where: sql`expires_at <= ${now}`, limit })]
  // A collective reservation (with several providers together) has a seat at each provider. If a batch deleted some of
  // them, a confirmation that was sent before the expiry would find the reservation seated.
  for (const owner of ['reservation_id', 'hold_id'] as const) {
    const seats = await db.build
      .deleteFrom('occupancy')
      .where(owner, 'in', (from) =>
        from
          .selectFrom('occupancy')
          .select(owner)
          .where('expires_at', '<=', now)
          .where(owner, 'is not', null)
          .limit(limit),
      )
      .executeTakeFirst()
    counts.push(Number(seats.numDeletedRows))
  }
  return { more: counts.some((count) => count >= limit) }
}

/**
 * The maximum number of reservations that `listExpiredReservations` returns. Other writes, such as bookings, wait while
 * a batch is written, so a batch is small.
 */
export const maxExpired = 50

const expiredReservations = prepared<{ now: number }, { id: string }>((db, p, dialect) =>
  db
    .selectFrom('reservation')
    .select('id')
    .where('expires_at', '<=', p.now)
    .where(dialect.narrowing(sql.ref('status')), '=', 'pending')
    // While a customer can pay on the processor's page, the seat of the reservation expires `seatGrace` seconds after
    // the reservation, so that the page can be closed first. Until the seat expires, the reservation is not listed.
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('occupancy')
            .select('occupancy.id')
            .whereRef('occupancy.reservation_id', '=', 'reservation.id')
            .where('occupancy.expires_at', '>', p.now),
        ),
      ),
    )
    .orderBy('expires_at')
    .limit(maxExpired),
)

/**
 * Returns the ids of at most `maxExpired` expired pending reservations that have no unexpired seat in their slot, by
 * expiry.
 */
export async function listExpiredReservations(db: Database, now: number): Promise<string[]> {
  return (await db.run(expiredReservations, { now })).map(({ id }) => id)
}

function toHold(row: HoldTable): Hold {
  return {
    id: row.id,
    formHash: row.form_hash,
    addressHash: row.address_hash,
    serviceId: row.service_id,
    providerId: row.provider_id,
    start: row.start_at,
    end: row.end_at,
    seats: row.seats,
    extended: row.extended === 1,
    placedAt: row.placed_at,
    expiresAt: row.expires_at,
  }
}

function toRow(of: Hold): HoldTable {
  return {
    id: of.id,
    form_hash: of.formHash,
    address_hash: of.addressHash,
    service_id: of.serviceId,
    provider_id: of.providerId,
    start_at: of.start,
    end_at: of.end,
    seats: of.seats,
    extended: of.extended ? 1 : 0,
    placed_at: of.placedAt,
    expires_at: of.expiresAt,
  }
}
