import type { Database } from './database.ts'

/** Deletes occupancy, holds too, that ended before the instant, at most `most` rows; says how many. */
export async function deleteEndedOccupancy(db: Database, before: number, most: number): Promise<number> {
  const result = await db.build
    .deleteFrom('occupancy')
    .where('id', 'in', (from) => from.selectFrom('occupancy').select('id').where('end_at', '<', before).limit(most))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes answers kept for repeated calls whose time is over, at most `most`; says how many. */
export async function deleteExpiredAnswers(db: Database, now: number, most: number): Promise<number> {
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
          .limit(most)
          .$asTuple('scope', 'key'),
      ),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
