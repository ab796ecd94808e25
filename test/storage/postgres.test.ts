import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../../src/db/database.ts'
import { postgresFailure } from '../../src/db/failures.ts'
import { PostgresReads } from '../../src/db/postgres/postgres-reads.ts'
import { requestPatience } from '../../src/db/postgres/postgres-writes.ts'
import { open } from '../../src/server/open.ts'
import {
  contextWith,
  databasesHere,
  type FreshDatabase,
  freshDatabase,
  openPatientPool,
  withoutPooler,
  withStorage,
} from '../support/databases.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false
const keyed = contextWith({ idempotency: { scope: 's', key: 'k', hash: 'h' } })

describe('postgres', { skip }, () => {
  test('while the first call with a key runs, a second is refused after a while and replayed later', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ perform, db }, fresh) => {
      assert.ok('databaseUrl' in fresh.at)
      await using lock = await InsertLock.acquire(fresh.at.databaseUrl, 'idempotency')
      const first = perform('count', { keys: [] }, keyed)
      await lock.waitForBlocked(1)
      const sentAt = performance.now()
      const second = perform('count', { keys: [] }, keyed)
      // The connection of the second call may take long to open.
      await Promise.race([second, lock.waitForOtherLocks(1)])
      const waitsAt = performance.now()
      const refused = await second
      const endedAt = performance.now()
      assert.equal('refused' in refused && refused.refused.code, 'idempotency_in_progress')
      assert.ok(endedAt - sentAt > 1500, `${endedAt - sentAt} ms`)
      assert.ok(endedAt - waitsAt < 2900, `${endedAt - waitsAt} ms`)
      await lock.release()
      assert.deepEqual(await first, { ok: { count: 1 } })
      assert.deepEqual(await perform('count', { keys: [] }, keyed), { ok: { count: 1 }, replayed: true })
      assert.equal((await db.build.selectFrom('assignment').selectAll().execute()).length, 1)
    }))

  test('a write that waits too long for its keys is unavailable', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ perform }, fresh) => {
      const gate = await beside(fresh)
      await gate.query("select pg_advisory_lock(hashtextextended('gate', 0))")
      const outcome = await perform('count', { keys: ['gate'] }, contextWith())
      assert.equal('fault' in outcome && outcome.fault, 'unavailable')
      await gate.end()
    }))

  test('a write behind a lock on the whole event log is unavailable in seconds, and waits no longer', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ perform }, fresh) => {
      const gate = await beside(fresh)
      // `vacuum full` takes the same lock.
      await gate.query('begin; lock table event in access exclusive mode')
      const watcher = await beside(fresh)
      for (const context of [contextWith(), keyed]) {
        const since = performance.now()
        const outcome = await perform('count', { keys: [] }, context)
        const waited = performance.now() - since
        assert.equal('fault' in outcome && outcome.fault, 'unavailable')
        assert.ok(waited < 10_000, `${waited} ms`)
        assert.equal(await waitingForLocks(watcher), 0)
      }
      await gate.end()
      assert.deepEqual(await perform('count', { keys: [] }, keyed), { ok: { count: 1 } })
      await watcher.end()
    }))

  test('a read behind a lock on a table is unavailable in seconds, and waits no longer', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ db }, fresh) => {
      const gate = await beside(fresh)
      await gate.query('begin; lock table busy in access exclusive mode')
      const watcher = await beside(fresh)
      const read = (from: Database) => from.build.selectFrom('busy').selectAll().execute()
      for (const attempt of [() => read(db), () => db.snapshot(read)]) {
        const since = performance.now()
        const failure = await attempt().catch((error: unknown) => db.dialect.failure(error))
        const waited = performance.now() - since
        assert.equal(failure, 'unavailable')
        assert.ok(waited < 10_000, `${waited} ms`)
        assert.equal(await waitingForLocks(watcher), 0)
      }
      await gate.end()
      assert.deepEqual(await read(db), [])
      await watcher.end()
    }))

  test('a read is unavailable while the role may not log in', async (t) => {
    const fresh = await freshDatabase('postgres')
    const admin = await beside(fresh)
    const role = `reader_${randomBytes(6).toString('hex')}`
    await admin.query(`create role ${role} login; grant select on busy to ${role}`)
    assert.ok('databaseUrl' in fresh.at)
    const url = new URL(await withoutPooler(fresh.at.databaseUrl))
    url.username = role
    const pool = openPatientPool(url.href)
    t.after(async () => {
      await pool.end()
      await admin.query(`drop owned by ${role}; drop role ${role}`)
      await admin.end()
      await fresh.remove()
    })
    const read = () => pool.query('select * from busy')
    await read()
    await admin.query(`alter role ${role} nologin`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role])
    let refused: { readonly code?: string } = {}
    while (refused.code !== '28000') refused = await read().catch((error) => error)
    assert.equal(postgresFailure(refused), 'unavailable')
  })

  test('a stream is unavailable while clients read as many as may run at once', async () => {
    const fresh = await freshDatabase('postgres')
    assert.ok('databaseUrl' in fresh.at)
    // With two connections, one stream runs at a time.
    const db = new PostgresReads(openPatientPool(fresh.at.databaseUrl, 2), requestPatience)
    const start = () => db.stream(db.build.selectFrom('migration').select('name').compile())[Symbol.asyncIterator]()
    const slow = start()
    assert.equal((await slow.next()).done, false)
    const since = performance.now()
    const failure = await start()
      .next()
      .catch((error: unknown) => db.dialect.failure(error))
    const waited = performance.now() - since
    assert.equal(failure, 'unavailable')
    assert.ok(waited < 10_000, `${waited} ms`)
    await slow.return?.()
    const next = start()
    assert.equal((await next.next()).done, false)
    await next.return?.()
    await db.close()
    await fresh.remove()
  })

  test('edits that share the catalogue lock run in parallel, one that holds it exclusively waits', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ perform }, fresh) => {
      const reader = await beside(fresh)
      await reader.query("select pg_advisory_lock_shared(hashtextextended('catalogue', 0))")
      assert.deepEqual(await perform('count', { keys: ['catalogue'] }, contextWith()), { ok: { count: 1 } })
      const alone = perform('count', { keys: ['catalogue!'] }, contextWith())
      while ((await waitingForLocks(reader)) === 0) await pause()
      await reader.end()
      assert.deepEqual(await alone, { ok: { count: 2 } })
    }))

  test('deadlocked writes are retried until both succeed', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ perform }) => {
      const outcomes = await Promise.all([
        perform('lockInTurn', { keys: ['a', 'b'] }, contextWith()),
        perform('lockInTurn', { keys: ['b', 'a'] }, contextWith()),
      ])
      assert.deepEqual(outcomes, [{ ok: null }, { ok: null }])
    }))

  // The codes of a serialization failure, of a deadlock and, as an error that no retry can avoid, of a division by zero.
  for (const [state, attempts, reported] of [
    ['40001', 4, 'unavailable'],
    ['40P01', 4, 'unavailable'],
    ['22012', 1, 'internal'],
  ] as const)
    test(`a write that always fails with SQLSTATE ${state} is tried ${attempts} times, then ${reported}`, () =>
      withStorage<TestCommands>('postgres', operationsAt, async ({ perform }, fresh) => {
        const counter = await beside(fresh)
        try {
          await counter.query('create sequence attempt')
          for (const [round, context] of [contextWith(), keyed].entries()) {
            const outcome = await perform('failWithState', { state }, context)
            assert.equal('fault' in outcome && outcome.fault, reported)
            const { rows } = await counter.query('select last_value::int as last from attempt')
            assert.deepEqual(rows, [{ last: attempts * (round + 1) }])
          }
        } finally {
          await counter.end()
        }
        // The connection that the last attempt used serves further writes.
        assert.deepEqual(await perform('add', { id: 'a' }, contextWith()), { ok: { id: 'a' } })
      }))

  test('connections that the server closes are replaced, and each write is stored exactly if acknowledged, once', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ perform, db }, fresh) => {
      const killer = await beside(fresh)
      const results = { ok: 0, unavailable: 0 }
      const writer = async () => {
        for (let i = 0; i < 40; i++) {
          const outcome = await perform('count', { keys: ['counter'] }, contextWith())
          assert.ok('ok' in outcome || ('fault' in outcome && outcome.fault === 'unavailable'), JSON.stringify(outcome))
          results['ok' in outcome ? 'ok' : 'unavailable'] += 1
        }
      }
      const writing = Promise.all(Array.from({ length: 5 }, writer))
      for (let round = 0; round < 5; round++) {
        await killer.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
      }
      await writing
      await killer.end()
      const next = await perform('count', { keys: ['counter'] }, contextWith())
      const counted = 'ok' in next ? next.ok.count : 0
      // The counter must include every acknowledged write (`ok`) and may include each `unavailable` one, which may have
      // been committed although its response was lost. The last call adds 1.
      assert.ok(
        counted > results.ok && counted <= results.ok + results.unavailable + 1,
        JSON.stringify({ counted, results }),
      )
      assert.equal((await db.build.selectFrom('assignment').selectAll().execute()).length, 1)
    }))

  test('when all connections are taken a write is unavailable within about a second', async () => {
    const fresh = await freshDatabase('postgres')
    const { perform, db, close } = await open<TestCommands>({ at: fresh.at, operations: operationsAt, poolSize: 1 })
    await db.snapshot(async () => {
      // The wait for a connection ends by a timer of this thread, which therefore precedes this one even when both are
      // late.
      const outcome = await Promise.race([perform('add', { id: 'a' }, contextWith()), setTimeout(2_000, null)])
      assert.equal(outcome !== null && 'fault' in outcome && outcome.fault, 'unavailable')
    })
    assert.deepEqual(await perform('add', { id: 'a' }, contextWith()), { ok: { id: 'a' } })
    await close()
    await fresh.remove()
  })

  test('a write of a thread that serves no requests waits until the running writes end', async () => {
    const fresh = await freshDatabase('postgres')
    const gate = await beside(fresh)
    // With three connections, one write runs at a time.
    const options = { at: fresh.at, operations: operationsAt, poolSize: 3, thread: false }
    const { perform, close } = await open<TestCommands>(options)
    await gate.query("select pg_advisory_lock(hashtextextended('gate', 0))")
    const since = performance.now()
    // The first write fails when it has waited three seconds for its lock.
    const first = perform('count', { keys: ['gate'] }, contextWith())
    const second = perform('add', { id: 'a' }, contextWith())
    assert.deepEqual(await second, { ok: { id: 'a' } })
    assert.ok(performance.now() - since > 2_500)
    assert.ok('fault' in (await first))
    await gate.end()
    await close()
    await fresh.remove()
  })

  test('a read that cannot be served now is distinguished from an invalid one', () =>
    withStorage<TestCommands>('postgres', operationsAt, async ({ db }, fresh) => {
      const killer = await beside(fresh)
      const failure = await db
        .snapshot(async (snapshot) => {
          await killer.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
          )
          return snapshot.build.selectFrom('busy').selectAll().execute()
        })
        .catch((error: unknown) => db.dialect.failure(error))
      await killer.end()
      assert.equal(failure, 'unavailable')
      assert.deepEqual(await db.build.selectFrom('busy').selectAll().execute(), [])
    }))
})

// Opens a separate connection without the pooler, because session locks belong to a connection.
async function beside({ at }: FreshDatabase): Promise<pg.Client> {
  assert.ok('databaseUrl' in at)
  const client = new pg.Client({ connectionString: await withoutPooler(at.databaseUrl) })
  await client.connect()
  return client
}
