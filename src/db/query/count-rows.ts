import { type Expression, sql } from 'kysely'
import type { Database } from '../database.ts'

/**
 * The number of rows up to which the panel's lists are counted. Counting further would read a whole table, such as the
 * event log, for each page.
 */
export const maxCounted = 10_000

/** Counts the rows of a query, which must have a limit unless its rows are few. */
export async function countRows(db: Database, rows: Expression<unknown>): Promise<number> {
  const counted = await sql<{ total: number }>`select count(*) as total from ${rows} as counted`.execute(db.build)
  return Number(counted.rows[0]?.total ?? 0)
}
