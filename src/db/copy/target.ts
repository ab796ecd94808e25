import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { copyMarker, migrationNames } from '../migrate.ts'
import { hasTable, listColumns, loadTables, ownTables, type TableShape } from './tables.ts'

/** One connection to the database that receives a copy. */
export interface CopyTarget {
  readonly db: Database
  /** Runs SQL statements without parameters on the target. */
  script(text: string): Promise<void>
  /** Creates the tables of this version, or migrates them to it. */
  migrate(): Promise<void>
}

/** Whether a database is an unfinished copy. */
export function isUnfinished(db: Database): Promise<boolean> {
  return hasTable(db, 'copy_progress')
}

/** Whether exactly the migrations of this version are applied to a database, not counting the marker of a copy. */
export async function isCurrent(db: Database): Promise<boolean> {
  return (await migrationNames()).join() === (await listMigrations(db)).join()
}

/** Returns the names of the applied migrations, sorted, without the marker of an unfinished copy. */
async function listMigrations(db: Database): Promise<readonly string[]> {
  const rows = await db.build.selectFrom('migration').select('name').execute()
  return rows
    .map(({ name }) => name)
    .filter((name) => name !== copyMarker)
    .sort()
}

/**
 * Whether a database has no tables, or is one that Daybook has created, perhaps in part, and in which no site exists
 * yet. `tables` are the tables of this version. A database with other tables, or of a newer version, is not empty.
 */
export async function isEmpty(db: Database, tables: readonly TableShape[]): Promise<boolean> {
  const columns = Map.groupBy(await listColumns(db), ({ table }) => table)
  if (columns.size === 0) return true
  const known = new Set([...tables.map(({ name }) => name), ...ownTables])
  if ([...columns.keys()].some((name) => !known.has(name))) return false
  // Another application may have a table of this name.
  const own = columns.get('migration')?.map(({ column }) => column)
  if (own?.sort().join() !== 'applied_at,name') return false
  const names = new Set(await migrationNames())
  if ((await listMigrations(db)).some((name) => !names.has(name))) return false
  return !columns.has('site') || !(await db.build.selectFrom('site').select('id').executeTakeFirst())
}

/** Deletes all rows and the marker of an unfinished copy. */
export async function clearCopy(target: CopyTarget): Promise<void> {
  const tables = await loadTables(target.db)
  await inTransaction(target, async () => {
    await emptyTables(target.db, tables)
    await removeMarker(target)
  })
}

/** Deletes all rows of `tables`, which are in the order of `loadTables`. */
export async function emptyTables(db: Database, tables: readonly TableShape[]): Promise<void> {
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db.build)
}

/** Creates the marker of an unfinished copy: the table with its progress, and a migration that no version knows. */
export async function createMarker(target: CopyTarget, now: number): Promise<void> {
  await target.script(
    'create table copy_progress (table_name text primary key, last_key text not null, row_count bigint not null)',
  )
  await target.db.build
    .insertInto('migration')
    .values({ name: copyMarker, applied_at: Math.floor(now) })
    .execute()
}

/** Removes the marker of an unfinished copy, so that Daybook can open the database. */
export async function removeMarker(target: CopyTarget): Promise<void> {
  await target.script('drop table copy_progress')
  await target.db.build.deleteFrom('migration').where('name', '=', copyMarker).execute()
}

/** Runs `work` in a transaction of the target, which is rolled back when `work` fails. */
export async function inTransaction(target: CopyTarget, work: () => Promise<void>): Promise<void> {
  await target.script('begin')
  let committed = false
  try {
    await work()
    await target.script('commit')
    committed = true
  } finally {
    if (!committed) await target.script('rollback')
  }
}
