import { closeSync, copyFileSync, existsSync, openSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { sql } from 'kysely'
import { clock } from '../../clock.ts'
import { type Config, dataSettings } from '../../config.ts'
import { findDisagreements, loadCounts } from '../../db/consistency.ts'
import { type CopyTarget, clearCopy, copyDatabase, isUnfinished, type OnProgress } from '../../db/copy/copy.ts'
import { databaseFile } from '../../db/data-dir.ts'
import type { Database } from '../../db/database.ts'
import { migratePostgres, migrateSqlite } from '../../db/migrate.ts'
import { openToRead, openToWrite } from '../../db/sqlite/sqlite.ts'
import { refreshStatistics } from '../../db/statistics.ts'
import { keyState } from '../../server/secret-key.ts'
import {
  type CommandCaller,
  done,
  type Ending,
  type Flags,
  type ProcessCommand,
  refused,
} from '../framework/command.ts'
import { acquireDataDir, openStorage } from '../framework/data.ts'
import { countsText } from './verify.ts'

/** Copies the database to another one, SQLite or PostgreSQL; the source is not changed (see docs/decisions/0057). */
export const copy: ProcessCommand = {
  on: 'process',
  options: {
    to: { placeholder: 'TARGET', description: 'postgres://… of an empty database, or an empty data directory.' },
    again: { description: 'Empties an unfinished copy, and begins anew.' },
  },
  settings: dataSettings,
  positionals: [],
  faults: ({ to }) => (typeof to === 'string' && to !== '' ? [] : ['--to TARGET is missing.']),
  async run({ config, flags, caller }) {
    const target = targetOf(config, String(flags.to))
    if (placeOf(target) === placeOf(config)) return refused('The target is the source.')
    if (config.databaseUrl === undefined && !existsSync(databaseFile(resolve(config.dataDir))))
      return refused(`There is no database in ${config.dataDir}.`)
    const held: Held[] = []
    try {
      const source = await openSource(config, held)
      return typeof source === 'string' ? refused(source) : await copyInto(target, { source, config, flags, caller })
    } finally {
      await releaseAll(held)
    }
  },
}

interface Sourced {
  readonly source: Database
  readonly config: Config
  readonly flags: Flags
  readonly caller: CommandCaller
}

async function copyInto(target: Config, { source, config, flags, caller }: Sourced): Promise<Ending> {
  const lock = target.databaseUrl === undefined ? await acquireDataDir(target.dataDir) : undefined
  if (target.databaseUrl === undefined && !lock) return refused(`A server runs on ${target.dataDir}.`)
  const now = clock(config.now)
  const held: Held[] = []
  try {
    const opened = await openTarget(target, held)
    if (flags.again === true && (await isUnfinished(opened.db))) await clearCopy(opened)
    const { tables, rows } = await copyDatabase(source, opened, { now: now(), onProgress: reporter(caller) })
    await releaseAll(held)
    const { counts, faults } = await prepare(target, now)
    if (faults.length > 0) return refused('The copy is complete, but so are the faults of its source.', ...faults)
    return done(
      `Copied ${rows} rows of ${tables} tables, and compared every value: ${countsText(counts)}.
Messages to customers and other systems wait until an administrator resumes them in the panel, under Settings → Jobs.
${await keyText(config, target)}`,
    )
  } finally {
    await releaseAll(held)
    lock?.release()
  }
}

/**
 * Opens the copied database with `openStorage`, which ensures that new events sort after the copied events, and gathers
 * the statistics that the planner of PostgreSQL needs after a bulk load. Returns the row counts of the copy and the
 * contradictions that `findDisagreements` finds in it.
 */
async function prepare(target: Config, now: () => number) {
  const opened = await openStorage(target, { now, thread: false, warn: () => {} })
  try {
    await refreshStatistics(opened.db)
    return { counts: await loadCounts(opened.db), faults: await findDisagreements(opened.db, now()) }
  } finally {
    await opened.close()
  }
}

/**
 * Copies the file with the encryption key to the data directory of the copy. For a copy on PostgreSQL, which has no
 * data directory, returns a note for the operator instead. Does nothing when the source has no key file, as with
 * `DAYBOOK_SECRET_KEY` or on PostgreSQL.
 */
async function keyText({ dataDir, databaseUrl, secretKey }: Config, target: Config): Promise<string> {
  if (secretKey !== undefined || databaseUrl !== undefined) return ''
  const { path, state } = await keyState(resolve(dataDir))
  if (state === 'missing') return ''
  if (target.databaseUrl !== undefined)
    return `Give every server the encryption key: the environment variable DAYBOOK_SECRET_KEY with the content of ${path}.\n`
  copyFileSync(path, join(resolve(target.dataDir), basename(path)))
  return ''
}

/** Returns a function that reports progress to the caller of the command at most once a second. */
function reporter(caller: CommandCaller): OnProgress {
  let saidAt = performance.now()
  return (step, table, rows) => {
    if (performance.now() - saidAt < 1_000) return
    saidAt = performance.now()
    caller.note(`copy: ${step} ${table}, ${rows} rows …`)
  }
}

/** A resource that the command releases at its end. */
interface Held {
  release(): void | Promise<void>
}

function targetOf(config: Config, to: string): Config {
  return /^postgres(ql)?:\/\//.test(to)
    ? { ...config, databaseUrl: to }
    : { ...config, databaseUrl: undefined, dataDir: to }
}

function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl ?? resolve(dataDir)
}

