import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { BatchedQueries } from '../../src/db/postgres/batch.ts'
import { runQuery } from '../../src/db/postgres/postgres.ts'
import type { PostgresAnswer } from '../../src/db/postgres/types.ts'
import { statementName } from '../../src/db/query/prepared.ts'
import { together } from '../../src/db/together.ts'
import { databasesHere, freshDatabase, openPatientPool, withoutPooler } from '../support/databases.ts'
import { waitingForLocks } from '../support/lock-waits.ts'
import { pause } from '../support/pause.ts'

const skip = (await databasesHere()).find(({ kind }) => kind === 'postgres')?.skip ?? false

interface Connected {
  readonly client: pg.PoolClient
  /** Starts a query on the connection, as a prepared statement. */
  run(text: string, ...values: readonly unknown[]): Promise<PostgresAnswer>
  /** Runs statements without parameters. */
  script(text: string): Promise<PostgresAnswer>
  /** What the driver was given to send, one entry for each round trip. */
  readonly sent: readonly unknown[]
  /** Opens another connection to the database. */
  beside(): Promise<pg.Client>
}

describe('queries that are started together on PostgreSQL', { skip }, () => {
  for (const isNamed of [true, false]) {
    const kind = isNamed ? 'prepared' : 'unnamed'

    test(`take one round trip and run in their order, ${kind}`, async (t) => {
      const { run, script, sent } = await connected(t, isNamed)
      const before = sent.length
      const [inserted, read, counted] = await together([
        run('insert into one (id, text) values ($1, $2), ($3, $4)', 1, 'a', 2, null),
        run('select id, text, $1::text[] as list, 9007199254740991::bigint as big from one order by id', ['x"', 'y,']),
        run('select count(*) as count from one where id > $1', 1),
      ])
      assert.equal(sent.length - before, 1)
      assert.deepEqual([inserted.command, inserted.rowCount, inserted.rows], ['INSERT', 2, []])
      const shared = { list: ['x"', 'y,'], big: Number.MAX_SAFE_INTEGER }
      assert.deepEqual(read.rows, [
        { id: 1, text: 'a', ...shared },
        { id: 2, text: null, ...shared },
      ])
      assert.deepEqual(counted.rows, [{ count: 1 }])
      await script('commit')
    })

    test(`may be the same statement, before it has been prepared and afterwards, ${kind}`, async (t) => {
      const { run } = await connected(t, isNamed)
      const squares = async () => {
        const answers = await together([2, 3, 4].map((n) => run('select $1::int * $1::int as square', n)))
        return answers.map(({ rows }) => rows[0].square)
      }
      assert.deepEqual(await squares(), [4, 9, 16])
      assert.deepEqual(await squares(), [4, 9, 16])
      assert.deepEqual((await run('select $1::int * $1::int as square', 5)).rows, [{ square: 25 }])
      const { rows } = await run(`select statement as text from pg_prepared_statements where name <> $1`, '')
      assert.equal(
        rows.some(({ text }) => text.includes('square')),
        isNamed,
      )
    })

    test(`are rejected from the first failure on, and can run afterwards, ${kind}`, async (t) => {
      const { run, script } = await connected(t, isNamed)
      const insert = () => run('insert into one (id) values ($1)', 3)
      const outcomes = await Promise.allSettled([
        run('select $1::int as n', 1),
        run('select 1 / $1::int as n', 0),
        insert(),
      ])
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows : outcome.reason.code)),
        [[{ n: 1 }], '22012', '22012'],
      )
      await script('rollback')
      assert.deepEqual((await run('select count(*) as count from one where $1', true)).rows, [{ count: 0 }])
      await together([insert(), run('select 1 / $1::int as n', 1)])
      assert.deepEqual((await run('select count(*) as count from one where $1', true)).rows, [{ count: 1 }])
    })
  }

  test('see what was committed while an earlier one of them waited for a lock', async (t) => {
    const { run, beside, script } = await connected(t)
    const [holder, watcher] = [await beside(), await beside()]
    await script('rollback')
    await script('insert into one (id, text) values (1, $$old$$)')
    await script('begin')
    await holder.query('begin; select pg_advisory_xact_lock(7); update one set text = $$new$$')
    const both = together([
      run('select pg_advisory_xact_lock($1::bigint)', 7),
      run('select text from one where id = $1', 1),
    ])
    while ((await waitingForLocks(watcher)) === 0) await pause()
    await holder.query('commit')
    const [, read] = await both
    assert.deepEqual(read.rows, [{ text: 'new' }])
  })

  test('run before statements without parameters that are started after them', async (t) => {
    const { run, script } = await connected(t)
    const inserted = run('insert into one (id) values ($1)', 1)
    const [, dropped] = await together([inserted, script('delete from one; commit')])
    assert.ok(dropped)
    assert.deepEqual((await run('select count(*) as count from one where $1', true)).rows, [{ count: 0 }])
  })

  test('are all rejected when the answer takes too long, and when the connection breaks', async (t) => {
    for (const seconds of [0.2, 30]) {
      const { client, beside } = await connected(t)
      const queries = new BatchedQueries(client)
      const asked = ['select pg_sleep($1)', 'select $1 + 0'].map((text) =>
        runQuery(queries, { text, values: [20] }, seconds),
      )
      const rejected = Promise.allSettled(asked)
      if (seconds > 1) {
        const other = await beside()
        const sleeping = `from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()`
        while (!(await other.query(`select pg_terminate_backend(pid) ${sleeping}`)).rowCount) await pause()
      }
      const since = performance.now()
      assert.deepEqual(
        (await rejected).map(({ status }) => status),
        ['rejected', 'rejected'],
      )
      assert.ok(performance.now() - since < 10_000)
    }
  })

  test('are all rejected, and none runs, when a value cannot be converted', async (t) => {
    const { run } = await connected(t)
    const value = {
      toPostgres() {
        throw new TypeError('no text')
      },
    }
    const outcomes = await Promise.allSettled([
      run('insert into one (id) values ($1)', 1),
      run('select $1::text', value),
    ])
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.message),
      ['no text', 'no text'],
    )
    assert.deepEqual((await run('select count(*) as count from one where $1', true)).rows, [{ count: 0 }])
  })

  test('are rejected from the first number on that JavaScript cannot represent', async (t) => {
    const { run } = await connected(t)
    const outcomes = await Promise.allSettled(
      ['1', '9007199254740993', '2'].map((number) => run('select $1::bigint as n', number)),
    )
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows : outcome.reason.name)),
      [[{ n: 1 }], 'RangeError', 'RangeError'],
    )
    assert.deepEqual((await run('select $1::bigint as n', '5')).rows, [{ n: 5 }])
  })
})

