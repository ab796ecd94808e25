import { createHash, type Hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { TableShape } from './tables.ts'

/** The values of one row by column name. */
export type CopiedRow = Readonly<Record<string, unknown>>

/** The primary key of the last row read; undefined before the first row. */
export type RowKey = readonly unknown[] | undefined

const rowsAtOnce = 500

/** Reads the rows after a key in the order of the primary key (keyset pagination), in batches of 500. */
export async function* readRows(db: Database, table: TableShape, after: RowKey): AsyncGenerator<readonly CopiedRow[]> {
  const key = listOf(table.key.map((column) => sql.ref(column)))
  const columns = listOf(table.columns.map((column) => sql.ref(column)))
  for (let last = after; ; ) {
    const rest = last === undefined ? sql`` : sql`where (${key}) > (${listOf(last.map((value) => sql`${value}`))})`
    const query = sql<CopiedRow>`select ${columns} from ${sql.table(table.name)} ${rest} order by ${key} limit ${rowsAtOnce}`
    const { rows } = await query.execute(db.build)
    if (rows.length > 0) yield rows
    if (rows.length < rowsAtOnce) return
    last = keyOf(table, rows)
  }
}

/** Inserts rows into the table that `table` describes. Each row has a value for every column of the table. */
export async function writeRows(db: Database, table: TableShape, rows: readonly CopiedRow[]): Promise<void> {
  const columns = listOf(table.columns.map((column) => sql.ref(column)))
  const values = rows.map((row) => sql`(${listOf(table.columns.map((column) => sql`${row[column]}`))})`)
  await sql`insert into ${sql.table(table.name)} (${columns}) values ${listOf(values)}`.execute(db.build)
}

/** Returns the primary key of the last row in `rows`; undefined when there are none. */
export function keyOf({ key }: TableShape, rows: readonly CopiedRow[]): RowKey {
  const last = rows.at(-1)
  return last && key.map((column) => last[column])
}

/** The number of a table's rows, and a digest of all their values. */
export interface TableSum {
  readonly rows: number
  readonly digest: string
}

/**
 * Computes the number of rows and the digest of a whole table; equal tables have equal results on SQLite and
 * PostgreSQL.
 */
export async function sumOf(db: Database, table: TableShape, onRows: (count: number) => void): Promise<TableSum> {
  const digest: Hash = createHash('sha256')
  let rows = 0
  for await (const part of readRows(db, table, undefined)) {
    for (const row of part) digest.update(JSON.stringify(table.columns.map((column) => row[column])))
    rows += part.length
    onRows(rows)
  }
  return { rows, digest: digest.digest('hex') }
}

function listOf(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(parts)
}
