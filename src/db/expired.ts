import type { Database } from './database.ts'

/**
 * Deletes at most `limit` rows of `occupancy`, of reservations or holds, whose time ended before an instant. Returns the
 * number of deleted rows.
 */
export async function deleteEndedOccupancy(db: Database, before: number, limit: number): Promise<number> {
  const result = await db.build
    .deleteFrom('occupancy')
    .where('id', 'in', (from) => from.selectFrom('occupancy').select('id').where('end_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes at most `limit` expired idempotency outcomes; returns the number deleted. */
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
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Deletes expired sessions, links and used one-time values, at most `limit` rows of each; returns the number of deleted rows. */
export async function deleteExpiredEntries(db: Database, now: number, limit: number): Promise<number> {
  const { build } = db
  const sessions = await build
    .deleteFrom('session')
    .where('hash', 'in', (from) =>
      from.selectFrom('session').select('hash').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirst()
  const links = await build
    .deleteFrom('person_link')
    .where('hash', 'in', (from) =>
      from.selectFrom('person_link').select('hash').where('expires_at', '<=', now).limit(limit),
    )
    .executeTakeFirst()
  const spent = await build
    .deleteFrom('spent')
    .where('hash', 'in', (from) => from.selectFrom('spent').select('hash').where('expires_at', '<=', now).limit(limit))
    .executeTakeFirst()
  return Number(sessions.numDeletedRows + links.numDeletedRows + spent.numDeletedRows)
}

/**
 * Deletes at most `limit` entries of the log of messages that are older than an instant; returns the number deleted.
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
