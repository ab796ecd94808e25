import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BrowserClient, insertSignedInUser, setUpSecret } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const email = 'ann@clinic.example'
const password = 'a long enough one'
const day = 86_400

eachDatabase((_kind, open) => {
  describe('user accounts', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let sql: Sql
    let ann: BrowserClient
    let annId = ''
    before(async () => {
      service = await open({ now })
      sql = openSql(service)
      ann = new BrowserClient(service)
      const link = setUpSecret(service)
      for (const [weak, sentence] of [
        ['1234567890', /sequence/],
        ['password12', /too common/],
        ['aaaaaaaaaa', /repeat/],
        [' '.repeat(10), /spaces/],
        [email, /e-mail address/],
        ['Daybook-2026', /name of the site/],
      ] as const) {
        const refused = await ann.post('/set-up/', { secret: link, name: 'Ann', email, password: weak })
        assert.equal(refused.status, 400, weak)
        assert.match(refused.body.details.password ?? '', sentence)
      }
      const made = await ann.post('/set-up/', { secret: link, name: 'Ann', email, password })
      assert.equal(made.status, 200, made.text)
      annId = String(Object((await ann.get('/session/')).body.response.user).id)
    })
    after(() => sql.close())

    const kept = async (who: BrowserClient, query = '') => (await who.get(`/security/${query}`)).body.response

    test('reject common passwords wherever one is set', async () => {
      const added = await ann.post('/users/add/', { name: 'Mia Berg', email: 'mia@clinic.example', role: 'manager' })
      const secret = String(added.body.response.link).split('#').at(-1)
      const set = (weak: string) => new BrowserClient(service).post('/password/set/', { secret, password: weak })
      for (const weak of ['password12', 'mia@clinic.example', 'MiaBerg2026', ' '.repeat(10)])
        assert.equal((await set(weak)).status, 400, weak)
      assert.equal((await set('four words of my own')).status, 200)
      assert.equal((await ann.post('/password/change/', { password: 'qwertyuiop1' })).status, 400)
    })

    test('record sign-ins and failures in their history, without typed values', async () => {
      const wrong = { email, password: 'correct but elsewhere' }
      for (let count = 0; count < 3; count++) await new BrowserClient(service).post('/session/sign-in/', wrong)
      const typed = 'my-password-in-the-wrong-field'
      await new BrowserClient(service).post('/session/sign-in/', { email: typed, password: 'x' })
      const [failed, ...others] = (await kept(ann, '?kind=sign_in_failed')).filter(({ userId }) => userId === annId)
      assert.deepEqual([failed?.count, failed?.address, others.length], [3, '127.0.0.1', 0])
      const rows = JSON.stringify(await sql('select * from security_event'))
      assert.ok(!rows.includes(typed) && !rows.includes('elsewhere'))
      assert.match(service.stderr, new RegExp(`"kind":"sign_in_failed","userId":"${annId}"`))
      assert.match(service.stderr, /"address":"127\.0\.0\.1"/)
      assert.doesNotMatch(service.stderr, new RegExp(`${typed}|clinic\\.example`))
    })

    test('store at most a hundred rows of failures per quarter of an hour', async () => {
      const { browser } = await insertSignedInUser({ server: service, sql }, 'provider')
      const values = Array.from(
        { length: 120 },
        (_, at) => `('x${at}', 'b${at}', 'denied', null, 'user', 'v', 'a', '', 1, ${now}, ${now})`,
      )
      await sql(`insert into security_event values ${values.join(', ')}`)
      const before = await count()
      await browser.get('/users/')
      await browser.get('/users/')
      const [row] = await sql(
        "select address, count from security_event where kind = 'denied' and person_id is not null",
      )
      assert.deepEqual([row?.address, Number(row?.count)], ['', 2])
      assert.equal(await count(), before + 1)
      await sql("delete from security_event where id like 'x%'")
    })
    const count = async () => Number((await sql('select count(*) as n from security_event'))[0]?.n)

    test('show users their own events, and administrators all, filtered by page, user and kind', async () => {
      const { browser, userId } = await insertSignedInUser({ server: service, sql }, 'manager')
      assert.equal((await browser.get('/security/')).status, 403)
      const own = await browser.get('/security/own/')
      assert.deepEqual(
        own.body.response.map(({ kind }) => kind),
        ['denied'],
      )
      const page = await ann.get('/security/?per_page=2')
      assert.equal(page.body.response.length, 2)
      assert.ok(Number(page.headers.get('x-wp-total')) > 5)
      const [denied] = await kept(ann, `?userId=${userId}`)
      assert.deepEqual([denied?.kind, Object(denied?.actor).id], ['denied', userId])
    })

    test('lock after ten failures, recorded once; a known browser can still sign in', async () => {
      const known = new BrowserClient(service)
      assert.equal((await known.post('/session/sign-in/', { email, password })).status, 200)
      const device = known.device
      assert.ok(device !== undefined)
      assert.ok(!JSON.stringify(await sql('select * from known_device')).includes(device))
      const tries: number[] = []
      for (let at = 0; at < 12; at++)
        tries.push((await new BrowserClient(service).post('/session/sign-in/', { email, password: 'no' })).status)
      assert.deepEqual(tries, [...Array(10).fill(403), 429, 429])
      assert.equal((await new BrowserClient(service).post('/session/sign-in/', { email, password })).status, 429)
      const back = new BrowserClient(service)
      back.device = device
      assert.equal((await back.post('/session/sign-in/', { email, password })).status, 200)
      const locked = (await kept(ann, '?kind=locked')).filter(({ userId }) => userId === annId)
      assert.deepEqual(
        locked.map((row) => row.count),
        [1],
      )
      const stranger = new BrowserClient(service)
      stranger.device = 'A'.repeat(43)
      assert.equal((await stranger.post('/session/sign-in/', { email, password })).status, 429)
    })

    test('of a role that requires a second factor are closed without one after the grace period', async () => {
      const { browser } = await insertSignedInUser({ server: service, sql }, 'manager')
      const policy = { roles: ['manager'], graceDays: 7 }
      const set = await ann.post('/security/second-factor/', policy)
      assert.equal(set.status, 200, set.text)
      assert.deepEqual((await browser.get('/security/second-factor/')).body.response, policy)
      const due = async (who: BrowserClient) =>
        Object((await who.get('/session/')).body.response.user).secondFactorDueAt
      assert.ok(Math.abs((await due(browser)) - now - 7 * day) < 600)
      assert.equal(await due(ann), null)
      assert.equal((await browser.get('/services/')).status, 200)
      await ann.post('/security/second-factor/', { roles: ['manager', 'provider'], graceDays: 0 })
      const closed = await browser.get('/services/')
      assert.deepEqual([closed.status, Object(closed.body.data).reason], [403, 'second_factor_required'])
      for (const path of ['/session/', '/sessions/', '/second-factor/passkeys/', '/security/own/'])
        assert.equal((await browser.get(path)).status, 200, path)
      await sql(
        "insert into totp (person_id, secret, created_at, confirmed_at, last_step) select id, 's', 1, 1, 1 from person where role = 'manager'",
      )
      assert.equal((await browser.get('/services/')).status, 200)
      assert.equal(await due(browser), null)
      await ann.post('/security/second-factor/', { roles: [], graceDays: 7 })
    })
  })
})
