import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { type Dialect, postgres, sqlite } from './dialects.ts'
import { isLockTimeout } from './failures.ts'
import { prepared } from './query/prepared.ts'
import type { SqliteConnection } from './sqlite/sqlite.ts'
import { analyzeText } from './statistics.ts'

/**
 * The name of the row in the table `migration` that marks an unfinished copy. No service opens a database that contains
 * this row.
 */
export const copyMarker = 'copy'

const folder = new URL('./migrations/', import.meta.url)

/** A connection on which migrations run. */
interface Target {
  readonly dialect: Dialect
  script(text: string): Promise<void>
  applied(): Promise<string[]>
  /** Runs `work` in one transaction, while no other process migrates the database. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

interface Migration {
  readonly name: string
  readonly text: string
}

/** Migrates a SQLite file, each migration in its own transaction; returns the names of those applied. */
export function migrateSqlite(connection: SqliteConnection, now: number): Promise<string[]> {
  return migrate(
    {
      dialect: sqlite,
      script: async (text) => connection.script(text),
      applied: async () => (await connection.run(appliedNames, {})).map(({ name }) => name),
      exclusively: (work) => between(async (text) => connection.script(text), ['begin immediate'], work),
    },
    now,
  )
}

/**
 * Migrates a PostgreSQL database, each migration in its own transaction; returns the names of those applied. A
 * migration that finds a table locked is tried again until `patience` milliseconds have passed, 60,000 by default.
 */
export async function migratePostgres(url: string, now: number, patience = 60_000): Promise<string[]> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  // A lost connection fails the query that runs, or the next one. Without a listener, the event would end the process.
  client.on('error', () => {})
  const script = async (text: string) => {
    await client.query(text)
  }
  await client.connect()
  try {
    const ran = await migrate(
      {
        dialect: postgres,
        script,
        applied: async () =>
          (await client.query<{ name: string }>('select name from migration')).rows.map((row) => row.name),
        exclusively: (work) => whenUnlocked(() => between(script, postgresBegin, work), patience),
      },
      now,
    )
    if (ran.length > 0) await script(analyzeText)
    return ran
  } finally {
    await client.end()
  }
}

const appliedNames = prepared<object, { name: string }>((db) => db.selectFrom('migration').select('name'))

// The transaction waits up to 60 seconds for another process that migrates, but only one second for a lock on a table:
// while it waits, all requests for that table would queue behind it. `whenUnlocked` tries again after a pause in which
// these requests run.
const postgresBegin = [
  'begin',
  "set local lock_timeout = '60s'",
  "select pg_advisory_xact_lock(hashtextextended('migration', 2))",
  "set local lock_timeout = '1s'",
]

const pauseBetweenTries = 500

async function whenUnlocked<T>(work: () => Promise<T>, patience: number): Promise<T> {
  const until = performance.now() + patience
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      if (performance.now() > until) throw new Error(lockedMessage, { cause: error })
      await setTimeout(pauseBetweenTries)
    }
  }
}

const lockedMessage =
  'The database cannot be migrated, because another session holds a lock that the migration needs: a long transaction, a ' +
  'backup, VACUUM FULL, or another process that migrates. Wait until it has ended, or end it (pg_locks and ' +
  'pg_stat_activity show it), and start Daybook again. The unfinished migration has changed nothing.'

async function between<T>(
  script: (text: string) => Promise<void>,
  begin: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  for (const text of begin) await script(text)
  try {
    const result = await work()
    await script('commit')
    return result
  } catch (error) {
    // A rollback fails when the connection is lost. The error before it contains the cause.
    await script('rollback').catch(() => {})
    throw error
  }
}

async function migrate(database: Target, now: number): Promise<string[]> {
  const migrations = await migrationsFor(database.dialect)
  const ran: string[] = []
  for (let name = await next(database, migrations, now); name; name = await next(database, migrations, now)) {
    ran.push(name)
  }
  return ran
}

function next(database: Target, migrations: readonly Migration[], now: number): Promise<string | undefined> {
  return database.exclusively(async () => {
    await database.script('create table if not exists migration (name text primary key, applied_at bigint not null)')
    const applied = new Set(await database.applied())
    refuseNewer(applied, migrations)
    const pending = migrations.find(({ name }) => !applied.has(name))
    if (!pending) return undefined
    await database.script(pending.text)
    await database.script(`insert into migration (name, applied_at) values ('${pending.name}', ${Math.floor(now)})`)
    return pending.name
  })
}

function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  if (applied.has(copyMarker)) {
    throw new Error('This database is an unfinished copy. Run the same "daybook copy" again to finish it.')
  }
  const known = new Set(migrations.map(({ name }) => name))
  const newer = [...applied].filter((name) => !known.has(name))
  if (newer.length === 0) return
  throw new Error(
    `This database was made by a newer version of Daybook (migration ${newer.sort().join(', ')}). Install that version, or restore a backup.`,
  )
}

/** Returns the names of all migrations of this version, in order. */
export async function migrationNames(): Promise<string[]> {
  const files = (await readdir(folder)).sort()
  return files.flatMap((file) => file.match(/^(\d{4})\.sql$/)?.[1] ?? [])
}

async function migrationsFor(dialect: Dialect): Promise<Migration[]> {
  const files = await readdir(folder)
  const names = await migrationNames()
  return Promise.all(
    names.map(async (name) => {
      const parts = [`${name}.sql`, `${name}.${dialect.name}.sql`].filter((file) => files.includes(file))
      const texts = await Promise.all(parts.map((file) => readFile(new URL(file, folder), 'utf8')))
      return { name, text: texts.join('\n') }
    }),
  )
}
