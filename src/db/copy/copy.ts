import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Counts, findDisagreements, loadCounts } from '../consistency.ts'
import type { Database } from '../database.ts'
import { refreshStatistics } from '../statistics.ts'
import { type CopiedRow, keyOf, type RowKey, readRows, sumOf, writeRows } from './rows.ts'
import { loadTables, type TableShape } from './tables.ts'
import {
  type CopyTarget,
  clearCopy,
  createMarker,
  emptyTables,
  inTransaction,
  isCurrent,
  isEmpty,
  isUnfinished,
  removeMarker,
} from './target.ts'

/** The size of a copy, and the contradictions that `findDisagreements` finds in it. */
export interface CopyResult {
  readonly tables: number
  readonly rows: number
  readonly counts: Counts
  readonly faults: readonly string[]
}

/** Called after each batch with the number of rows of a table that have been copied or compared so far. */
export type OnProgress = (step: 'copying' | 'comparing', table: string, rows: number) => void

/** The key of the last row of a table that has been copied, and the number of rows copied so far. */
interface Progress {
  readonly lastKey: RowKey
  readonly rows: number
}

/** The options of `copyDatabase`. */
export interface CopyOptions {
  readonly now: number
  /** Whether to empty a target that is an unfinished copy, and to begin anew. */
  readonly again?: boolean
  /**
   * Called before rows are copied, once the target is known to be empty or an unfinished copy of this source. If it
   * fails, the copy is unfinished.
   */
  readonly onBegin?: () => Promise<void>
  readonly onProgress: OnProgress
}

/**
 * Copies all rows of the tables from `loadTables` to an empty target, whose tables are created first, and then compares
 * the source with the target. Nothing is written to a target that is not empty. Until the copy is finished, a marker in
 * the target prevents every Daybook process from opening the target as its database; its removal is the last step. An
 * interrupted copy is resumed if the source has not changed, since each batch is committed together with the key of its
 * last row. Throws an error whose message is for the operator when the copy cannot be made or completed.
 */
export async function copyDatabase(
  source: Database,
  target: CopyTarget,
  { now, again = false, onBegin, onProgress }: CopyOptions,
): Promise<CopyResult> {
  await requireCurrent(source)
  const tables = await loadTables(source)
  const identity = await identityOf(source)
  if (again && (await isUnfinished(target.db))) await clearCopy(target)
  if (await isUnfinished(target.db)) await requireSameCopy(target.db, identity)
  else await begin(target, { tables, identity, now })
  await onBegin?.()
  for (const table of tables) await copyTable(source, target, table, onProgress)
  const rows = await compare(source, target.db, tables, onProgress)
  // The planner of PostgreSQL needs statistics after a bulk load.
  await refreshStatistics(target.db)
  const counts = await loadCounts(target.db)
  const faults = await findDisagreements(target.db, now)
  await finish(target, now)
  return { tables: tables.length, rows, counts, faults }
}

/** Refuses a source that is not a complete database of this version. */
async function requireCurrent(source: Database): Promise<void> {
  if (await isUnfinished(source)) throw new Error('The source is itself an unfinished copy. Finish that copy first.')
  if (await isCurrent(source)) return
  throw new Error('The source is of another version. Run "daybook migrate" on it, then copy.')
}

/** Refuses to resume an unfinished copy of another source, or of another version. */
async function requireSameCopy(target: Database, identity: string): Promise<void> {
  if (!(await isCurrent(target))) {
    throw new Error('The target is an unfinished copy of another version. Add --again to begin anew.')
  }
  const begun = await sql<{ last_key: string }>`select last_key from copy_progress where table_name = ''`.execute(
    target.build,
  )
  if (begun.rows[0]?.last_key === identity) return
  throw new Error('The target is an unfinished copy of something else. Add --again to begin anew.')
}

interface Beginning {
  readonly tables: readonly TableShape[]
  readonly identity: string
  readonly now: number
}

/** Creates the tables of an empty target, and marks it as an unfinished copy. */
async function begin(target: CopyTarget, { tables, identity, now }: Beginning): Promise<void> {
  // This is decided before the migration, which would change a site of an earlier version.
  if (!(await isEmpty(target.db, tables))) throw new Error('The target is not empty. Copy into a new database.')
  await target.migrate()
  await inTransaction(target, async () => {
    // The migrations that created the target have inserted rows which the copy will insert again.
    await emptyTables(target.db, tables)
    await createMarker(target, now)
    await recordProgress(target.db, '', identity, 0)
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
  return inTransaction(target, async () => {
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
  return inTransaction(target, async () => {
    await target.db.build
      .updateTable('site')
      .set({ outbound_paused_at: Math.floor(now) })
      .execute()
    if (target.db.dialect.name === 'postgres') await target.script('delete from invalidation')
    await removeMarker(target)
  })
}
