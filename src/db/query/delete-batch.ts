import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { Tables } from './tables.ts'

/**
 * Deletes at most `limit` rows of a table that meet a condition; returns the number deleted. `key` has the columns of
 * the primary key, `id` when absent. The deletion itself repeats the condition: on PostgreSQL it waits for a row that
 * another transaction has locked, and then checks only its own conditions again, not those of the subquery that
 * selected the row. A row that no longer meets the condition, such as one whose expiry was extended, remains.
 */
export async function deleteBatch(
  db: Database,
  table: keyof Tables,
  {
    key = ['id'],
    where,
    limit,
  }: { readonly key?: readonly string[]; readonly where: RawBuilder<unknown>; readonly limit: number },
): Promise<number> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  const some = sql`select ${columns} from ${sql.table(table)} where ${where} limit ${limit}`
  const deletion = sql`delete from ${sql.table(table)} where ${where} and (${columns}) in (${some})`
  return Number((await deletion.execute(db.build)).numAffectedRows ?? 0)
}
