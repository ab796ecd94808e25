import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

/** Returns the ids of all services in display order. */
export async function listServiceOrder(db: Database): Promise<string[]> {
  const rows = await db.build
    .selectFrom('service')
    .select('id')
    .orderBy('position')
    .orderBy('ordinal')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Stores the positions of the services from 1 up, in the order of `ids`. */
export async function writeServiceOrder(db: Database, ids: readonly string[]): Promise<void> {
  const cases = ids.map((id, at) => sql`when ${id} then ${sql.lit(at + 1)}`)
  const position = sql<number>`case id ${sql.join(cases, sql` `)} else position end`
  await db.build.updateTable('service').set({ position }).execute()
}
