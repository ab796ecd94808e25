import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { InvalidationFeed } from '../../src/db/postgres/invalidation-feed.ts'
import { openPool } from '../../src/db/postgres/postgres.ts'
import type { Invalidation } from '../../src/scheduling/invalidation.ts'
import { type OpenStorage, open } from '../../src/server/open.ts'
import { contextWith, databasesHere, emptyDatabase, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false
const day = 86_400
const commits = 1_000_000

// The pool opens no connection, since a feed that is not started polls nothing.
test('a feed that is not started, as in the outbound thread, stores nothing about the commits that it applies', async () => {
  const pool = openPool({ url: 'postgres://127.0.0.1/none', size: 1, warn: () => {} })
  let applied = 0
  const feed = new InvalidationFeed(pool, (invalidations) => {
    applied += invalidations.length
  })
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  for (let id = 0; id < commits; id++) feed.committed([{ id, subject: 'catalogue', first_day: 0, last_day: 0 }])
  const grown = used() - before
  assert.equal(applied, commits)
  // An id takes more than 16 bytes in a set.
  assert.ok(grown < 8 * commits, `${grown} bytes`)
  await feed.close()
  await pool.end()
})

describe('a node on PostgreSQL', { skip }, () => {
  let fresh: FreshDatabase
  let node: OpenStorage<TestCommands>
  let other: pg.Client
  let applied: Invalidation[] = []
  const subjects = () => applied.map(({ subject, firstDay, lastDay }) => `${subject} ${firstDay}-${lastDay}`)

  before(async () => {
    fresh = await freshDatabase('postgres')
    node = await open<TestCommands>({
      at: fresh.at,
      operations: operationsAt,
      onInvalidation: (invalidations) => applied.push(...invalidations),
    })
    assert.ok('databaseUrl' in fresh.at)
    other = new pg.Client({ connectionString: fresh.at.databaseUrl })
    await other.connect()
  })
  after(async () => {
    await other.end()
    await node.close()
    await fresh.remove()
  })

  const block = (id: string, provider: number, start: number, end: number) =>
    other.query(
      `insert into busy (id, provider_id, source, start_at, end_at, note) values ($1, $2, 'time_off', $3, $4, '')`,
      [id, provider, start, end],
    )
  /**
   * Returns the invalidations (subjects and days whose cached data a commit makes stale) that the node has applied
   * since the last call. The result is a set, because an invalidation may be applied twice, which is harmless.
   */
  const caughtUp = async (): Promise<ReadonlySet<string>> => {
    await node.applied.caughtUp()
    const found = new Set(subjects())
    applied = []
    return found
  }
  const includes = (found: ReadonlySet<string>, ...wanted: string[]) =>
    assert.deepEqual([...new Set(wanted).difference(found)], [], [...found].join())

  test('applies what another one commits, by resource and UTC day', async () => {
    await caughtUp()
    await block('a', 7, 100 * day + 3600, 101 * day)
    await block('b', 7, 100 * day, 102 * day + 1)
    includes(await caughtUp(), 'p7 100-100', 'p7 100-102')
    await other.query(`update busy set start_at = $1, end_at = $2 where id = 'a'`, [50 * day, 50 * day + 60])
    await other.query(`delete from busy where id = 'b'`)
    includes(await caughtUp(), 'p7 100-100', 'p7 100-102', 'p7 50-50')
  })

  test('misses no transaction that was open during its polls', async () => {
    await other.query('begin')
    await block('slow', 8, 3 * day, 3 * day + 60)
    assert.equal((await caughtUp()).has('p8 3-3'), false)
    // The transaction of `quick` begins after the one of `other`, which is still open, and commits before it.
    const quick = new pg.Client({ connectionString: 'databaseUrl' in fresh.at ? fresh.at.databaseUrl : '' })
    await quick.connect()
    await quick.query(
      `insert into busy (id, provider_id, source, start_at, end_at, note) values ('quick', 9, 'time_off', 0, 60, '')`,
    )
    await quick.end()
    includes(await caughtUp(), 'p9 0-0')
    assert.equal((await caughtUp()).has('p8 3-3'), false)
    await other.query('commit')
    includes(await caughtUp(), 'p8 3-3')
  })

  test('is told of everything when a statement changes more than a thousand rows', async () => {
    await other.query(
      `insert into busy (id, provider_id, source, start_at, end_at, note)
       select 'many' || n, 1, 'time_off', n * 100, n * 100 + 50, '' from generate_series(1, 1001) as n`,
    )
    includes(await caughtUp(), 'everything 0-0')
  })

  test('reads no row again because of a transaction in another database of the server', async () => {
    const elsewhere = await emptyDatabase()
    assert.ok('databaseUrl' in elsewhere.at)
    const stranger = new pg.Client({ connectionString: elsewhere.at.databaseUrl })
    await stranger.connect()
    try {
      await stranger.query('begin; create table elsewhere (id integer)')
      await caughtUp()
      // Together these are more rows than one poll reads one by one, so if all were read again, all caches would be
      // cleared.
      for (let part = 0; part < 7; part++) {
        await other.query(
          `insert into busy (id, provider_id, source, start_at, end_at, note)
           select 'part ' || $1::integer || ' ' || n, 1000 * ($1::integer + 1) + n, 'time_off', 0, 60, ''
           from generate_series(1, 1000) as n`,
          [part],
        )
        const found = await caughtUp()
        includes(found, `p${1000 * (part + 1) + 1} 0-0`)
        assert.equal(found.has('everything 0-0'), false, `part ${part}`)
      }
    } finally {
      await stranger.end()
      await elsewhere.remove()
    }
  })

  test('deletes no row before every node had ten minutes to read it', async () => {
    assert.ok('databaseUrl' in fresh.at)
    const pool = openPool({ url: fresh.at.databaseUrl, size: 1, warn: () => {} })
    let clock = 0
    const cleaner = new InvalidationFeed(
      pool,
      () => {},
      () => clock,
    )
    const read: Invalidation[] = []
    const reader = new InvalidationFeed(pool, (invalidations) => read.push(...invalidations))
    const cleanUpAt = async (seconds: number) => {
      clock = seconds * 1000
      await cleaner.caughtUp()
    }
    const rows = async () => (await other.query(`select 1 from invalidation where subject = 'p31'`)).rowCount
    try {
      await cleanUpAt(0)
      await reader.caughtUp()
      await other.query('begin')
      await block('long', 31, 0, 60)
      // The statement ran long before the commit.
      await other.query(`update invalidation set created_at = 0 where subject = 'p31'`)
      await cleanUpAt(700)
      await cleanUpAt(1_400)
      await other.query('commit')
      await cleanUpAt(1_500)
      const started = new InvalidationFeed(pool, () => {})
      await started.caughtUp()
      assert.equal(await rows(), 1)
      await reader.caughtUp()
      assert.ok(read.some(({ subject }) => subject === 'p31'))
      await cleanUpAt(2_099)
      assert.equal(await rows(), 1)
      await cleanUpAt(2_160)
      assert.equal(await rows(), 0)
    } finally {
      await pool.end()
    }
  })

  test('deletes old rows that were restored from a server with higher transaction numbers', async () => {
    assert.ok('databaseUrl' in fresh.at)
    const pool = openPool({ url: fresh.at.databaseUrl, size: 1, warn: () => {} })
    await other.query(
      `insert into invalidation (tx, subject, first_day, last_day, created_at) values (1e15, 'p32', 0, 0, 0)`,
    )
    await new InvalidationFeed(pool, () => {}).caughtUp()
    assert.equal((await other.query(`select 1 from invalidation where subject = 'p32'`)).rowCount, 0)
    await pool.end()
  })

  test('applies its own commits before the writer is answered', async () => {
    await caughtUp()
    const outcome = await node.perform('count', { keys: ['a'] }, contextWith())
    assert.ok('ok' in outcome)
    assert.ok(
      subjects().some((subject) => subject.startsWith('assignments:')),
      subjects().join(),
    )
  })

  test('is fresh while its polls are answered', () => assert.equal(node.applied.isFresh(), true))
})
