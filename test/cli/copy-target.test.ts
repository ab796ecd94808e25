import assert from 'node:assert/strict'
import { before, describe, type TestContext, test } from 'node:test'
import { copyEnv, interruptCopy, makeCopiedSite, makeSource, placeOptions } from '../support/copies.ts'
import { emptyDatabase } from '../support/databases.ts'
import { commandInProcess, freshFolder } from '../support/daybook.ts'
import { hasPostgres } from '../support/postgres.ts'
import { openSql, type Sql } from '../support/sql.ts'

/** A migration that changes nothing on SQLite. Without its row, a database is one of an earlier version. */
const undone = '0145'
const postgres = { skip: hasPostgres() ? false : 'PostgreSQL is not installed', timeout: 600_000 }

type Cleaning = Pick<TestContext, 'after'>

describe('the target of a copy', { timeout: 600_000 }, () => {
  let source: string
  before(async () => {
    source = await makeSource()
  })

  const copy = (to: string, ...options: readonly string[]) =>
    commandInProcess(['copy', '--data-dir', source, '--to', to, ...options], copyEnv)

  async function assertRefused(to: string): Promise<void> {
    const { code, stdout, stderr } = await copy(to)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /The target is not empty\. Copy into a new database\./)
  }

  for (const statement of ['create table invoice (id integer)', 'create table migration (id integer, name text)']) {
    test(`a database of another application stays as it is (${statement})`, async (t) => {
      const dataDir = freshFolder()
      const sql = openSql({ dataDir })
      t.after(() => sql.close())
      await sql(statement)
      await assertRefused(dataDir)
      const [, name] = /table (\w+)/.exec(statement) ?? []
      assert.deepEqual(await sql("select name from sqlite_schema where type = 'table'"), [{ name: String(name) }])
    })

    test(`a PostgreSQL database of another application stays as it is (${statement})`, postgres, async (t) => {
      const databaseUrl = await emptyPostgres(t)
      const sql = openSql({ databaseUrl, dataDir: '' })
      t.after(() => sql.close())
      await sql(statement)
      await assertRefused(databaseUrl)
      const tables = await sql(
        'select relname as name from pg_class where relnamespace = current_schema()::regnamespace',
      )
      assert.deepEqual(tables, [{ name: String(/table (\w+)/.exec(statement)?.[1]) }])
    })
  }

  test('a site of an earlier version is not migrated', async (t) => {
    const dataDir = freshFolder()
    await makeCopiedSite(dataDir)
    const sql = await asEarlierVersion(t, dataDir)
    await assertRefused(dataDir)
    assert.deepEqual(await appliedAs(sql, undone), [])
  })

  test('a target is not changed for a source of an earlier version', async (t) => {
    const from = freshFolder()
    await makeCopiedSite(from)
    const sql = await asEarlierVersion(t, from)
    sql.rest()
    const to = freshFolder()
    const { code, stderr } = await commandInProcess(['copy', '--data-dir', from, '--to', to], copyEnv)
    assert.equal(code, 1)
    assert.match(stderr, /The source is of another version\. Run "daybook migrate" on it, then copy\./)
    const target = openSql({ dataDir: to })
    t.after(() => target.close())
    assert.deepEqual(await target('select name from sqlite_schema'), [])
  })

  test('an empty database of an earlier version is migrated and filled', async (t) => {
    const to = freshFolder()
    await makeCopiedSite(to)
    const sql = await asEarlierVersion(t, to)
    await sql('delete from site')
    sql.rest()
    const { code, stderr } = await copy(to)
    assert.equal(code, 0, stderr)
    assert.equal((await appliedAs(sql, undone)).length, 1)
  })

  test('an unfinished copy of an earlier version is begun anew with the present version', async (t) => {
    const to = freshFolder()
    await interruptCopy(source, to)
    const sql = await asEarlierVersion(t, to)
    sql.rest()
    const refused = await copy(to)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /unfinished copy of another version\. Add --again to begin anew\./)
    const { code, stdout, stderr } = await copy(to, '--again')
    assert.equal(code, 0, stderr)
    assert.match(stdout, / 705 customers, 3 reservations/)
    assert.equal((await commandInProcess(['doctor', ...placeOptions(to)], copyEnv)).code, 0)
  })
})

/** Makes a database that no process uses one of an earlier version; the connection lasts until the test ends. */
async function asEarlierVersion(t: Cleaning, dataDir: string): Promise<Sql> {
  const sql = openSql({ dataDir })
  t.after(() => sql.close())
  await sql('delete from migration where name = ?', [undone])
  return sql
}

function appliedAs(sql: Sql, name: string) {
  return sql('select name from migration where name = ?', [name])
}

async function emptyPostgres(t: Cleaning): Promise<string> {
  const fresh = await emptyDatabase()
  t.after(() => fresh.remove())
  return 'databaseUrl' in fresh.at ? fresh.at.databaseUrl : assert.fail()
}
