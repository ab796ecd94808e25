import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { freshDatabase } from '../support/databases.ts'
import { command } from '../support/daybook.ts'
import { hasPostgres } from '../support/postgres.ts'

test('on PostgreSQL, vacuum waits for older transactions, which may still see what was erased', {
  skip: hasPostgres() ? false : 'PostgreSQL is not installed',
}, async (t) => {
  const fresh = await freshDatabase('postgres')
  t.after(() => fresh.remove())
  assert.ok('databaseUrl' in fresh.at)
  const { databaseUrl } = fresh.at
  const [older, other] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)]
  await older.connect()
  await other.connect()
  await older.query('begin isolation level repeatable read')
  const [session] = (await older.query('select pg_backend_pid() as pid from migration limit 1')).rows

  let ended = false
  const vacuum = command(['vacuum', '--database-url', databaseUrl]).finally(() => {
    ended = true
  })
  const looking = `select 1 from pg_stat_activity where datname = current_database() and query like '%xact_start <%'
    and state = 'idle'`
  while (!ended && (await other.query(looking)).rows.length === 0);
  assert.equal(ended, false)
  await older.query('commit')
  await older.end()
  await other.end()

  const { code, stdout, stderr } = await vacuum
  assert.equal(code, 0, stderr)
  assert.match(stderr, new RegExp(`^vacuum: waiting for transactions \\(process .*\\b${session?.pid}\\b.*\\) …$`, 'm'))
  assert.match(stdout, /^Rewritten\./)
})