test('queries together are rejected with the first error when all of them have ended', async () => {
  const order: string[] = []
  const ends = async (name: string, error?: Error) => {
    for (let turn = 0; turn < name.length; turn++) await undefined
    order.push(name)
    if (error) throw error
    return name
  }
  const first = new Error('first')
  await assert.rejects(together([ends('later', first), ends('now', new Error('second')), ends('at last')]), first)
  assert.deepEqual(order, ['now', 'later', 'at last'])
  assert.deepEqual(await together([ends('a'), 1, ends('b')]), ['a', 1, 'b'])
})

/** Connects to a fresh database with an empty table `one`, in an open transaction. */
async function connected(t: TestContext, isNamed = true): Promise<Connected> {
  const fresh = await freshDatabase('postgres')
  const given = String(Object(fresh.at).databaseUrl)
  // Behind a pooler, the URL of the database forbids prepared statements.
  const url = new URL(isNamed ? await withoutPooler(given) : given)
  url.searchParams.set('prepared_statements', isNamed ? 'yes' : 'no')
  const pool = openPatientPool(url.href)
  const others: pg.Client[] = []
  const client = await pool.connect()
  t.after(async () => {
    client.release(true)
    await Promise.all(others.map((other) => other.end().catch(() => {})))
    await pool.end()
    await fresh.remove()
  })
  await client.query('create table one (id int primary key, text text)')
  await client.query('begin')
  const sent: unknown[] = []
  const { query } = client
  client.query = (...given: readonly unknown[]) => {
    sent.push(given[0])
    return Reflect.apply(query, client, given)
  }
  const queries = new BatchedQueries(client)
  return {
    client,
    run: (text, ...values) => runQuery(queries, { text, name: statementName(text), values: [...values] }),
    script: (text) => runQuery(queries, { text }),
    sent,
    async beside() {
      const other = new pg.Client({ connectionString: await withoutPooler(url.href) })
      other.on('error', () => {})
      await other.connect()
      others.push(other)
      return other
    },
  }
}
