import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BrowserClient, setUpSecret } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { askInHalves } from '../support/raw.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const email = 'ann@clinic.example'
const password = 'a long enough one'
const entry = { email, password }

eachDatabase((kind, open) => {
  describe('users of the panel', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let sql: Sql
    let admin: BrowserClient
    before(async () => {
      service = await open({ now })
      sql = openSql(service)
    })
    after(() => sql.close())

    const signedIn = async (who: object = entry): Promise<BrowserClient> => {
      const browser = new BrowserClient(service)
      const { status, text } = await browser.post('/session/sign-in/', who)
      assert.equal(status, 200, text)
      return browser
    }

    test('of concurrent uses of the set-up links of two starts, one creates the administrator', async () => {
      const earlier = setUpSecret(service)
      await service.stop()
      await service.restart()
      assert.equal((await new BrowserClient(service).get('/session/')).body.response.setUpNeeded, true)
      const browsers = [new BrowserClient(service), new BrowserClient(service)] as const
      const later = setUpSecret(service)
      assert.notEqual(later, earlier)
      const answers = await Promise.all([
        browsers[0].post('/set-up/', { secret: earlier, name: 'Ann', email, password }),
        browsers[1].post('/set-up/', { secret: later, name: 'Ann', email: 'bob@clinic.example', password }),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 403])
      assert.deepEqual(answers.map(({ body }) => body.reason).filter(Boolean), ['link_invalid'])
      const won = answers[0]?.status === 200 ? 0 : 1
      admin = browsers[won]
      if (won === 1) {
        await sql('update person set email = ?, email_key = ?', [email, email])
      }
      const { response } = (await admin.get('/session/')).body
      assert.equal(response.setUpNeeded, false)
      for (const secret of [earlier, later]) {
        const again = await new BrowserClient(service).post('/set-up/', { secret, ...entry, name: 'C' })
        assert.equal(again.body.reason, 'link_invalid')
      }
    })

    test('a wrong password and an unknown address have the same response', async () => {
      const wrong = await new BrowserClient(service).post('/session/sign-in/', { email, password: 'not the right one' })
      const unknown = await new BrowserClient(service).post('/session/sign-in/', {
        email: 'x@clinic.example',
        password,
      })
      assert.equal(wrong.status, 403)
      assert.equal(wrong.text, unknown.text)
      assert.doesNotMatch(service.stderr, /clinic\.example/)
    })

    test('only hashes of cookies are stored', async () => {
      const browser = await signedIn()
      const rows = JSON.stringify(await sql('select * from session'))
      assert.ok(browser.cookie !== undefined && !rows.includes(browser.cookie))
    })

    test('signing out ends the session at once, also for copies of the cookie', async () => {
      const browser = await signedIn()
      const kept = new BrowserClient(service, browser.cookie)
      assert.equal((await browser.post('/session/sign-out/')).status, 200)
      assert.equal(browser.cookie, undefined)
      assert.equal((await kept.get('/sessions/')).status, 401)
    })

    test('the list of users has when a user without a session last signed in, and null for one who never did', async () => {
      const lo = { name: 'Lo', email: 'lo@clinic.example', role: 'manager' }
      const link = String((await admin.post('/users/add/', lo)).body.response.link)
      const lastSeenAt = async () => {
        const { response } = (await admin.get('/users/')).body
        return Object(response.find(({ name }) => name === 'Lo')).lastSeenAt
      }
      assert.equal(await lastSeenAt(), null)
      const browser = new BrowserClient(service)
      assert.equal((await browser.post('/password/set/', { secret: link.split('#').at(-1), password })).status, 200)
      assert.equal(await lastSeenAt(), null)
      const hers = await signedIn({ email: lo.email, password })
      const [{ id = null } = {}] = await sql("select id from person where name = 'Lo'")
      const [session] = await sql('select created_at from session where person_id = ?', [id])
      assert.equal((await hers.post('/session/sign-out/')).status, 200)
      assert.deepEqual(await sql('select 1 from session where person_id = ?', [id]), [])
      assert.equal(await lastSeenAt(), Number(session?.created_at))
      assert.equal((await admin.post('/users/remove/', { id })).status, 200)
    })

    test('a request whose session ends before its body is complete is refused', async () => {
      const browser = await signedIn()
      const headers = ['Origin', service.url, 'Cookie', `daybook-loopback=${browser.cookie}`]
      const body = JSON.stringify({ name: 'Late', email: 'late@example.org' })
      const signOut = async () => assert.equal((await browser.post('/session/sign-out/')).status, 200)
      const url = `${service.url}/admin/api/customers/add/`
      const answer = await askInHalves(url, 'POST', [...headers, 'Content-Type', 'application/json'], {
        body,
        meanwhile: signOut,
      })
      assert.deepEqual([answer.status, answer.body.data.reason], [401, 'session_ended'], answer.text)
      assert.deepEqual(await sql("select 1 from customer where name = 'Late'"), [])
    })

    test('a new password ends all other sessions and replaces the old password', async () => {
      const [here, there] = [await signedIn(), await signedIn()]
      const change = { password: 'another long one' }
      assert.equal((await here.post('/password/change/', { password: 'short' })).status, 400)
      assert.equal((await here.post('/password/change/', change)).status, 200)
      assert.deepEqual([(await here.get('/sessions/')).status, (await there.get('/sessions/')).status], [200, 401])
      assert.equal((await new BrowserClient(service).post('/session/sign-in/', entry)).status, 403)
      const back = { password }
      assert.equal((await here.post('/password/change/', back)).status, 200)
    })

    test('a new user sets a password once by the link, and is signed out when disabled', async () => {
      const boss = await signedIn()
      const mia = { name: 'Mia', email: 'mia@clinic.example', role: 'manager' }
      const added = await boss.post('/users/add/', mia)
      const link = String(added.body.response.link)
      assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/admin\/set-password#[\w-]{43}$/)
      const secret = link.split('#').at(-1)
      const set = () => new BrowserClient(service).post('/password/set/', { secret, password })
      const [first, second] = await Promise.all([set(), set()])
      assert.deepEqual([first.status, second.status].sort(), [200, 403])
      const hers = await signedIn({ email: 'MIA@clinic.example', password })
      const id = added.body.response.id
      assert.equal((await boss.post('/users/edit/', { id, status: 'disabled' })).status, 200)
      assert.equal((await hers.get('/session/')).body.response.user, null)
      const answer = await new BrowserClient(service).post('/session/sign-in/', { email: mia.email, password })
      assert.equal(answer.body.reason, 'sign_in_failed')
    })

    test('the last administrator cannot be demoted, disabled or removed', async () => {
      const boss = await signedIn()
      const { id } = Object((await boss.get('/session/')).body.response.user)
      for (const [path, change] of [
        ['/users/edit/', { id, role: 'manager' }],
        ['/users/edit/', { id, status: 'disabled' }],
        ['/users/remove/', { id }],
      ] as const)
        assert.equal((await boss.post(path, change)).body.reason, 'last_administrator')
    })

    test('the history records changes with their actor, without secrets', async () => {
      const boss = await signedIn()
      await boss.post('/site/edit/', { name: 'Harbour Clinic' })
      const { body, headers } = await boss.get('/history/?type=site&per_page=1')
      const [entryOf] = body.response
      assert.equal(Object(entryOf?.actor).kind, 'user')
      assert.equal(Object(entryOf?.actor).name, 'Ann')
      assert.deepEqual([Object(entryOf?.before).name, Object(entryOf?.after).name], ['Daybook', 'Harbour Clinic'])
      assert.equal(headers.get('x-wp-total'), '1')
      const all = await boss.get('/history/?per_page=500')
      assert.match(all.text, /user\.signed_in/)
      assert.doesNotMatch(all.text, /argon2|passwordHash|linkHash/)
    })

    test('after ten attempts an account is locked for a while', async () => {
      const tries: number[] = []
      for (let count = 0; count < 11; count++) {
        const { status } = await new BrowserClient(service).post('/session/sign-in/', {
          email: 'z@z.example',
          password: 'x',
        })
        tries.push(status)
      }
      assert.deepEqual(tries, [...Array(10).fill(403), 429])
    })

    test('a new password by link ends the lock of its account', async () => {
      const leo = { name: 'Leo', email: 'leo@clinic.example', role: 'manager' }
      const boss = await signedIn()
      const added = await boss.post('/users/add/', leo)
      const secret = String(added.body.response.link).split('#').at(-1)
      const signIn = async (tried: string) =>
        (await new BrowserClient(service).post('/session/sign-in/', { email: leo.email, password: tried })).status
      for (let count = 0; count < 10; count++) assert.equal(await signIn('not the right one'), 403)
      assert.equal(await signIn('not the right one'), 429)
      assert.equal((await new BrowserClient(service).post('/password/set/', { secret, password })).status, 200)
      assert.equal(await signIn(password), 200)
      assert.equal((await boss.post('/users/remove/', { id: added.body.response.id })).status, 200)
    })

    if (kind === 'postgres')
      test('no authenticator app can be added where nodes have no common key', async () => {
        const { status, body } = await (await signedIn()).post('/second-factor/totp/begin/')
        assert.deepEqual([status, body.reason], [409, 'secret_key_missing'])
        assert.match(body.error, /DAYBOOK_SECRET_KEY/)
      })

    test('a session ends after half an hour without use, or after twelve hours', async () => {
      const [idle, busy] = [await signedIn(), await signedIn()]
      // The clock of the service has gone on since its start, on a busy machine by minutes.
      const since = await busy.serverNow()
      await service.stop()
      await service.restart({ now: since + 1_700 })
      assert.equal((await busy.get('/sessions/')).status, 200)
      await service.stop()
      await service.restart({ now: since + 1_900 })
      assert.deepEqual([(await idle.get('/sessions/')).status, (await busy.get('/sessions/')).status], [401, 200])
      await sql('update session set last_seen_at = ?', [since + 43_300])
      await service.stop()
      await service.restart({ now: since + 43_300 })
      assert.equal((await busy.get('/sessions/')).status, 401)
    })
  })
})
