import { sql } from 'kysely'
import type { Database } from './database.ts'
import { findOldestUnsettled } from './log/event-log.ts'

/** What the database alone knows of itself. */
export interface DatabaseFigures {
  /** Kind and version, such as `postgres 15.4`. */
  readonly version: string
  readonly bytes: number
  /** Seconds since the oldest change that the feed cannot show yet; 0 when it shows all. */
  readonly feedLag: number
}

/** Asks the database for its figures. */
export async function databaseFigures(db: Database, now: number): Promise<DatabaseFigures> {
  const { version, size } = db.dialect
  const asked = sql<{ version: string; bytes: number }>`select ${version()} as version, ${size()} as bytes`
  const { rows } = await asked.execute(db.build)
  const oldest = await findOldestUnsettled(db)
  return {
    // PostgreSQL's text may go on with whose build it is.
    version: `${db.dialect.name} ${String(rows[0]?.version).split(' ', 1)}`,
    bytes: Number(rows[0]?.bytes),
    feedLag: oldest === undefined ? 0 : Math.max(0, now - oldest),
  }
}
