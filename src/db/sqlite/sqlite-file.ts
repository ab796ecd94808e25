import { existsSync, realpathSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { type Counts, findDisagreements, loadCounts } from '../consistency.ts'
import type { Database } from '../database.ts'
import { migrateSqlite, migrationNames } from '../migrate.ts'
import { prepared } from '../query/prepared.ts'
import { openToWrite, SqliteConnection } from './sqlite.ts'

/**
 * The result of inspecting a SQLite file: its defects as sentences, and its row counts. The counts are undefined when
 * the file is damaged, is no database of Daybook, is from a newer version of Daybook or has another schema than a new
 * database.
 */
export interface Inspection {
  readonly faults: readonly string[]
  readonly counts: Counts | undefined
  /**
   * The migrations that the file lacks, applied when the service opens it; empty when the file is damaged, is no
   * database of Daybook or is from a newer version.
   */
  readonly pending: readonly string[]
  /** Whether a newer version of Daybook has migrated the file; only that version can check it. */
  readonly isNewer?: boolean
}

const maxNamed = 5

/** Inspects a database file without changing it and, if it has no WAL file, without creating files next to it. */
export async function inspectFile(file: string, now: number): Promise<Inspection> {
  let connection: SqliteConnection | undefined
  try {
    connection = new SqliteConnection(openOffline(file))
    return await inspect(connection, now)
  } catch (error) {
    const sentence = damageSentence(error)
    if (sentence === undefined) throw error
    return { faults: [sentence], counts: undefined, pending: [] }
  } finally {
    connection?.close()
  }
}

const sqliteCorrupt = 11
const sqliteNoDatabase = 26

function damageSentence(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  const primary = error.errcode & 0xff
  if (primary === sqliteNoDatabase) return 'This is no database.'
  return primary === sqliteCorrupt ? `The file is damaged: ${error.message}.` : undefined
}

async function inspect(connection: SqliteConnection, now: number): Promise<Inspection> {
  const damage = await integrityFaults(connection)
  if (damage.length > 0) return { faults: damage, counts: undefined, pending: [] }
  const known = await migrationNames()
  const applied = await appliedTo(connection)
  if (applied === undefined) return { faults: ['This is no database of Daybook.'], counts: undefined, pending: [] }
  const newer = applied.filter((name) => !known.includes(name))
  if (newer.length > 0) {
    const sentence = `It was made by a newer version of Daybook (migration ${newer.join(', ')}). Install that version.`
    return { faults: [sentence], counts: undefined, pending: [], isNewer: true }
  }
  const pending = known.filter((name) => !applied.includes(name))
  const schema = pending.length > 0 ? [] : await schemaFaults(connection)
  if (schema.length > 0) return { faults: schema, counts: undefined, pending }
  const references = await referenceFaults(connection)
  const sites = await connection.build.selectFrom('site').select('id').execute()
  const siteFaults = sites.length === 1 ? [] : ['It holds no site.']
  const faults = [...references, ...siteFaults, ...(await findDisagreements(connection, now))]
  return { faults, counts: await loadCounts(connection), pending }
}

/**
 * Opens a file read-only. Without a WAL file no process has the database open, so it is opened as immutable, which
 * keeps SQLite from creating files next to it. With a WAL file, SQLite may create a `-shm` file.
 */
function openOffline(file: string): DatabaseSync {
  // SQLite stores the WAL beside the file to which a symbolic link points.
  const path = realpathSync(file)
  const url = pathToFileURL(path)
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  const database = new DatabaseSync(url, { readOnly: true, timeout: 5000, defensive: true, allowExtension: false })
  database.exec('pragma trusted_schema = off')
  return database
}

const integrity = prepared<Record<never, never>, { integrity_check: string }>(
  () => sql<{ integrity_check: string }>`pragma integrity_check(5)`,
)
const references = prepared<Record<never, never>, { table: string; parent: string }>(
  () => sql<{ table: string; parent: string }>`pragma foreign_key_check`,
)
const applied = prepared<Record<never, never>, { name: string }>((db) =>
  db.selectFrom('migration').select('name').orderBy('name'),
)
const tables = prepared<Record<never, never>, { name: string; sql: string | null }>(
  () =>
    sql<{
      name: string
      sql: string | null
    }>`select name, sql from sqlite_schema where name not like 'sqlite_%' order by name`,
)

async function integrityFaults(connection: SqliteConnection): Promise<string[]> {
  const rows = await connection.run(integrity, {})
  return rows.flatMap(({ integrity_check: found }) => (found === 'ok' ? [] : [`The file is damaged: ${found}.`]))
}

async function appliedTo(connection: SqliteConnection): Promise<string[] | undefined> {
  const there = await connection.run(tables, {})
  if (!there.some(({ name }) => name === 'migration') || !there.some(({ name }) => name === 'site')) return undefined
  return (await connection.run(applied, {})).map(({ name }) => name)
}

/**
 * Returns a sentence about the tables, indexes and triggers that are missing, and one about those that are not as in a
 * new database; none if there are no such objects. Triggers matter because they prevent overlapping bookings.
 */
async function schemaFaults(connection: SqliteConnection): Promise<string[]> {
  const fresh = new SqliteConnection(new DatabaseSync(':memory:'))
  await migrateSqlite(fresh, 0)
  const wanted = new Map((await fresh.run(tables, {})).map((row) => [row.name, row.sql]))
  fresh.close()
  const found = new Map((await connection.run(tables, {})).map((row) => [row.name, row.sql]))
  const missing = [...wanted.keys()].filter((name) => !found.has(name))
  const changed = [...wanted].flatMap(([name, text]) => (found.has(name) && found.get(name) !== text ? [name] : []))
  return [
    ...(missing.length > 0 ? [`The schema lacks ${listed(missing)}.`] : []),
    ...(changed.length > 0 ? [`The schema differs in ${listed(changed)}.`] : []),
  ]
}

async function referenceFaults(connection: SqliteConnection): Promise<string[]> {
  const rows = await connection.run(references, {})
  const pairs = [...new Set(rows.map((row) => `${row.table} → ${row.parent}`))]
  return rows.length > 0 ? [`${rows.length} rows refer to rows that are missing (${listed(pairs)}).`] : []
}

function listed(names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  return names.slice(0, maxNamed).join(', ') + more
}

/** Writes a consistent, compact copy of a database to an empty or new file; other connections may write meanwhile. */
export function copyLive(from: string, to: string): void {
  // On a separate connection, `vacuum into` reads one snapshot. It does not block a writer and, unlike SQLite's backup
  // API, does not start over when a writer commits.
  copyFrom(new DatabaseSync(from, { readOnly: true, timeout: 5000, defensive: true }), to)
}

/** Writes a copy of a closed database to an empty file. */
export function copyOffline(from: string, to: string): void {
  copyFrom(openOffline(from), to)
}

function copyFrom(database: DatabaseSync, to: string): void {
  try {
    database.prepare('vacuum into ?').run(to)
  } finally {
    database.close()
  }
}

/** Applies the migrations that a restored copy lacks; `now` is in Unix seconds. */
export async function migrateCopy(file: string, now: number): Promise<void> {
  const connection = openToWrite(file)
  try {
    await migrateSqlite(connection, now)
  } finally {
    connection.close()
  }
}

/**
 * Rewrites the whole file to remove every copy of deleted rows. `secure_delete` overwrites a deleted row, but not the
 * copies that SQLite leaves behind when it moves a row to another page.
 */
export function rewriteFile(file: string): void {
  const connection = openToWrite(file)
  connection.script('vacuum; pragma wal_checkpoint(truncate)')
  connection.close()
}

/** Copies the WAL into the file and truncates the WAL; returns false when the file is damaged or no database. */
export function checkpointLog(file: string): boolean {
  let connection: SqliteConnection | undefined
  try {
    connection = openToWrite(file)
    connection.script('pragma wal_checkpoint(truncate)')
    return true
  } catch (error) {
    if (damageSentence(error) === undefined) throw error
    return false
  } finally {
    connection?.close()
  }
}

/**
 * Runs `read` on the database in a file that no process has open; returns undefined when the file is missing, damaged
 * or not a database of this service.
 */
export async function readOffline<T>(file: string, read: (db: Database) => Promise<T>): Promise<T | undefined> {
  if (!existsSync(file)) return undefined
  let connection: SqliteConnection | undefined
  try {
    connection = new SqliteConnection(openOffline(file))
    return (await appliedTo(connection)) === undefined ? undefined : await read(connection)
  } catch (error) {
    if (damageSentence(error) === undefined) throw error
    return undefined
  } finally {
    connection?.close()
  }
}
