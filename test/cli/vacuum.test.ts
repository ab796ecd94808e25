import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { writeAtomically } from '../../src/cli/data/atomic-file.ts'
import { connectedDatabase } from '../support/connected-database.ts'
import { freshDatabase } from '../support/databases.ts'
import { command, freshFolder } from '../support/daybook.ts'
import { hasPostgres } from '../support/postgres.ts'

const skip = hasPostgres() ? false : 'PostgreSQL is not installed'

test('vacuum names every copy of the database in the data directory, also of interrupted commands', async () => {
  const dataDir = freshFolder()
  const backup = join(freshFolder(), 'daybook.bak')
  const daybook = async (...args: string[]) => {
    const { code, stdout, stderr } = await command([...args, '--data-dir', dataDir])
    assert.equal(code, 0, stderr)
    return stdout
  }
  const named = async () =>
    [...(await daybook('vacuum')).matchAll(/^(.+) still holds what was erased since it was written/gm)].map(
      ([, path]) => path,
    )
  await daybook('migrate')
  await daybook('backup', backup)
  assert.deepEqual(await named(), [])
  const [, replaced] = /kept as (\S+);/.exec(await daybook('restore', backup)) ?? []
  assert.ok(replaced)
  const [unfinished, panelBackup] = ['daybook.db.restoring', 'backup.db'].map((name) => join(dataDir, name))
  assert.ok(unfinished && panelBackup)
  copyFileSync(backup, unfinished)
  // While a backup is being written, its temporary file is what a killed one leaves.
  await writeAtomically(panelBackup, async (partial) => {
    copyFileSync(backup, partial)
    assert.deepEqual(await named(), [partial, replaced, unfinished])
    return true
  })
  assert.deepEqual(await named(), [panelBackup, replaced, unfinished])
})

test('on PostgreSQL, vacuum leaves the collation of every column of an emptied table', { skip }, async (t) => {
  const { databaseUrl, client } = await connectedDatabase(t)
  // Only columns with statistics of an empty table are changed.
  await client.query(`insert into busy (id, provider_id, source, start_at, end_at, note)
    select 'b' || n, n, 'time_off', 0, 60, 'note ' || n from generate_series(1, 100) as n`)
  await client.query('analyze busy')
  await client.query('delete from busy')
  const collations = async () => {
    const { rows } = await client.query(`select table_name, column_name, collation_name from information_schema.columns
      where table_schema = current_schema() and data_type = 'text' order by 1, 2`)
    return rows
  }
  const statistics = async () => (await client.query("select 1 from pg_stats where tablename = 'busy'")).rowCount ?? 0
  const before = await collations()
  const counted = await statistics()
  const { code, stderr } = await command(['vacuum', '--database-url', databaseUrl])
  assert.equal(code, 0, stderr)
  assert.ok((await statistics()) < counted, 'no statistics were dropped')
  assert.deepEqual(await collations(), before)
})

test('on PostgreSQL, vacuum waits for older transactions, which may still see what was erased', {
  skip,
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
