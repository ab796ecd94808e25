import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/**
 * Counts the no-shows of these customers together: confirmed reservations that start at or after `from` (Unix seconds)
 * and are marked as no-shows.
 */
export async function countNoShows(db: Database, customerIds: readonly string[], from: number): Promise<number> {
  if (customerIds.length === 0) return 0
  const [row] = await db.build
    .selectFrom('reservation')
    .select((e) => e.fn.countAll<number>().as('total'))
    .where(db.dialect.listed(sql.ref('customer_id'), customerIds, 'text'))
    .where(db.dialect.narrowing(sql.ref('status')), '=', 'confirmed')
    .where('attendance', '=', 'no_show')
    .where('start_at', '>=', from)
    .execute()
  return Number(row?.total ?? 0)
}

/** Returns the ids of the customers of the reservations that were booked with one form. */
export async function listGroupCustomers(db: Database, groupId: string): Promise<string[]> {
  const rows = await db.build
    .selectFrom('reservation')
    .select('customer_id')
    .distinct()
    .where('group_id', '=', groupId)
    .execute()
  return rows.map((row) => row.customer_id)
}
