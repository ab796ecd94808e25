import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import pg from 'pg'
import { copyEnv, interruptCopy, makeCopiedSite, makeSource, placeOptions } from '../support/copies.ts'
import { freshDatabase, withoutPooler } from '../support/databases.ts'
import { type CommandResult, command, commandInProcess, freshFolder, launch } from '../support/daybook.ts'
import { InsertLock } from '../support/insert-lock.ts'
import { pause } from '../support/pause.ts'
import { hasPostgres } from '../support/postgres.ts'
import { openSql } from '../support/sql.ts'

const postgres = { skip: hasPostgres() ? false : 'PostgreSQL is not installed', timeout: 600_000 }
const keyFile = (dataDir: string): string => join(dataDir, 'secret.key')

describe('a copy', { timeout: 600_000 }, () => {
  let source: string
  before(async () => {
    source = await makeSource()
  })

  const run = (...args: readonly string[]) => commandInProcess(args, copyEnv)
  const copy = (to: string, ...options: readonly string[]) => run('copy', '--data-dir', source, '--to', to, ...options)

  function assertHasKey(dataDir: string): void {
    assert.equal(readFileSync(keyFile(dataDir), 'utf8'), readFileSync(keyFile(source), 'utf8'))
    if (process.platform !== 'win32') assert.equal(statSync(keyFile(dataDir)).mode & 0o777, 0o600)
  }

  test('to another directory has the key file, which its owner alone can read', async () => {
    const to = freshFolder()
    const { code, stderr } = await copy(to)
    assert.equal(code, 0, stderr)
    assertHasKey(to)
  })

  test('does not replace another encryption key', async () => {
    const to = freshFolder()
    const other = `${'5e'.repeat(32)}\n`
    writeFileSync(keyFile(to), other)
    const { code, stderr } = await copy(to)
    assert.equal(code, 1)
    assert.match(stderr, /secret\.key contains another encryption key/)
    assert.equal(readFileSync(keyFile(to), 'utf8'), other)
  })

  test('of a database with contradictions has the key file too', async (t) => {
    const from = freshFolder()
    assert.equal((await run('copy', '--data-dir', source, '--to', from)).code, 0)
    assertHasKey(from)
    const sql = openSql({ dataDir: from })
    t.after(() => sql.close())
    await sql('delete from occupancy')
    sql.rest()
    const to = freshFolder()
    const { code, stdout, stderr } = await run('copy', '--data-dir', from, '--to', to)
    assert.equal(code, 1)
    assert.match(stderr, /The copy is complete.*\n3 confirmed reservations hold no seat\./)
    assert.match(stdout, /^Copied \d+ rows of \d+ tables/)
    assertHasKey(to)
  })

  test('whose rows differ from the source stays unfinished', async (t) => {
    const from = freshFolder()
    assert.equal((await copy(from)).code, 0)
    const to = freshFolder()
    await interruptCopy(from, to)
    const sql = openSql({ dataDir: from })
    t.after(() => sql.close())
    const [first] = await sql('select min(id) as id from customer')
    await sql("update customer set phone = '1' where id = ?", [String(first?.id)])
    sql.rest()
    const again = ['copy', '--data-dir', from, '--to', to]
    const differs = await run(...again)
    assert.equal(differs.code, 1)
    assert.match(differs.stderr, /The table customer differs: .* copy with --again\./)
    assert.match((await run('doctor', '--data-dir', to)).stderr, /unfinished copy/)
    const further = await run('copy', '--data-dir', to, '--to', freshFolder())
    assert.match(further.stderr, /The source is itself an unfinished copy/)
    const anew = await run(...again, '--again')
    assert.equal(anew.code, 0, anew.stderr)
  })

  test('says that the key must stay set where the source has it from the environment', async () => {
    const to = freshFolder()
    const env = { ...copyEnv, DAYBOOK_SECRET_KEY: 'a1'.repeat(32) }
    const { code, stdout, stderr } = await commandInProcess(['copy', '--data-dir', source, '--to', to], env)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /DAYBOOK_SECRET_KEY must stay set/)
    assert.equal(existsSync(keyFile(to)), false)
  })

  test('killed while it copies continues where it stopped', postgres, async (t) => {
    const to = await migrated(t)
    await using lock = await InsertLock.acquire(to)
    const client = await connected(t, to)
    await killedCopy(to, lock.waitForBlocked(1))
    const versions = 'select min(xmin::text) as first, max(xmin::text) as last, count(*)::int from customer'
    const before = (await client.query(versions)).rows
    assert.equal(before[0]?.count, 705)
    await lock.release()
    const { code, stdout, stderr } = await copy(to)
    assert.equal(code, 0, stderr)
    assert.match(stdout, / 705 customers, 3 reservations/)
    assert.match(stdout, /DAYBOOK_SECRET_KEY with the content of .*secret\.key/)
    assert.deepEqual((await client.query(versions)).rows, before)
  })

  test('killed at its last steps continues, and names the key', postgres, async (t) => {
    const to = await migrated(t)
    const client = await connected(t, to)
    // This lock permits reads and writes of the table, but not `analyze`.
    await client.query('begin; lock table site in share update exclusive mode')
    await killedCopy(to, waitForLock(client))
    await client.query('rollback')
    const { code, stdout, stderr } = await copy(to)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /DAYBOOK_SECRET_KEY with the content of .*secret\.key/)
  })

  test('from PostgreSQL refuses writes of other processes until it is finished', postgres, async (t) => {
    const [from, to] = [await migrated(t), await migrated(t)]
    await makeCopiedSite(from)
    await using lock = await InsertLock.acquire(to)
    const copying = command(['copy', ...placeOptions(from), '--to', to], copyEnv)
    await Promise.race([lock.waitForBlocked(1), endsEarly(copying)])
    const late = await run('token', 'create', '--name', 'late', '--scope', 'read', ...placeOptions(from))
    await lock.release()
    const { code, stdout, stderr } = await copying
    assert.equal(code, 0, stderr)
    assert.deepEqual([late.code, late.stdout], [1, ''])
    assert.match(stdout, /DAYBOOK_SECRET_KEY must stay set/)
    const after = await run('token', 'create', '--name', 'after', '--scope', 'read', ...placeOptions(from))
    assert.equal(after.code, 0, after.stderr)
  })

  test('from PostgreSQL is refused while another client is connected to the source', postgres, async (t) => {
    const from = await migrated(t)
    // A pooler would give the copy the session that the idle client leaves to it.
    await connected(t, await withoutPooler(from))
    const { code, stderr } = await run('copy', ...placeOptions(from), '--to', freshFolder())
    assert.equal(code, 1)
    assert.match(stderr, /Something else is connected to the source/)
  })

  /** Starts a copy to a PostgreSQL database, and kills it as soon as `isReached` resolves. */
  async function killedCopy(to: string, isReached: Promise<void>): Promise<void> {
    const child = launch(['copy', '--data-dir', source, '--to', to], copyEnv)
    const ended = once(child, 'exit')
    await Promise.race([isReached, endsEarly(ended)])
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
  }
})

async function endsEarly(ended: Promise<CommandResult | unknown[]>): Promise<never> {
  assert.fail(`The copy ended before it was blocked: ${JSON.stringify(await ended)}`)
}

type Cleanup = { after(clean: () => Promise<void>): void }

/** Creates an empty migrated PostgreSQL database for one test, and returns its URL. */
async function migrated(t: Cleanup): Promise<string> {
  const fresh = await freshDatabase('postgres')
  t.after(() => fresh.remove())
  return 'databaseUrl' in fresh.at ? fresh.at.databaseUrl : assert.fail()
}

async function connected(t: Cleanup, url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  t.after(() => client.end())
  return client
}

/** Resolves once another client of the database waits for a lock on a table. */
async function waitForLock(client: pg.Client): Promise<void> {
  const waiting = `
    select 1 from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and locktype = 'relation' and not granted`
  while ((await client.query(waiting)).rows.length === 0) await pause()
}
