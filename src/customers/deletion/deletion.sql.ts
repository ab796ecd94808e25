import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** A customer who asked for the deletion of their data. */
export interface DeletionRequest {
  readonly customerId: string
  readonly name: string
  readonly email: string
  readonly requestedAt: number
}

/**
 * Stores that a customer asks for the deletion of their data; returns false when the customer already has an open
 * request.
 */
export async function insertDeletionRequest(db: Database, customerId: string, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db.build
    .insertInto('deletion_request')
    .values({ customer_id: customerId, requested_at: now })
    .onConflict((conflict) => conflict.column('customer_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Deletes a customer's request for deletion; returns false when there is none. */
export async function deleteDeletionRequest(db: Database, customerId: string): Promise<boolean> {
  const { numDeletedRows } = await db.build
    .deleteFrom('deletion_request')
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the open requests for deletion with their customers, the oldest first, at most `limit`. */
export async function listDeletionRequests(db: Database, limit: number): Promise<DeletionRequest[]> {
  const rows = await db.build
    .selectFrom('deletion_request')
    .innerJoin('customer', 'customer.id', 'deletion_request.customer_id')
    .select(['customer.id', 'customer.name', 'customer.email', 'deletion_request.requested_at'])
    .orderBy('deletion_request.requested_at')
    .orderBy('customer.id')
    .limit(limit)
    .execute()
  return rows.map(({ id, name, email, requested_at }) => ({ customerId: id, name, email, requestedAt: requested_at }))
}

/**
 * Returns when the given customers asked for the deletion of their data (Unix seconds), by customer id; customers
 * without a request are absent.
 */
export async function findDeletionRequests(
  db: Database,
  customerIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.build
    .selectFrom('deletion_request')
    .selectAll()
    .where(db.dialect.listed(sql.ref('customer_id'), customerIds, 'text'))
    .execute()
  return new Map(rows.map((row) => [row.customer_id, row.requested_at]))
}
