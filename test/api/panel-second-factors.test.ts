import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { authenticator } from '../support/authenticator.ts'
import { BrowserClient, setUpSecret } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const email = 'ann@clinic.example'
const password = 'a long enough one'
const entry = { email, password }

eachDatabase((kind, open) => {
  describe('a second factor', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let sql: Sql
    let ann: BrowserClient
    before(async () => {
      service = await open({ now, ...(kind === 'postgres' && { env: { DAYBOOK_SECRET_KEY: '5e'.repeat(32) } }) })
      sql = openSql(service)
      ann = new BrowserClient(service)
      const { status, text } = await ann.post('/set-up/', { secret: setUpSecret(service), name: 'Ann', ...entry })
      assert.equal(status, 200, text)
    })
    after(() => sql.close())

    const signIn = (more: object = {}) => new BrowserClient(service).post('/session/sign-in/', { ...entry, ...more })
    let secret = ''
    let codes: readonly string[] = []
    const codeAt = (at: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at * 1000 })

    test('of an app is active after a confirmed code, and shows recovery codes then', async () => {
      const begun = await ann.post('/second-factor/totp/begin/')
      secret = String(begun.body.response.secret)
      assert.equal((await signIn()).body.response.state, 'signed_in')
      const wrong = codeAt(now - 9_000)
      assert.equal((await ann.post('/second-factor/totp/confirm/', { code: wrong })).body.reason, 'code_wrong')
      const right = codeAt(await ann.serverNow())
      const confirmed = await ann.post('/second-factor/totp/confirm/', { code: right })
      codes = Object(confirmed.body.response).recoveryCodes
      assert.equal(codes.length, 10, confirmed.text)
      const [row] = await sql('select * from totp')
      assert.ok(!JSON.stringify(row).includes(secret))
      const hashes = JSON.stringify(await sql('select * from recovery_code'))
      assert.ok(codes.every((code) => !hashes.includes(code) && !hashes.includes(code.replaceAll('-', ''))))
    })

    test('prevents a sign-in by password alone', async () => {
      const { response } = (await signIn()).body
      assert.deepEqual([response.state, response.methods], ['second_factor', ['totp', 'recovery']])
    })

    test('accepts a code once', async () => {
      const code = codeAt((await ann.serverNow()) + 30)
      const first = await signIn({ code })
      assert.equal(first.body.response.state, 'signed_in', first.text)
      const again = await signIn({ code })
      assert.deepEqual([again.status, again.body.reason], [403, 'code_wrong'])
    })

    test('is replaced by each recovery code once', async () => {
      const recoveryCode = codes[0]?.toLowerCase().replaceAll('-', ' ')
      const tries = await Promise.all([signIn({ recoveryCode }), signIn({ recoveryCode })])
      assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 403])
      assert.equal((await signIn({ recoveryCode: 'AAAA-AAAA-AAAA-AAAA' })).status, 403)
    })

    test('that is a passkey replaces the password, and accepts each challenge once', async () => {
      // A passkey is bound to a domain name, not to an IP address.
      const named = { url: service.url.replace('127.0.0.1', 'localhost') }
      const browser = new BrowserClient(named, ann.cookie)
      const asked = await browser.post('/second-factor/passkeys/options/')
      const device = authenticator(named.url)
      const made = device.create(Object(asked.body.response.options).challenge)
      const registered = await browser.post('/second-factor/passkeys/register/', { name: 'Key', credential: made })
      assert.equal(registered.status, 200, registered.text)
      assert.deepEqual(registered.body.response.recoveryCodes, [])
      const twice = await browser.post('/second-factor/passkeys/register/', { name: 'Key', credential: made })
      assert.equal(twice.body.reason, 'passkey_wrong')

      const options = await new BrowserClient(named).post('/session/passkey/options/')
      const credential = device.get(Object(options.body.response.options).challenge)
      const visitor = new BrowserClient(named)
      const inside = await visitor.post('/session/passkey/sign-in/', { credential })
      assert.equal(inside.status, 200, inside.text)
      assert.equal((await visitor.get('/sessions/')).status, 200)
      const replayed = await new BrowserClient(named).post('/session/passkey/sign-in/', { credential })
      assert.equal(replayed.body.reason, 'sign_in_failed')
      const forged = device.get(randomBytes(54).toString('base64url'))
      assert.equal(
        (await new BrowserClient(named).post('/session/passkey/sign-in/', { credential: forged })).status,
        403,
      )
    })

    test('that is an unconfirmed app does not count beside a passkey', async () => {
      await sql('update totp set confirmed_at = null, last_step = 0')
      assert.deepEqual((await signIn()).body.response.methods, ['passkey', 'recovery'])
      const refused = await signIn({ code: codeAt(await ann.serverNow()) })
      assert.deepEqual([refused.status, refused.body.reason], [403, 'sign_in_failed'])
      const authenticated = await ann.post('/session/authenticate/', { password, code: codeAt(await ann.serverNow()) })
      assert.equal(authenticated.status, 403, authenticated.text)
      const [row] = await sql('select confirmed_at from totp')
      assert.equal(row?.confirmed_at, null)
    })

    test('that is entered after the password leaves an address its attempts', async () => {
      // The counters are in memory, so they are empty after a restart.
      await service.stop()
      await service.restart()
      for (const recoveryCode of codes.slice(1, 4)) {
        assert.equal((await signIn()).body.response.state, 'second_factor')
        assert.equal((await signIn({ recoveryCode })).body.response.state, 'signed_in')
      }
      const statuses: number[] = []
      const wrong = { secret: 'x'.repeat(43), name: 'Bo', email: 'bo@clinic.example', password }
      for (let tries = 0; tries <= 100; tries++) {
        statuses.push((await new BrowserClient(service).post('/set-up/', wrong)).status)
      }
      assert.equal(statuses.indexOf(429), 100, String(statuses))
    })
  })
})
