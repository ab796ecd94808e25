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

/** Deletes sessions, links and marks of what was used once, whose time is over; at most `most` of each; says how many. */
export async function deleteExpiredEntries(db: Database, now: number, most: number): Promise<number> {
  const { build } = db
  const sessions = await build
    .deleteFrom('session')
    .where('hash', 'in', (from) => from.selectFrom('session').select('hash').where('expires_at', '<=', now).limit(most))
    .executeTakeFirst()
  const links = await build
    .deleteFrom('person_link')
    .where('hash', 'in', (from) =>
      from.selectFrom('person_link').select('hash').where('expires_at', '<=', now).limit(most),
    )
    .executeTakeFirst()
  const spent = await build
    .deleteFrom('spent')
    .where('hash', 'in', (from) => from.selectFrom('spent').select('hash').where('expires_at', '<=', now).limit(most))
    .executeTakeFirst()
  return Number(sessions.numDeletedRows + links.numDeletedRows + spent.numDeletedRows)
}
