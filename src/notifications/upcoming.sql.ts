import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { ReservationState } from './notification.ts'

/**
 * Returns at most `limit` confirmed reservations that have not ended and whose ids follow `after`, in the order of ids.
 */
export async function listUpcoming(
  db: Database,
  { after, now, limit }: { readonly after: string; readonly now: number; readonly limit: number },
): Promise<readonly Pick<ReservationState, 'id' | 'start' | 'end' | 'status'>[]> {
  const { narrowing } = db.dialect
  const rows = await db.build
    .selectFrom('reservation')
    .select(['id', 'start_at', 'end_at'])
    .where('id', '>', after)
    // The rows are read in the order of the primary key, so that a batch begins where the previous one ended.
    .where(narrowing(sql.ref('status')), '=', 'confirmed')
    .where(narrowing(sql.ref('end_at')), '>', now)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id, start_at: start, end_at: end }) => ({ id, start, end, status: 'confirmed' }))
}
