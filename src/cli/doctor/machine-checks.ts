import { constants, existsSync, statfsSync, statSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { maxDrift, measureDrift } from '../../db/clock/clock-drift.ts'
import { databaseFile } from '../../db/data-dir.ts'
import type { ReadDatabase } from '../../db/database.ts'
import { migrationNames } from '../../db/migrate.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, fail, ok, warn } from './check.ts'

const wantedNode = 26

/** Checks the runtime and the age of its time zone data. */
export async function runtimeChecks(): Promise<Check[]> {
  const { node, tz } = process.versions
  const tooOld = Number(node.split('.')[0]) < wantedNode
  const zones = Number(/^\d{4}/.exec(tz ?? '')?.[0] ?? 0)
  const stale = new Date().getFullYear() - zones > 1
  return [
    tooOld
      ? fail('runtime', `Node ${node} is too old; run "npm ci", which brings ${wantedNode}.`)
      : ok('runtime', `Node ${node}.`),
    stale
      ? warn('zone data', `${tz ?? '?'}; clock changes decreed since are not in it. Upgrade Daybook.`)
      : ok('zone data', `${tz}.`),
  ]
}

const oldestPostgres = 14

/** Checks the database's version, its extensions and its schema. */
export async function databaseChecks({ db }: CommandApp): Promise<Check[]> {
  const own = db.dialect.name === 'sqlite' ? await sqliteChecks(db) : await postgresChecks(db)
  const known = await migrationNames()
  const rows = await db.build.selectFrom('migration').select('name').execute()
  const applied = new Set(rows.map(({ name }) => name))
  const pending = known.filter((name) => !applied.has(name))
  const schema =
    pending.length > 0
      ? fail('schema', `Migration ${pending.join(', ')} is missing; run "daybook migrate".`)
      : ok('schema', `Up to date (${known.at(-1)}).`)
  return [...own, schema]
}

async function sqliteChecks(db: ReadDatabase): Promise<Check[]> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db.build)
  return [ok('database', `SQLite ${rows[0]?.version}.`)]
}

async function postgresChecks(db: ReadDatabase): Promise<Check[]> {
  const { rows } = await sql<{ version: string; gist: string | null }>`
    select current_setting('server_version') as version,
      (select extversion from pg_extension where extname = 'btree_gist') as gist`.execute(db.build)
  const { version = '', gist = null } = rows[0] ?? {}
  return [
    Number.parseInt(version, 10) < oldestPostgres
      ? fail('database', `PostgreSQL ${version} is too old; upgrade it to ${oldestPostgres} or later.`)
      : ok('database', `PostgreSQL ${version}.`),
    gist === null
      ? fail('extension', 'btree_gist is missing; as superuser run: create extension btree_gist.')
      : ok('extension', `btree_gist ${gist}.`),
  ]
}

const megabyte = 1_048_576
const freeToWarn = 1_024
const freeToFail = 100
const walToWarn = 256

/** Checks the directory of the embedded database: permissions, free space, size of the WAL. */
export async function folderChecks({ dataDir }: CommandApp): Promise<Check[]> {
  if (dataDir === undefined) return []
  const { bavail, bsize } = statfsSync(dataDir)
  const free = Math.floor((bavail * bsize) / megabyte)
  const wal = sizeOf(join(dataDir, 'daybook.db-wal'))
  const database = sizeOf(databaseFile(dataDir))
  const room = `${free} MB free; the database takes ${database} MB.`
  return [
    await rightsCheck(dataDir),
    free < freeToFail
      ? fail('disk', `${room} Make room now: without it nothing can be booked.`)
      : free < freeToWarn
        ? warn('disk', `${room} Make room soon.`)
        : ok('disk', room),
    wal > walToWarn
      ? warn('log', `${wal} MB not yet in the database file: something reads it for very long. Restart the service.`)
      : ok('log', `${wal} MB not yet in the database file.`),
  ]
}

async function rightsCheck(dataDir: string): Promise<Check> {
  const mayWrite = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!mayWrite) return fail('data folder', `${dataDir} cannot be written to; give it to the user the service runs as.`)
  // Windows file permissions are not in the mode.
  if (process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0) {
    return warn('data folder', `Other users can read ${dataDir}, where customers' data is; run chmod 700 on it.`)
  }
  return ok('data folder', `${dataDir} is its owner's alone.`)
}

function sizeOf(file: string): number {
  return existsSync(file) ? Math.ceil(statSync(file).size / megabyte) : 0
}

/** Compares the service's clock with those of the machine and the database. */
export async function clockChecks(app: CommandApp): Promise<Check[]> {
  const machine = () => Date.now() / 1000
  const moved = Math.abs(app.now() - machine()) > maxDrift
  const own = moved ? [warn('clock', 'It was set by DAYBOOK_NOW; start the service without it.')] : []
  if (app.db.dialect.name === 'sqlite') return moved ? own : [ok('clock', 'The machine’s.')]
  const drift = await measureDrift(app.db, machine)
  return [
    ...own,
    drift > maxDrift
      ? fail('clock', `${drift.toFixed(1)} s apart from the database's; set both by a time server.`)
      : ok('clock', 'At one with the database’s.'),
  ]
}
