import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { migratePostgres, migrationNames } from '../../src/db/migrate.ts'
import { open } from '../../src/server/open.ts'
import {
  contextWith,
  type DatabaseKind,
  databasesHere,
  emptyDatabase,
  type FreshDatabase,
  openStorage,
  withoutPooler,
} from '../support/databases.ts'
import { waitForValue } from '../support/wait-for-value.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const atOnce = 4

for (const { kind, skip } of await databasesHere()) {
  describe(kind, { skip }, () => {
    test('an empty database is migrated once', () =>
      onEmpty(kind, async ({ at }) => {
        const first = await open({ at, operations: operationsAt, thread: false })
        assert.ok(first.migrated.includes('0001'))
        await first.close()
        const second = await open({ at, operations: operationsAt, thread: false })
        assert.deepEqual(second.migrated, [])
        const rows = await second.db.build.selectFrom('migration').select('name').orderBy('name').execute()
        assert.deepEqual(
          rows.map(({ name }) => name),
          first.migrated,
        )
        await second.close()
      }))

    test('processes that start concurrently migrate it once', () =>
      onEmpty(kind, async ({ at }) => {
        const migrated = await Promise.all(Array.from({ length: atOnce }, () => openInProcess(at)))
        const each = migrated.flat()
        assert.ok(each.length > 0)
        assert.deepEqual(each, [...new Set(each)])
      }))

    test('a database of a newer version is refused and left unchanged', () =>
      onEmpty(kind, async ({ at }) => {
        const first = await open<TestCommands>({ at, operations: operationsAt, thread: false })
        await first.perform('pretendMigrated', { name: '9999' }, contextWith())
        await first.close()
        await assert.rejects(open({ at, operations: operationsAt }), /newer version of Daybook \(migration 9999\)/)
      }))
  })
}

const noPostgres = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false

test('all text of a PostgreSQL database sorts by code point, whatever its locale', { skip: noPostgres }, () =>
  onEmpty('postgres', async ({ at }) => {
    const { db, close } = await openStorage({ at, operations: operationsAt })
    const { rows } = await sql`
      select table_name, column_name from information_schema.columns
      where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'
    `.execute(db.build)
    assert.deepEqual(rows, [])
    await close()
  }),
)

describe('a migration of PostgreSQL that finds a table locked', { skip: noPostgres }, () => {
  test('is tried again until the table is free', () =>
    onLocked(async ({ at, holder, watcher }) => {
      const opening = open({ at, operations: operationsAt, thread: false })
      opening.catch(() => {})
      // The migration waits for the lock for a second, gives up so that others do not queue behind it, and waits again.
      await isMigrationWaiting(watcher, true)
      await isMigrationWaiting(watcher, false)
      await isMigrationWaiting(watcher, true)
      await holder.query('rollback')
      const opened = await opening
      assert.ok(opened.migrated.includes('0001'))
      await opened.close()
    }))

  test('fails with the cause and what to do when the table stays locked', () =>
    onLocked(async ({ at }) => {
      assert.ok('databaseUrl' in at)
      await assert.rejects(migratePostgres(at.databaseUrl, 0, 0), /another session holds a lock .* start Daybook again/)
    }))

  test('fails with the cause when the server ends its connection', () =>
    onLocked(async ({ at, watcher }) => {
      assert.ok('databaseUrl' in at)
      const migrating = migratePostgres(await withoutPooler(at.databaseUrl), 0)
      const failed = assert.rejects(migrating, { code: '57P01' })
      await isMigrationWaiting(watcher, true)
      await terminate(watcher, 'wait_event_type = $1', 'Lock')
      await failed
    }))

  test('fails when the server ends its connection between two tries', () =>
    onLocked(async ({ at, watcher }) => {
      assert.ok('databaseUrl' in at)
      const migrating = migratePostgres(await withoutPooler(at.databaseUrl), 0)
      const failed = assert.rejects(migrating, /connection/i)
      await isMigrationWaiting(watcher, true)
      await isMigrationWaiting(watcher, false)
      await terminate(watcher, 'query = $1', 'rollback')
      await failed
    }))
})

/** Ends the one session of this database that meets a condition on pg_stat_activity, once there is one. */
function terminate(client: pg.Client, condition: string, value: string): Promise<void> {
  const read = async () => {
    const { rows } = await client.query(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity where datname = current_database() and ${condition}`,
      [value],
    )
    return rows
  }
  return waitForValue(read, [{ ended: true }])
}

interface Locked {
  readonly at: FreshDatabase['at']
  readonly holder: pg.Client
  readonly watcher: pg.Client
}

// Runs `work` on a PostgreSQL database in which the transaction of `holder` has locked the table that every migration
// reads.
async function onLocked(work: (locked: Locked) => Promise<void>): Promise<void> {
  await onEmpty('postgres', async ({ at }) => {
    assert.ok('databaseUrl' in at)
    const connectionString = await withoutPooler(at.databaseUrl)
    const [holder, watcher] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })]
    await Promise.all([holder.connect(), watcher.connect()])
    try {
      await holder.query('create table migration (name text primary key, applied_at bigint not null)')
      await holder.query('begin; lock table migration in access exclusive mode')
      await work({ at, holder, watcher })
    } finally {
      await Promise.all([holder.end(), watcher.end()])
    }
  })
}

/**
 * Resolves once a session of this database waits for a lock on a table, or once none does; fails when that has not
 * happened after `hangLimit`.
 */
function isMigrationWaiting(client: pg.Client, expected: boolean): Promise<void> {
  const read = async (): Promise<boolean> => {
    const { rows } = await client.query(
      `select exists (select from pg_locks join pg_database on oid = database
        where datname = current_database() and locktype = 'relation' and not granted) as waiting`,
    )
    return rows[0].waiting
  }
  return waitForValue(read, expected)
}

test('each part of a migration for one database belongs to a file for both, without which it is never applied', async () => {
  const names = new Set(await migrationNames())
  const files = readdirSync(new URL('../../src/db/migrations/', import.meta.url))
  assert.deepEqual(
    files.filter((file) => !names.has(file.split('.', 1)[0] ?? '')),
    [],
  )
})

test('a new data directory is readable by its owner only', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  const dataDir = join(parent, 'deep', 'data')
  const opened = await open({ at: { dataDir }, operations: operationsAt })
  for (const [path, mode] of [
    ['', 0o700],
    ['daybook.db', 0o600],
    ['daybook.db-wal', 0o600],
  ] as const) {
    assert.equal(statSync(join(dataDir, path)).mode & 0o777, mode, path)
  }
  await opened.close()
  rmSync(parent, { recursive: true })
})

async function onEmpty(kind: DatabaseKind, work: (fresh: Pick<FreshDatabase, 'at'>) => Promise<void>): Promise<void> {
  const fresh = kind === 'postgres' ? await emptyDatabase() : undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'daybook-test-'))
  try {
    await work(fresh ?? { at: { dataDir } })
  } finally {
    await fresh?.remove()
    rmSync(dataDir, { recursive: true })
  }
}

async function openInProcess(at: FreshDatabase['at']): Promise<string[]> {
  const script = `
    const { open } = await import(process.argv[1])
    const opened = await open({ at: JSON.parse(process.argv[2]), operations: new URL(process.argv[3]) })
    process.stdout.write(JSON.stringify(opened.migrated))
    await opened.close()`
  const module = new URL('../../src/server/open.ts', import.meta.url)
  const options = ['--input-type=module', '-e', script, module.href, JSON.stringify(at), operationsAt.href]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  return JSON.parse(printed)
}