/**
 * Opens the database to copy for a consistent read: on PostgreSQL in a snapshot, on SQLite with the lock of the data
 * directory. Returns an error message instead when another process uses the database.
 */
async function openSource({ databaseUrl, dataDir }: Config, held: Held[]): Promise<Database | string> {
  if (databaseUrl !== undefined) {
    const target = await connectPostgres(databaseUrl, held)
    if (await othersOn(target.db))
      return 'Something else is connected to the source. Stop every server on it, then copy.'
    await target.script('begin isolation level repeatable read read only')
    return target.db
  }
  const lock = await acquireDataDir(dataDir)
  if (!lock) return `A server runs on ${dataDir}. Stop it, then copy.`
  held.push(lock)
  const connection = openToRead(databaseFile(resolve(dataDir)))
  held.push({ release: () => connection.close() })
  return connection
}

/**
 * Opens the database that receives the copy. Its tables are created or migrated, except when it contains an unfinished
 * copy.
 */
async function openTarget({ databaseUrl, dataDir }: Config, held: Held[]): Promise<CopyTarget> {
  const now = Date.now() / 1000
  if (databaseUrl !== undefined) {
    const target = await connectPostgres(databaseUrl, held)
    if (!(await isUnfinished(target.db))) await migratePostgres(databaseUrl, now)
    return target
  }
  const file = databaseFile(resolve(dataDir))
  // The database file is readable by its owner alone; SQLite creates the files beside it with the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const connection = openToWrite(file)
  held.push({ release: () => connection.close() })
  if (!(await isUnfinished(connection))) await migrateSqlite(connection, now)
  return { db: connection, script: async (text) => connection.script(text) }
}

/** Whether another client is connected to the same PostgreSQL database. */
async function othersOn(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' limit 1`.execute(
    db.build,
  )
  return rows.length > 0
}

async function releaseAll(held: Held[]): Promise<void> {
  for (let last = held.pop(); last; last = held.pop()) await last.release()
}

async function connectPostgres(url: string, held: Held[]): Promise<CopyTarget> {
  const { openPool, PostgresQueries } = await import('../../db/postgres/postgres.ts')
  const pool = openPool({ url, size: 1, connectTimeout: 10_000, warn: () => {} })
  held.push({ release: () => pool.end() })
  const client = await pool.connect()
  held.push({ release: () => client.release() })
  const script = async (text: string) => {
    await client.query(text)
  }
  return { db: new PostgresQueries(client), script }
}
