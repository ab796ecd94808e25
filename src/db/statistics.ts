import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Has PostgreSQL's planner look at tables that a bulk load has filled; until then it takes them for small. */
export async function refreshStatistics(db: Database): Promise<void> {
  if (db.dialect.name === 'postgres') await sql`analyze`.execute(db.build)
}
