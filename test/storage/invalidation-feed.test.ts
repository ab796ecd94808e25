import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { InvalidationFeed } from '../../src/db/postgres/invalidation-feed.ts'
import type { Invalidation } from '../../src/scheduling/invalidation.ts'
import { type OpenStorage, open } from '../../src/server/open.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { connectedDatabase } from '../support/connected-database.ts'
import { adjustableClock } from '../support/database-clock.ts'
import {
  contextWith,
  databasesHere,
  emptyDatabase,
  type FreshDatabase,
  freshDatabase,
  openPatientPool,
  withoutPooler,
} from '../support/databases.ts'
import { pause } from '../support/pause.ts'
import { operationsAt, type TestCommands } from './test-operations.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false
const day = 86_400
const commits = 1_000_000

// The pool opens no connection, since a feed that is not started polls nothing.
test('a feed that is not started, as in the outbound thread, stores nothing about the commits that it applies', async () => {
  const pool = openPatientPool('postgres://127.0.0.1/none')
  let applied = 0
  const feed = new InvalidationFeed(pool, (invalidations) => {
    applied += invalidations.length
  })
  const used = () => {
    collectGarbage()
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
      // With one connection, which its polls have opened, nothing waits for another one to be opened within 800 ms.
      poolSize: 1,
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

  /**
   * Opens a transaction with a number in another database of the server, with the role of the server's administrator;
   * `close` ends it.
   */
  const openStranger = async () => {
    const elsewhere = await emptyDatabase()
    assert.ok('databaseUrl' in elsewhere.at)
    const client = new pg.Client({ connectionString: elsewhere.at.databaseUrl })
    await client.connect()
    await client.query('begin; create table elsewhere (id integer)')
    return {
      close: async () => {
        await client.end()
        await elsewhere.remove()
      },
    }
  }
  /**
   * Commits seven times 1,000 rows for providers from `first` on, and calls `poll` after each commit; fails when a poll
   * misses a row. Returns whether a poll cleared all caches. Together the rows are more than one poll reads one by one,
   * so that happens only when rows are read again.
   */
  const readsAgain = async (poll: () => Promise<ReadonlySet<string>>, first: number): Promise<boolean> => {
    await poll()
    let cleared = false
    for (let provider = first; provider < first + 7_000; provider += 1_000) {
      await other.query(
        `insert into busy (id, provider_id, source, start_at, end_at, note)
         select 'part ' || n, n, 'time_off', 0, 60, '' from generate_series($1::integer, $1::integer + 999) as n`,
        [provider],
      )
      const found = await poll()
      const isCleared = found.has('everything 0-0')
      if (!isCleared) includes(found, `p${provider} 0-0`, `p${provider + 999} 0-0`)
      cleared ||= isCleared
    }
    return cleared
  }

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
    const stranger = await openStranger()
    try {
      assert.equal(await readsAgain(caughtUp, 1_000), false)
    } finally {
      await stranger.close()
    }
  })

  // PostgreSQL hides the statements of other roles' sessions from a role without `pg_read_all_stats`, but not the
  // transaction numbers of these sessions.
  test('reads no row again because of such a transaction of another role, without a privilege', async () => {
    assert.ok('databaseUrl' in fresh.at)
    const url = new URL(await withoutPooler(fresh.at.databaseUrl))
    url.username = url.password = `feed_${randomBytes(6).toString('hex')}`
    const role = url.username
    await other.query(`create role ${role} login password '${role}'; grant select, delete on invalidation to ${role}`)
    const stranger = await openStranger()
    const pool = openPatientPool(url.href)
    let read: Invalidation[] = []
    const feed = new InvalidationFeed(pool, (invalidations) => read.push(...invalidations))
    const caughtUpAsRole = async () => {
      await feed.caughtUp()
      const found = new Set(read.map(({ subject, firstDay, lastDay }) => `${subject} ${firstDay}-${lastDay}`))
      read = []
      return found
    }
    try {
      const { rows } = await pool.query(`select distinct query from pg_stat_activity where backend_xid is not null`)
      assert.deepEqual(rows, [{ query: '<insufficient privilege>' }])
      assert.equal(await readsAgain(caughtUpAsRole, 10_000), false)
    } finally {
      await pool.end()
      await stranger.close()
      await other.query(`drop owned by ${role}; drop role ${role}`)
    }
  })

  test('deletes no row before every node had ten minutes to read it', async () => {
    assert.ok('databaseUrl' in fresh.at)
    const pool = openPatientPool(fresh.at.databaseUrl)
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
    const pool = openPatientPool(fresh.at.databaseUrl)
    await other.query(
      `insert into invalidation (tx, subject, first_day, last_day, created_at) values (1e15, 'p32', 0, 0, 0)`,
    )
    await new InvalidationFeed(pool, () => {}).caughtUp()
    assert.equal((await other.query(`select 1 from invalidation where subject = 'p32'`)).rowCount, 0)
    await pool.end()
  })

  test('clears all caches after a suspension, during which the clock of the node stood still', async (t) => {
    const { databaseUrl, client } = await connectedDatabase(t)
    const setAhead = await adjustableClock(client)
    // A pooler would give the pool a session that began before the clock was replaced.
    const pool = openPatientPool(await withoutPooler(databaseUrl))
    t.after(() => pool.end())
    let cleared = 0
    const feed = new InvalidationFeed(
      pool,
      (invalidations) => {
        cleared += invalidations.filter(({ subject }) => subject === 'everything').length
      },
      () => 0,
    )
    const clearedAt = async (seconds: number) => {
      await setAhead(seconds)
      cleared = 0
      await feed.caughtUp()
      return cleared
    }
    await clearedAt(0)
    assert.equal(await clearedAt(200), 0)
    assert.equal(await clearedAt(600), 1)
    assert.equal(await clearedAt(600), 0)
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

  test('is fresh while its polls are answered, and no longer than a second after the start of one', async () => {
    assert.ok('databaseUrl' in fresh.at)
    const pool = openPatientPool(fresh.at.databaseUrl)
    let clock = 0
    const feed = new InvalidationFeed(
      pool,
      () => {},
      () => clock,
    )
    try {
      assert.equal(feed.isFresh(), false)
      await feed.start()
      clock = 999
      assert.equal(feed.isFresh(), true)
      clock = 1_000
      assert.equal(feed.isFresh(), false)
      while (!feed.isFresh()) await pause()
    } finally {
      await feed.close()
      await pool.end()
    }
  })
})
