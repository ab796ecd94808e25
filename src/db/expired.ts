import { sql } from 'kysely'
import type { Database } from './database.ts'
import { deleteBatch } from './query/delete-batch.ts'

/**
 * Deletes at most `limit` rows of `occupancy` (the seats taken by reservations and reserved for open booking forms)
 * whose time ended before the instant `before` (Unix seconds). Returns the number of deleted rows.
 */
export function deleteEndedOccupancy(db: Database, before: number, limit: number): Promise<number> {
  return deleteBatch(db, 'occupancy', { where: sql`end_at < ${before}`, limit })
}

/** Deletes at most `limit` expired outcomes that were stored under idempotency keys; returns the number deleted. */
export function deleteExpiredAnswers(db: Database, now: number, limit: number): Promise<number> {
  return deleteBatch(db, 'idempotency', { key: ['scope', 'key'], where: sql`expires_at <= ${now}`, limit })
}

/** A table whose rows are identified by the hash of a secret or one-time value, and have a time of expiry. */
export type ExpiringTable = 'session' | 'person_link' | 'spent' | 'bookings_access'

/** Deletes at most `limit` rows of a table that have expired at `now` (Unix seconds); returns the number deleted. */
export function deleteExpired(db: Database, table: ExpiringTable, now: number, limit: number): Promise<number> {
  return deleteBatch(db, table, { key: ['hash'], where: sql`expires_at <= ${now}`, limit })
}

/**
 * Deletes at most `limit` entries of the log of notifications that are older than the instant `before` (Unix seconds);
 * returns the number deleted.
 */
export function deleteOldMessages(db: Database, before: number, limit: number): Promise<number> {
  return deleteBatch(db, 'notification', { where: sql`created_at < ${before}`, limit })
}
