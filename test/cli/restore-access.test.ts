import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { BrowserClient, setUpSecret } from '../support/browser-client.ts'
import { now, standardSite } from '../support/clinic.ts'
import { freshFolder } from '../support/daybook.ts'
import { eachDatabase, type ServiceProcess, startService } from '../support/service.ts'
import { openSql } from '../support/sql.ts'
import { waitForValue } from '../support/wait-for-value.ts'

const email = 'ann@clinic.example'
const password = 'a long enough one'
const entry = { email, password }

async function ask(service: ServiceProcess, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const sql = openSql(service)
  const rows = await sql(text)
  await sql.close()
  return rows
}

async function setUp(service: ServiceProcess): Promise<BrowserClient> {
  const ann = new BrowserClient(service)
  const made = await ann.post('/set-up/', { secret: setUpSecret(service), name: 'Ann', ...entry })
  assert.equal(made.status, 200, made.text)
  return ann
}

/** Sets a password with the link that `restore` printed, and returns the browser with the session that follows. */
async function enterByLink(service: ServiceProcess, stdout: string): Promise<BrowserClient> {
  const secret = /^For \S+, once, within the hour: \S+#([\w-]{43})$/m.exec(stdout)?.[1]
  const browser = new BrowserClient(service)
  const set = await browser.post('/password/set/', { secret, password: 'three words more' })
  assert.equal(set.status, 200, set.text)
  const entered = await browser.post('/session/sign-in/', { email, password: 'three words more' })
  assert.equal(entered.status, 200, entered.text)
  return browser
}

/** Returns the role and status of each user by name, as the panel lists them. */
async function accessOf(browser: BrowserClient): Promise<Readonly<Record<string, string>>> {
  const { body, text } = await browser.get('/users/')
  assert.ok(Array.isArray(body.response), text)
  return Object.fromEntries(body.response.map(({ name, role, status }) => [name, `${role} ${status}`]))
}

async function signIn(service: ServiceProcess, who: object): Promise<number> {
  return (await new BrowserClient(service).post('/session/sign-in/', who)).status
}

