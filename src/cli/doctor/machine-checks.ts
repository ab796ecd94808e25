import { constants, existsSync, statfsSync, statSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { maxDrift, measureDrift } from '../../db/clock/clock-drift.ts'
import { databaseFile } from '../../db/data-dir.ts'
import type { ReadDatabase } from '../../db/database.ts'
import { migrationNames } from '../../db/migrate.ts'
import { message } from '../../messages/message.ts'
import type { CommandApp } from '../framework/command.ts'
import { type Check, fail, ok, warn } from './check.ts'

const wantedNode = 26

/** Checks the version of Node and the age of its time zone data. */
export async function runtimeChecks(): Promise<Check[]> {
  const { node, tz } = process.versions
  const tooOld = Number(node.split('.')[0]) < wantedNode
  const zones = Number(/^\d{4}/.exec(tz ?? '')?.[0] ?? 0)
  const stale = new Date().getFullYear() - zones > 1
  return [
    tooOld
      ? fail('check_runtime', message('runtime_too_old', { version: node, wanted: wantedNode }))
      : ok('check_runtime', message('runtime_version', { version: node })),
    stale
      ? warn('check_zone_data', message('zone_data_old', { version: tz ?? '?' }))
      : ok('check_zone_data', message('zone_data_current', { version: tz ?? '' })),
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
      ? fail('check_schema', message('migration_missing', { names: pending }))
      : ok('check_schema', message('schema_current', { name: known.at(-1) ?? '' }))
  return [...own, schema]
}

async function sqliteChecks(db: ReadDatabase): Promise<Check[]> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db.build)
  return [ok('check_database', message('sqlite_version', { version: rows[0]?.version ?? '' }))]
}

async function postgresChecks(db: ReadDatabase): Promise<Check[]> {
  const { rows } = await sql<{ version: string; gist: string | null }>`
    select current_setting('server_version') as version,
      (select extversion from pg_extension where extname = 'btree_gist') as gist`.execute(db.build)
  const { version = '', gist = null } = rows[0] ?? {}
  return [
    Number.parseInt(version, 10) < oldestPostgres
      ? fail('check_database', message('postgres_too_old', { version, wanted: oldestPostgres }))
      : ok('check_database', message('postgres_version', { version })),
    gist === null
      ? fail('check_extension', message('btree_gist_missing'))
      : ok('check_extension', message('btree_gist_version', { version: gist })),
  ]
}

const megabyte = 1_048_576
const freeToWarn = 1_024
const freeToFail = 100
const walToWarn = 256

/** Checks the directory of the embedded database: permissions, free space, size of the write-ahead log. */
export async function folderChecks({ dataDir }: CommandApp): Promise<Check[]> {
  if (dataDir === undefined) return []
  const { bavail, bsize } = statfsSync(dataDir)
  const free = Math.floor((bavail * bsize) / megabyte)
  const wal = sizeOf(join(dataDir, 'daybook.db-wal'))
  const database = sizeOf(databaseFile(dataDir))
  const room = message('disk_free', { free, database })
  return [
    await rightsCheck(dataDir),
    free < freeToFail
      ? fail('check_disk', message('disk_full', { room }))
      : free < freeToWarn
        ? warn('check_disk', message('disk_low', { room }))
        : ok('check_disk', room),
    wal > walToWarn
      ? warn('check_log', message('wal_too_long', { size: wal }))
      : ok('check_log', message('wal_size', { size: wal })),
  ]
}

async function rightsCheck(dataDir: string): Promise<Check> {
  const mayWrite = await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!mayWrite) return fail('check_data_folder', message('data_folder_read_only', { folder: dataDir }))
  // On Windows, the mode of a file does not contain its permissions.
  if (process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0) {
    return warn('check_data_folder', message('data_folder_open', { folder: dataDir }))
  }
  return ok('check_data_folder', message('data_folder_private', { folder: dataDir }))
}

function sizeOf(file: string): number {
  return existsSync(file) ? Math.ceil(statSync(file).size / megabyte) : 0
}

/** Compares the service's clock with those of the machine and the database. */
export async function clockChecks(app: CommandApp): Promise<Check[]> {
  const machine = () => Date.now() / 1000
  const moved = Math.abs(app.now() - machine()) > maxDrift
  const own = moved ? [warn('check_clock', message('clock_moved'))] : []
  if (app.db.dialect.name === 'sqlite') return moved ? own : [ok('check_clock', message('clock_of_machine'))]
  const drift = await measureDrift(app.db, machine)
  return [
    ...own,
    drift > maxDrift
      ? fail('check_clock', message('clock_apart', { seconds: Number(drift.toFixed(1)) }))
      : ok('check_clock', message('clock_agrees')),
  ]
}
