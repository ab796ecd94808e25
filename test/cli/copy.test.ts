import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { copyDatabase } from '../../src/db/copy/copy.ts'
import { loadTables } from '../../src/db/copy/tables.ts'
import { databaseFile } from '../../src/db/data-dir.ts'
import { migratePostgres } from '../../src/db/migrate.ts'
import { PostgresQueries } from '../../src/db/postgres/postgres.ts'
import { openToRead } from '../../src/db/sqlite/sqlite.ts'
import { ana, now } from '../support/clinic.ts'
import { copiedSite, copyEnv } from '../support/copies.ts'
import { emptyDatabase, openPatientPool } from '../support/databases.ts'
import { type CommandResult, command, commandInProcess, freshFolder } from '../support/daybook.ts'
import { addUser, password } from '../support/panel.ts'
import { hasPostgres } from '../support/postgres.ts'
import { type AnyRow, type ServiceProcess, startService } from '../support/service.ts'
import { at } from '../support/test-site.ts'

const env = copyEnv
const copy = (...args: readonly string[]): Promise<CommandResult> => command(['copy', ...args], env)

describe('copy', { skip: hasPostgres() ? false : 'PostgreSQL is not installed' }, () => {
  let source: ServiceProcess
  let slot: AnyRow | undefined
  let cookie = ''
  let newest = ''
  const slots = async (service: ServiceProcess, date: string) => {
    const start = at(`${date}T09:00`)
    const query = { min_timestamp: start, max_timestamp: start + 3_600, providers: ana }
    return (await service.call('GET', '/availability/get/', { query })).body.response
  }
  const feed = async (service: ServiceProcess, after: string) => {
    const answer = await service.call('GET', '/events/get/', { query: { after } })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.response.map(({ seq, type }) => ({ seq: String(seq), type }))
  }
  const signedIn = (service: ServiceProcess) =>
    fetch(`${service.url}/admin/api/session/`, { headers: { Cookie: cookie } })

  before(async () => {
    source = await startService({ site: copiedSite, now })
    await addUser(source, 'admin')
    // Rotating the key creates the key file, as storing the first secret would.
    assert.equal((await source.daybook('key', 'rotate')).code, 0)
    const headers = { 'Content-Type': 'application/json', Origin: source.url, 'Sec-Fetch-Site': 'same-origin' }
    const body = JSON.stringify({ email: 'admin@clinic.example', password })
    const entered = await fetch(`${source.url}/admin/api/session/sign-in/`, { method: 'POST', headers, body })
    cookie = entered.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ')
    slot = (await slots(source, '2026-10-08')).find(({ serviceId, bookable }) => serviceId && bookable)
    for (let more = await feed(source, ''); more.length > 0; more = await feed(source, newest)) {
      newest = more.at(-1)?.seq ?? newest
    }
  })

  /**
   * Fails unless a service on the copy accepts the session, tokens, slot id and feed position that clients got from the
   * source.
   */
  async function assertContinues(place: { dataDir?: string; databaseUrl?: string }): Promise<void> {
    const tokens = { beside: source }
    const copied = await startService({ ...place, ...tokens, now, env: { DAYBOOK_SECRET_KEY: keyOf(source) } })
    try {
      assert.equal((await signedIn(copied)).status, 200)
      assert.deepEqual(await feed(copied, newest), [])
      const customers = await copied.call('GET', '/customers/get/')
      const customerId = customers.body.response.find(({ name }) => name === 'Jo')?.id
      const booked = await copied.call('POST', '/reservations/add/', { body: { ...slot, customerId } })
      assert.equal(booked.status, 200, booked.text)
      const [event] = await feed(copied, newest)
      assert.equal(event?.type, 'reservation.created')
      assert.ok(String(event?.seq) > newest)
      const taken = await copied.call('POST', '/reservations/add/', { body: { ...slot, customerId } })
      assert.equal(taken.body.reason, 'slot_full', taken.text)
      const doctor = await copied.daybook('doctor')
      assert.match(doctor.stdout, /paused|wait/i)
    } finally {
      await copied.kill()
    }
  }

  test('refuses while a server runs, and targets that hold something', async () => {
    const running = await copy('--data-dir', source.dataDir, '--to', freshFolder())
    assert.deepEqual([running.code, running.stdout], [1, ''])
    assert.match(running.stderr, /A server runs on .*\. Stop it, then copy\./)
    await source.stop()
    const other = await startService({ now })
    await other.stop()
    for (const [to, reason] of [
      [source.dataDir, /The target is the source\./],
      [other.dataDir, /The target is not empty\. Copy into a new database\./],
    ] as const) {
      const { code, stderr } = await commandInProcess(['copy', '--data-dir', source.dataDir, '--to', to], env)
      assert.equal(code, 1)
      assert.match(stderr, reason)
    }
    assert.equal((await commandInProcess(['copy', '--data-dir', source.dataDir], env)).code, 2)
    const nothing = await commandInProcess(['copy', '--data-dir', freshFolder(), '--to', freshFolder()], env)
    assert.match(nothing.stderr, /There is no database in/)
  })

  test('to PostgreSQL and back, tokens, sessions, slot ids and cursors stay valid', async (t) => {
    const fresh = await emptyDatabase()
    t.after(() => fresh.remove())
    const databaseUrl = urlOf(fresh.at)
    const there = await copy('--data-dir', source.dataDir, '--to', databaseUrl)
    assert.equal(there.code, 0, there.stderr)
    assert.match(
      there.stdout,
      /^Copied \d+ rows of \d+ tables, and compared every value: .* 705 customers, 3 reservations/,
    )
    assert.match(there.stdout, /DAYBOOK_SECRET_KEY with the content of .*secret\.key/)
    const dataDir = freshFolder()
    const back = await copy('--database-url', databaseUrl, '--to', dataDir)
    assert.equal(back.code, 0, back.stderr)
    await assertContinues({ databaseUrl })
    await assertContinues({ dataDir })
    assert.equal((await commandInProcess(['doctor', '--data-dir', source.dataDir], env)).code, 0)
  })

  test('an interrupted copy is not served, continues where it stopped, and is refused for another source', async (t) => {
    const fresh = await emptyDatabase()
    t.after(() => fresh.remove())
    const databaseUrl = urlOf(fresh.at)
    await migratePostgres(databaseUrl, now)
    const from = openToRead(databaseFile(source.dataDir))
    const pool = openPatientPool(databaseUrl)
    const client = await pool.connect()
    const target = {
      db: new PostgresQueries(client),
      script: async (text: string) => {
        await client.query(text)
      },
      migrate: async () => {
        await migratePostgres(databaseUrl, now)
      },
    }
    const copied: string[] = []
    const stopAt = (stop: string) => (step: string, table: string, rows: number) => {
      if (step !== 'copying') return
      copied.push(`${table} ${rows}`)
      if (`${table} ${rows}` === stop) throw new Error('interrupted')
    }
    const until = (stop: string) => copyDatabase(from, target, { now, onProgress: stopAt(stop) })
    await assert.rejects(until('customer 500'), /interrupted/)
    const served = await command(['serve', '--database-url', databaseUrl, '--port', '0'], env)
    assert.equal(served.code, 1)
    assert.match(served.stderr, /unfinished copy\. Run the same "daybook copy" again/)
    const seen = copied.splice(0)
    await until('')
    assert.equal(copied[0], 'customer 705')
    assert.ok(copied.every((part) => !seen.includes(part)))
    await assert.rejects(until(''), /The target is not empty/)
    await client.query("insert into migration (name, applied_at) values ('copy', 0)")
    await client.query('create table copy_progress (table_name text primary key, last_key text, row_count bigint)')
    client.release()
    await pool.end()
    from.close()
    const other = await copy('--data-dir', source.dataDir, '--to', databaseUrl)
    assert.equal(other.code, 1)
    assert.match(other.stderr, /unfinished copy of something else\. Add --again/)
    const again = await copy('--data-dir', source.dataDir, '--to', databaseUrl, '--again')
    assert.equal(again.code, 0, again.stderr)
  })

  test('every table of both databases has a primary key, and the same columns', async (t) => {
    const fresh = await emptyDatabase()
    t.after(() => fresh.remove())
    await migratePostgres(urlOf(fresh.at), now)
    const pool = openPatientPool(urlOf(fresh.at))
    const from = openToRead(databaseFile(source.dataDir))
    const byName = (tables: Awaited<ReturnType<typeof loadTables>>) =>
      tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const here = byName(await loadTables(from))
    assert.deepEqual(byName(await loadTables(new PostgresQueries(pool))), here)
    assert.deepEqual(
      here.filter(({ key }) => key.length === 0),
      [],
    )
    await pool.end()
    from.close()
  })
})

function keyOf({ dataDir }: ServiceProcess): string {
  return readFileSync(join(dataDir, 'secret.key'), 'utf8').trim()
}

function urlOf(place: { readonly dataDir: string } | { readonly databaseUrl: string }): string {
  return 'databaseUrl' in place ? place.databaseUrl : assert.fail()
}