describe('a restore', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  before(async () => {
    service = await startService({ now, site: standardSite })
  })
  after(() => service.kill())

  test('revokes all credentials of the backup, and prints a link for an administrator', async () => {
    const ann = await setUp(service)
    const bo = { name: 'Bo', email: 'bo@clinic.example', role: 'manager' }
    const added = await ann.post('/users/add/', bo)
    const open = await ann.post('/users/link/', { id: Object(added.body.response).id })
    const openSecret = String(open.body.response.link).split('#').at(-1)
    const [token] = await ask(service, "select id from token where scope = 'read'")
    await ask(
      service,
      `insert into passkey select 'key', id, 'Key', 'x', 0, '[]', 1, null from person where email = '${email}'`,
    )
    assert.equal((await service.daybook('token', 'create', '--name', 'past', '--scope', 'read')).code, 0)
    await ask(service, "update token set expires_at = 1 where name = 'past'")
    const feeds: { readonly id: string; readonly url: string }[] = []
    for (const names of [true, false]) {
      const feed = await ann.post('/calendar-feeds/add/', { providerId: 1, names })
      assert.equal(feed.status, 200, feed.text)
      feeds.push(Object(feed.body.response))
    }
    const readFeeds = () =>
      Promise.all(feeds.map(async ({ url }) => (await fetch(service.url + new URL(url).pathname)).status))
    assert.deepEqual(await readFeeds(), [200, 200])
    const [{ id: serviceId } = {}] = await ask(service, 'select id from service')
    const offered = await ann.post('/booking-page/links/add/', { serviceId, singleUse: false, days: null })
    assert.equal(offered.status, 200, offered.text)
    await ask(service, "insert into bookings_access values ('hash', 'browser', 'jo@list.example', 1, 9999999999)")
    await ask(service, "insert into calendar_grant values ('hash', 'u_1', 'google', 1, null, 'x', 9999999999)")
    const backup = join(freshFolder(), 'daybook.bak')
    assert.equal((await service.daybook('backup', backup)).code, 0)

    assert.equal((await ann.post('/calendar-feeds/revoke/', { id: feeds[0]?.id })).status, 200)
    assert.equal((await ann.post('/booking-page/links/revoke/', { id: offered.body.response.id })).status, 200)
    const changed = 'another long one'
    assert.equal((await ann.post('/password/change/', { password: changed })).status, 200)
    assert.equal((await service.daybook('token', 'revoke', String(token?.id))).code, 0)
    await service.stop()
    const { code, stdout, stderr } = await service.daybook('restore', backup)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Everyone is signed out, and every password and passkey is void/)
    // Only the write token is in use after the restore: the read token was revoked, and the token named `past` has
    // expired.
    assert.match(stdout, /\n1 API tokens are in use; .*\n1 calendar feeds are in use; /)
    const link = /^For ann@clinic\.example, once, within the hour: http:\S+\/admin\/set-password#([\w-]{43})$/m.exec(
      stdout,
    )
    await service.restart()

    assert.deepEqual(await readFeeds(), [404, 200])
    for (const table of ['bookings_access', 'calendar_grant'])
      assert.deepEqual(await ask(service, `select 1 from ${table}`), [], table)
    const [stored] = await ask(service, 'select revoked_at from booking_link')
    assert.equal(typeof stored?.revoked_at, 'number')
    assert.equal((await ann.get('/sessions/')).status, 401)
    assert.deepEqual([await signIn(service, entry), await signIn(service, { email, password: changed })], [403, 403])
    const old = await new BrowserClient(service).post('/password/set/', {
      secret: openSecret,
      password: 'three words more',
    })
    assert.equal(old.body.reason, 'link_invalid')
    for (const table of ['session', 'known_device', 'passkey', 'set_up_link'])
      assert.deepEqual(await ask(service, `select * from ${table}`), [], table)
    assert.equal((await service.call('GET', '/services/get/', { token: service.readToken })).status, 401)
    assert.equal((await service.call('GET', '/services/get/')).status, 200)
    const set = await new BrowserClient(service).post('/password/set/', {
      secret: link?.[1],
      password: 'three words more',
    })
    assert.equal(set.status, 200, set.text)
    assert.equal(await signIn(service, { email, password: 'three words more' }), 200)
    const kinds = (await ask(service, 'select kind from security_event')).map(({ kind }) => kind)
    assert.ok(kinds.includes('access_cleared'))
  })

  test('requires a file, and --reset-access requires none', async () => {
    assert.equal((await service.daybook('restore')).code, 2)
    assert.equal((await service.daybook('restore', 'x.bak', '--reset-access')).code, 2)
    const running = await service.daybook('restore', '--reset-access')
    assert.deepEqual([running.code, running.stdout], [1, ''])
    assert.match(running.stderr, /A server runs on/)
  })
})

