import { sql } from 'kysely'
import type { Database } from '../database.ts'

/** What the database's clock says, in Unix seconds with their fraction. */
export async function readClock(db: Database): Promise<number> {
  const { rows } = await sql<{ at: number }>`select ${db.dialect.clock()} as at`.execute(db.build)
  return Number(rows[0]?.at)
}
