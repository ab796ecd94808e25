import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { clock } from '../../clock.ts'
import { type Config, dataSettings } from '../../config.ts'
import { copyDatabase, type OnProgress } from '../../db/copy/copy.ts'
import type { CopyTarget } from '../../db/copy/target.ts'
import { databaseFile } from '../../db/data-dir.ts'
import type { Database } from '../../db/database.ts'
import { isLockTimeout } from '../../db/failures.ts'
import { migratePostgres, migrateSqlite } from '../../db/migrate.ts'
import { openToRead, openToWrite } from '../../db/sqlite/sqlite.ts'
import { copyKeys, keyFile } from '../../server/secret-key.ts'
import {
  type CommandCaller,
  done,
  type Ending,
  type Flags,
  type ProcessCommand,
  refused,
} from '../framework/command.ts'
import { acquireDataDir } from '../framework/data.ts'
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
  const now = clock(config.now)()
  const held: Held[] = []
  try {
    const { tables, rows, counts, faults } = await copyDatabase(source, await openTarget(target, now, held), {
      now,
      again: flags.again === true,
      onBegin: () => copyKey(config, target),
      onProgress: reporter(caller),
    })
    const ending = done(
      `Copied ${rows} rows of ${tables} tables, and compared every value: ${countsText(counts)}.
Messages to customers and other systems wait until an administrator resumes them in the panel, under Settings → Jobs.
${keyText(config, target)}`,
    )
    if (faults.length === 0) return ending
    return { ...refused('The copy is complete, and has the contradictions of its source:', ...faults), out: ending.out }
  } finally {
    await releaseAll(held)
    lock?.release()
  }
}

/** Whether the encryption key of the source is the setting `DAYBOOK_SECRET_KEY`, which PostgreSQL requires. */
function isKeySet({ databaseUrl, secretKey }: Config): boolean {
  return secretKey !== undefined || databaseUrl !== undefined
}

/** Copies the file with the encryption key, if the source uses one, to the data directory of the copy. */
async function copyKey(config: Config, target: Config): Promise<void> {
  if (isKeySet(config) || target.databaseUrl !== undefined) return
  await copyKeys(resolve(config.dataDir), resolve(target.dataDir))
}

/** Returns a note for the operator on the encryption key of the copy; empty when there is nothing to do. */
function keyText(config: Config, target: Config): string {
  if (isKeySet(config))
    return 'DAYBOOK_SECRET_KEY must stay set: servers of the copy need the same encryption key as those of the source.\n'
  const path = keyFile(resolve(config.dataDir))
  if (target.databaseUrl === undefined || !existsSync(path)) return ''
  return `Give every server the encryption key: the environment variable DAYBOOK_SECRET_KEY with the content of ${path}.\n`
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
    return (await beginReading(target))
      ? target.db
      : 'Something else writes to the source. Stop every server on it, then copy.'
  }
  const lock = await acquireDataDir(dataDir)
  if (!lock) return `A server runs on ${dataDir}. Stop it, then copy.`
  held.push(lock)
  const connection = openToRead(databaseFile(resolve(dataDir)))
  held.push({ release: () => connection.close() })
  return connection
}

/**
 * Begins the transaction in which a PostgreSQL database is copied. Its lock on the table `event`, which every write
 * locks too, refuses the writes of servers and commands that start during the copy; otherwise the copy would lack
 * them. Returns false when a write that has begun does not end in ten seconds.
 */
function beginReading(source: PostgresConnection): Promise<boolean> {
  // The lock precedes the first query, with which the snapshot is taken.
  return source
    .script(`
      begin isolation level repeatable read read only;
      set local lock_timeout = '10s';
      set local idle_in_transaction_session_timeout = 0;
      lock table event in share mode`)
    .then(
      () => true,
      (error: unknown) => {
        if (isLockTimeout(error)) return false
        throw error
      },
    )
}

/** Opens the database that receives the copy. */
async function openTarget({ databaseUrl, dataDir }: Config, now: number, held: Held[]): Promise<CopyTarget> {
  if (databaseUrl !== undefined) {
    const migrate = async () => {
      await migratePostgres(databaseUrl, now)
    }
    return { ...(await connectPostgres(databaseUrl, held)), migrate }
  }
  const file = databaseFile(resolve(dataDir))
  // The database file is readable by its owner alone; SQLite creates the files beside it with the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const connection = openToWrite(file)
  held.push({ release: () => connection.close() })
  const migrate = async () => {
    await migrateSqlite(connection, now)
  }
  return { db: connection, script: async (text) => connection.script(text), migrate }
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

type PostgresConnection = Omit<CopyTarget, 'migrate'>

// Seconds that a query of a copy may take, such as one that searches a large database for contradictions.
const querySeconds = 3_600

async function connectPostgres(url: string, held: Held[]): Promise<PostgresConnection> {
  const { openPool, PostgresQueries } = await import('../../db/postgres/postgres.ts')
  const pool = openPool({ url, size: 1, warn: () => {} })
  held.push({ release: () => pool.end() })
  const client = await pool.connect()
  held.push({ release: () => client.release() })
  const script = async (text: string) => {
    await client.query(text)
  }
  return { db: new PostgresQueries(client, { seconds: querySeconds }), script }
}
