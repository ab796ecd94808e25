import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** Returns the database's clock in Unix seconds, with fraction. */
export async function readClock(db: Database): Promise<number> {
  const { rows } = await sql<{ at: number }>`select ${db.dialect.clock()} as at`.execute(db.build)
  return Number(rows[0]?.at)
}
