import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { FunnelStep, StepCount } from './funnel.ts'

/** Adds counts of steps to the stored counters, one per day, service, step and source. */
export async function addCounts(db: Database, counts: readonly StepCount[]): Promise<void> {
  if (counts.length === 0) return
  const rows = counts.map(({ serviceId, ...row }) => ({ ...row, service_id: serviceId }))
  await db.build
    .insertInto('booking_step_count')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['day', 'service_id', 'step', 'source']).doUpdateSet((row) => ({
        count: sql<number>`${row.ref('booking_step_count.count')} + ${row.ref('excluded.count')}`,
      })),
    )
    .execute()
}

/** Returns how often each step was taken, by service and source, from the date `since` on (included). */
export async function sumCounts(db: Database, since: string): Promise<Omit<StepCount, 'day'>[]> {
  const rows = await db.build
    .selectFrom('booking_step_count')
    .select(['service_id', 'step', 'source', (e) => e.fn.sum<number>('count').as('count')])
    .where('day', '>=', since)
    .groupBy(['service_id', 'step', 'source'])
    .execute()
  return rows.map(({ service_id, step, source, count }) => ({
    serviceId: service_id,
    step: step as FunnelStep,
    source,
    count: Number(count),
  }))
}

/**
 * Returns the average score and the number of ratings of each service, for ratings made at or after `since` (Unix
 * seconds).
 */
export async function averageRatings(
  db: Database,
  since: number,
): Promise<{ readonly serviceId: string; readonly average: number; readonly count: number }[]> {
  const rows = await db.build
    .selectFrom('rating')
    .innerJoin('reservation', 'reservation.id', 'rating.reservation_id')
    .select([
      'reservation.service_id',
      (e) => e.fn.avg<number>('rating.score').as('average'),
      (e) => e.fn.countAll<number>().as('count'),
    ])
    .where('rating.created_at', '>=', since)
    // Otherwise SQLite would read all reservations in the order of their services.
    .groupBy(db.dialect.narrowing(sql.ref('reservation.service_id')))
    .execute()
  return rows.map((row) => ({ serviceId: row.service_id, average: Number(row.average), count: Number(row.count) }))
}

/** A customer's rating of a visit with its comment, as shown to staff. */
export interface ShownRating {
  readonly reservationId: string
  readonly score: number
  readonly comment: string
  readonly createdAt: number
}

/** Returns the latest ratings, the newest first, at most `limit`. */
export async function latestRatings(db: Database, limit: number): Promise<ShownRating[]> {
  const rows = await db.build
    .selectFrom('rating')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('reservation_id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    reservationId: row.reservation_id,
    score: row.score,
    comment: row.comment,
    createdAt: row.created_at,
  }))
}
