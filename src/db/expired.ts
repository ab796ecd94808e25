import type { Database } from './database.ts'

/**
 * Deletes at most `limit` rows of `occupancy` (the seats taken by reservations and reserved for open booking forms)
 * whose time ended before the instant `before` (Unix seconds). Returns the number of deleted rows.
 */
export async function deleteEndedOccupancy(db: Database, before: number, limit: number): Promise<number> {
  const result = await db.build
    .deleteFrom('occupancy')
    .where('id', 'in', (from) => from.selectFrom('occupancy').select('id').where('end_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Deletes at most `limit` expired outcomes that were stored under idempotency keys; returns the number deleted. The
 * expiry is also a condition of the deletion itself, because on PostgreSQL a transaction that stores a new outcome
 * under an expired key may commit after the rows were selected; the deletion waits for it and checks only its own
 * conditions again.
 */
export async function deleteExpiredAnswers(db: Database, now: number, limit: number): Promise<number> {
  const result = await db.build
    .deleteFrom('idempotency')
    .where((row) =>
      row(
        row.refTuple('scope', 'key'),
        'in',
        row
          .selectFrom('idempotency')
          .select(['scope', 'key'])
          .where('expires_at', '<=', now)
          .limit(limit)
          .$asTuple('scope', 'key'),
      ),
    )
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** A table whose rows are identified by the hash of a secret or one-time value, and have a time of expiry. */
export type ExpiringTable = 'session' | 'person_link' | 'spent' | 'bookings_access'

/**
 * Deletes at most `limit` rows of a table that have expired at `now` (Unix seconds); returns the number deleted. A row
 * whose expiry another transaction extends meanwhile remains, as in `deleteExpiredAnswers`.
 */
export async function deleteExpired(db: Database, table: ExpiringTable, now: number, limit: number): Promise<number> {
  const result = await db.build
    .deleteFrom(table)
    .where('hash', 'in', (from) => from.selectFrom(table).select('hash').where('expires_at', '<=', now).limit(limit))
    .where('expires_at', '<=', now)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Deletes at most `limit` entries of the log of notifications that are older than the instant `before` (Unix seconds);
 * returns the number deleted.
 */
export async function deleteOldMessages(db: Database, before: number, limit: number): Promise<number> {
  const result = await db.build
    .deleteFrom('notification')
    .where('id', 'in', (from) =>
      from.selectFrom('notification').select('id').where('created_at', '<', before).limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