describe('a restore over a database that can be read', { timeout: 600_000 }, () => {
  let service: ServiceProcess
  let backup: string
  let rotated: string
  let linkSecret: unknown
  const readLinkSecret = async () => (await ask(service, 'select link_secret from site'))[0]?.link_secret
  const ids = new Map<string, string>()
  before(async () => {
    service = await startService({ now, site: standardSite })
    const ann = await setUp(service)
    for (const [name, role] of [
      ['Mia', 'admin'],
      ['Rob', 'admin'],
      ['Dan', 'admin'],
      ['Pia', 'read_only'],
    ] as const) {
      const added = await ann.post('/users/add/', { name, email: `${name}@clinic.example`, role })
      assert.equal(added.status, 200, added.text)
      ids.set(name, String(added.body.response.id))
    }
    backup = join(freshFolder(), 'daybook.bak')
    assert.equal((await service.daybook('backup', backup)).code, 0)
    const edit = (name: string, change: object) => ann.post('/users/edit/', { id: ids.get(name), ...change })
    assert.equal((await edit('Mia', { status: 'disabled' })).status, 200)
    assert.equal((await edit('Dan', { role: 'provider', providerId: 1 })).status, 200)
    assert.equal((await edit('Pia', { role: 'admin' })).status, 200)
    assert.equal((await ann.post('/users/remove/', { id: ids.get('Rob') })).status, 200)
    const leaked = await readLinkSecret()
    assert.equal((await service.daybook('secret', 'rotate', '--links')).code, 0)
    linkSecret = await readLinkSecret()
    assert.notEqual(linkSecret, leaked)
    rotated = join(freshFolder(), 'rotated.bak')
    assert.equal((await service.daybook('backup', rotated)).code, 0)
    await service.stop()
  })
  after(() => service.kill())

  test('gives no user access back that was withdrawn since the backup, and none that was granted', async () => {
    const { code, stdout, stderr } = await service.daybook('restore', backup)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /\n3 users are active /)
    assert.doesNotMatch(stdout, /only administrator/)
    assert.equal(await readLinkSecret(), linkSecret)
    await service.restart()
    const ann = await enterByLink(service, stdout)
    assert.deepEqual(await accessOf(ann), {
      Ann: 'admin active',
      Dan: 'provider active',
      Mia: 'admin disabled',
      Pia: 'read_only active',
      Rob: 'admin disabled',
    })
    const [dan] = await ask(service, "select provider_id from person where name = 'Dan'")
    assert.equal(dan?.provider_id, 1)
    await service.stop()
  })

  test('leaves an administrator who was demoted active when no other remains', async () => {
    // The clock of the command, which stored the changes of the other users, may be behind that of the service.
    await ask(service, 'update person set updated_at = 9999999999')
    await ask(service, "update person set role = 'manager' where name = 'Ann'")
    const { code, stdout, stderr } = await service.daybook('restore', backup)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /\nann@clinic\.example was disabled, removed or given another role since the backup, and is/)
    await service.restart()
    const ann = await enterByLink(service, stdout)
    const { Ann, Mia, Dan } = await accessOf(ann)
    assert.deepEqual({ Ann, Mia, Dan }, { Ann: 'admin active', Mia: 'admin disabled', Dan: 'provider active' })
    await service.stop()
  })

  test('takes over the secret of links unless the backup has a later one or the database is of another site', async () => {
    await ask(service, "update site set link_secret = 'leaked'")
    assert.equal((await service.daybook('restore', rotated)).code, 0)
    assert.equal(await readLinkSecret(), linkSecret)
    await ask(service, "update site set link_secret = 'other', created_at = created_at - 1")
    assert.equal((await service.daybook('restore', rotated)).code, 0)
    assert.equal(await readLinkSecret(), linkSecret)
  })
})

eachDatabase((_kind, open) => {
  test('restore --reset-access clears what pg_restore brought back', { timeout: 600_000 }, async () => {
    const service = await open({ now })
    const ann = await setUp(service)
    if (service.databaseUrl === undefined) await service.stop()
    const { code, stdout, stderr } = await service.daybook('restore', '--reset-access')
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^For ann@clinic\.example, once, within the hour: http/m)
    if (service.databaseUrl === undefined) await service.restart()
    assert.equal((await ann.get('/sessions/')).status, 401)
    assert.equal(await signIn(service, entry), 403)
  })

  test('after restore --reset-access, a reader of the feed misses nothing', { timeout: 600_000 }, async () => {
    const service = await open({ now })
    const add = async (name: string) => {
      const body = { name, email: `${name}@example.com` }
      assert.equal((await service.call('POST', '/customers/add/', { body })).status, 201)
    }
    const newest = async (after: Record<string, string> = {}) => {
      const { body } = await service.call('GET', '/events/get/', { query: { limit: 500, ...after } })
      return { name: Object(body.response.at(-1)?.object).name, seq: String(body.response.at(-1)?.seq) }
    }
    // The test deletes the newest event, as a recovery to an earlier point in time does. PostgreSQL then assigns the
    // transaction number of this event again.
    await ask(service, 'update site set tx_base = tx_base + 5000 + (select max(tx) from event)')
    await add('discarded')
    await waitForValue(async () => (await newest()).name, 'discarded')
    const { seq } = await newest()
    await service.stop()
    await ask(service, 'delete from event where tx = (select max(tx) from event)')
    await ask(service, 'update site set tx_base = 0')
    assert.equal((await service.daybook('restore', '--reset-access')).code, 0)
    await service.restart()
    await add('later')
    await waitForValue(async () => (await newest({ after: seq })).name, 'later')
  })
})
