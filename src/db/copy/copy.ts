import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { copyMarker } from '../migrate.ts'
import { type CopiedRow, keyOf, type RowKey, readRows, sumOf, writeRows } from './rows.ts'
import { hasTable, loadTables, type TableShape } from './tables.ts'

/** One connection to the database that receives a copy. */
export interface CopyTarget {
  readonly db: Database
  /** Runs SQL statements without parameters on the target. */
  script(text: string): Promise<void>
}

/** The number of tables and rows that a copy contains. */
export interface CopyResult {
  readonly tables: number
  readonly rows: number
}

/** Called after each batch with the number of rows of a table that have been copied or compared so far. */
export type OnProgress = (step: 'copying' | 'comparing', table: string, rows: number) => void

/** The key of the last row of a table that has been copied, and the number of rows copied so far. */
interface Progress {
  readonly lastKey: RowKey
  readonly rows: number
}

/**
 * Copies all rows of the tables from `loadTables` to an empty target with the same schema, and then compares the source
 * with the target. Until the copy is finished, a marker in the target prevents every Daybook process from opening the
 * target as its database. An interrupted copy is resumed if the source has not changed, since each batch is committed
 * together with the key of its last row. Throws an error whose message is for the operator when the copy cannot be made
 * or completed.
 */
export async function copyDatabase(
  source: Database,
  target: CopyTarget,
  { now, onProgress }: { readonly now: number; readonly onProgress: OnProgress },
): Promise<CopyResult> {
  await requireSameMigrations(source, target.db)
  const tables = await loadTables(source)
  await begin(source, target, tables, now)
  for (const table of tables) await copyTable(source, target, table, onProgress)
  const rows = await compare(source, target.db, tables, onProgress)
  await finish(target, now)
  return { tables: tables.length, rows }
}

/** Whether a database is an unfinished copy. */
export function isUnfinished(db: Database): Promise<boolean> {
  return hasTable(db, 'copy_progress')
}

/** Deletes all rows and the marker of an unfinished copy. */
export async function clearCopy(target: CopyTarget): Promise<void> {
  const tables = await loadTables(target.db)
  await transaction(target, async () => {
    await emptyTables(target.db, tables)
    await removeMarker(target)
  })
}

async function emptyTables(db: Database, tables: readonly TableShape[]): Promise<void> {
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db.build)
}

async function requireSameMigrations(source: Database, target: Database): Promise<void> {
  const [here, there] = await Promise.all([source, target].map(listMigrations))
  if (JSON.stringify(here) === JSON.stringify(there)) return
  throw new Error('The databases are of different versions. Run "daybook migrate" on the source, then copy.')
}

async function listMigrations(db: Database): Promise<readonly string[]> {
  const rows = await db.build.selectFrom('migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name).filter((name) => name !== copyMarker)
}

async function begin(source: Database, target: CopyTarget, tables: readonly TableShape[], now: number): Promise<void> {
  const identity = await identityOf(source)
  if (await isUnfinished(target.db)) {
    const begun = await sql<{ last_key: string }>`select last_key from copy_progress where table_name = ''`.execute(
      target.db.build,
    )
    if (begun.rows[0]?.last_key === identity) return
    throw new Error('The target is an unfinished copy of something else. Add --again to begin anew.')
  }
  const site = await target.db.build.selectFrom('site').select('id').executeTakeFirst()
  if (site) throw new Error('The target is not empty. Copy into a new database.')
  await transaction(target, async () => {
    // The migrations that created the target have inserted rows which the copy will insert again.
    await emptyTables(target.db, tables)
    await target.script(
      'create table copy_progress (table_name text primary key, last_key text not null, row_count bigint not null)',
    )
    await recordProgress(target.db, '', identity, 0)
    await target.db.build
      .insertInto('migration')
      .values({ name: copyMarker, applied_at: Math.floor(now) })
      .execute()
  })
}

/**
 * Returns a hash of the site's secret and of the position of the last event, which identifies a source database in its
 * current state.
 */
async function identityOf(source: Database): Promise<string> {
  const site = await source.build.selectFrom('site').select('secret').executeTakeFirst()
  if (!site) throw new Error('The source holds no site.')
  const last = await source.build
    .selectFrom('event')
    .select(['tx', 'n'])
    .orderBy('tx', 'desc')
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return createHash('sha256')
    .update(JSON.stringify([site.secret, last ?? null]))
    .digest('hex')
}

async function copyTable(source: Database, target: CopyTarget, table: TableShape, onProgress: OnProgress) {
  const { lastKey, rows } = await progressOf(target.db, table)
  let count = rows
  for await (const part of readRows(source, table, lastKey)) {
    count += part.length
    await copyPart(target, table, part, count)
    onProgress('copying', table.name, count)
  }
}

function copyPart(target: CopyTarget, table: TableShape, part: readonly CopiedRow[], count: number): Promise<void> {
  return transaction(target, async () => {
    await writeRows(target.db, table, part)
    await recordProgress(target.db, table.name, JSON.stringify(keyOf(table, part)), count)
  })
}

async function progressOf(db: Database, { name }: TableShape): Promise<Progress> {
  const query = sql<{
    last_key: string
    row_count: number
  }>`select last_key, row_count from copy_progress where table_name = ${name}`
  const [row] = (await query.execute(db.build)).rows
  return row ? { lastKey: JSON.parse(row.last_key), rows: row.row_count } : { lastKey: undefined, rows: 0 }
}

async function recordProgress(db: Database, table: string, lastKey: string, rows: number): Promise<void> {
  await sql`
    insert into copy_progress (table_name, last_key, row_count) values (${table}, ${lastKey}, ${rows})
    on conflict (table_name) do update set last_key = excluded.last_key, row_count = excluded.row_count`.execute(
    db.build,
  )
}

async function compare(
  source: Database,
  target: Database,
  tables: readonly TableShape[],
  onProgress: OnProgress,
): Promise<number> {
  let total = 0
  for (const table of tables) {
    const [here, there] = await Promise.all([
      sumOf(source, table, (rows) => onProgress('comparing', table.name, rows)),
      sumOf(target, table, () => {}),
    ])
    if (here.rows !== there.rows || here.digest !== there.digest) {
      throw new Error(
        `The table ${table.name} differs: the source has changed since the copy began. Stop every server on it, and copy with --again.`,
      )
    }
    total += here.rows
  }
  return total
}

/**
 * Pauses outbound jobs in the copy until an administrator resumes them, and removes the marker of an unfinished copy,
 * so that Daybook can open the copy.
 */
function finish(target: CopyTarget, now: number): Promise<void> {
  return transaction(target, async () => {
    await target.db.build
      .updateTable('site')
      .set({ outbound_paused_at: Math.floor(now) })
      .execute()
    if (target.db.dialect.name === 'postgres') await target.script('delete from invalidation')
    await removeMarker(target)
  })
}

async function removeMarker(target: CopyTarget): Promise<void> {
  await target.script('drop table copy_progress')
  await target.db.build.deleteFrom('migration').where('name', '=', copyMarker).execute()
}

async function transaction(target: CopyTarget, work: () => Promise<void>): Promise<void> {
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
