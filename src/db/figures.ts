import { sql } from 'kysely'
import type { Database } from './database.ts'
import { findOldestUnsettled } from './log/event-log.ts'

/** Metrics that are queried from the database. */
export interface DatabaseFigures {
  /** The kind and version of the database, such as `postgres 15.4`. */
  readonly version: string
  readonly bytes: number
  /** Seconds since the oldest event that the event feed cannot return yet; 0 when it returns all events. */
  readonly feedLag: number
  /** The time of the last successful backup in Unix seconds; undefined when none is known. */
  readonly lastBackupAt: number | undefined
}

/** Queries the database's metrics. */
export async function databaseFigures(db: Database, now: number): Promise<DatabaseFigures> {
  const { version, size } = db.dialect
  const query = sql<{ version: string; bytes: number }>`select ${version()} as version, ${size()} as bytes`
  const { rows } = await query.execute(db.build)
  const oldest = await findOldestUnsettled(db)
  const backup = await db.build.selectFrom('backup_state').select('last_at').executeTakeFirst()
  return {
    lastBackupAt: backup?.last_at ?? undefined,
    // PostgreSQL may append the name of its build to the version; it is cut off.
    version: `${db.dialect.name} ${String(rows[0]?.version).split(' ', 1)}`,
    bytes: Number(rows[0]?.bytes),
    feedLag: oldest === undefined ? 0 : Math.max(0, now - oldest),
  }
}
