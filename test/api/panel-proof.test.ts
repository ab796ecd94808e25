import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { PanelEndpoint } from '../../src/contract/endpoint.ts'
import { panelApi } from '../../src/contract/panel-api.ts'
import { authenticator } from '../support/authenticator.ts'
import { BrowserClient, insertSignedInUser, setUpSecret } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { type ApiResponse, eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const email = 'ann@clinic.example'
const password = 'a long enough one'
const stale = { authenticatedAt: now - 301 }

const rows = Object.entries<PanelEndpoint>(panelApi)
const always = rows.filter(([, { fresh }]) => fresh === true).map(([key]) => key)

eachDatabase((kind, open) => {
  describe('recent authentication', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let sql: Sql
    let site: { server: ServiceProcess; sql: Sql }
    before(async () => {
      service = await open({ now, ...(kind === 'postgres' && { env: { DAYBOOK_SECRET_KEY: '5e'.repeat(32) } }) })
      sql = openSql(service)
      site = { server: service, sql }
    })
    after(() => sql.close())

    test('is required for changes of accounts, for exports and for money, and for nothing else', () =>
      assert.deepEqual(always.toSorted(), [
        'GET /backup/',
        'GET /customers/csv/',
        'GET /site-file/',
        'POST /backup/',
        'POST /booking-page/host-secret/set/',
        'POST /calendar-apps/set/',
        'POST /calendar-feeds/add/',
        'POST /customers/erase/',
        'POST /jobs/resume-outbound/',
        'POST /notifications/settings/edit/',
        'POST /notifications/sms/edit/',
        'POST /password/change/',
        'POST /payments/connect/',
        'POST /payments/disconnect/',
        'POST /payments/no-show/charge/',
        'POST /payments/no-show/link/',
        'POST /payments/refund/',
        'POST /payments/vouchers/close/',
        'POST /payments/write-off/',
        'POST /second-factor/passkeys/options/',
        'POST /second-factor/passkeys/register/',
        'POST /second-factor/passkeys/remove/',
        'POST /second-factor/recovery-codes/renew/',
        'POST /second-factor/totp/begin/',
        'POST /second-factor/totp/confirm/',
        'POST /second-factor/totp/remove/',
        'POST /security/second-factor/',
        'POST /session/authenticated/',
        'POST /site-file/apply/',
        'POST /tokens/add/',
        'POST /users/add/',
        'POST /users/link/',
        'POST /users/remove/',
        'POST /users/send-link/',
        'POST /webhooks/add/',
        'POST /webhooks/rotate/',
      ]))

    for (const [key, { admits, envelope, fresh }] of rows) {
      if (admits === 'anyone' || envelope === 'live') continue
      test(`${key} ${fresh === true ? 'requires' : 'does not require'} it`, async () => {
        const { browser } = await insertSignedInUser(site, 'admin', stale)
        const [method, path = ''] = key.split(' ')
        const outcome = method === 'GET' ? await browser.get(path) : await browser.post(path)
        assert.equal(asksForProof(outcome), fresh === true, outcome.text)
      })
    }

    for (const [change, asks] of [
      [{ name: 'Mia' }, false],
      [{ status: 'disabled' }, false],
      [{ status: 'active' }, true],
      [{ role: 'admin' }, true],
      [{ role: 'manager', status: 'disabled' }, true],
      [{ providerId: null }, true],
    ] as const)
      test(`a change of a user to ${JSON.stringify(change)} ${asks ? 'requires' : 'does not require'} it`, async () => {
        const { userId: id } = await insertSignedInUser(site, 'manager')
        const { browser } = await insertSignedInUser(site, 'admin', stale)
        const outcome = await browser.post('/users/edit/', { id, ...change })
        assert.equal(asksForProof(outcome), asks, outcome.text)
        if (!asks) assert.equal(outcome.status, 200, outcome.text)
      })

    test('is the sign-in itself for five minutes, then a new proof', async () => {
      // The clock of the service has gone on since its start.
      const at = await new BrowserClient(service).serverNow()
      const { browser } = await insertSignedInUser(site, 'admin', { authenticatedAt: at - 150 })
      assert.equal((await browser.post('/session/authenticated/')).status, 200)
      const { browser: later } = await insertSignedInUser(site, 'admin', { authenticatedAt: now - 300 })
      assert.ok(asksForProof(await later.post('/session/authenticated/')))
    })

    test('requires the second factor of users who have one: an open session does not suffice', async () => {
      await sql('delete from person')
      await service.stop()
      await service.restart()
      const ann = new BrowserClient(service)
      const entry = { email, password }
      const { text, status } = await ann.post('/set-up/', { secret: setUpSecret(service), name: 'Ann', ...entry })
      assert.equal(status, 200, text)
      const begun = await ann.post('/second-factor/totp/begin/')
      const totp = new TOTP({ secret: Secret.fromBase32(String(begun.body.response.secret)) })
      const codes = await ann.post('/second-factor/totp/confirm/', {
        code: totp.generate({ timestamp: (await ann.serverNow()) * 1000 }),
      })
      const [recoveryCode = '', another = ''] = Object(codes.body.response).recoveryCodes
      const { id } = Object((await ann.get('/session/')).body.response.user)
      await sql('update session set authenticated_at = ?', [now - 1_000])

      // The service asks for the password and second factor again before it makes a link. This prevents an attack: in
      // an unattended session, somebody makes a link for the user and sets a new password with it.
      const attack = await ann.post('/users/link/', { id, liftSecondFactor: true })
      assert.ok(asksForProof(attack), attack.text)
      const half = await ann.post('/session/authenticate/', { password })
      assert.deepEqual([half.body.response.state, half.body.response.methods], ['second_factor', ['totp', 'recovery']])
      assert.ok(asksForProof(await ann.post('/users/link/', { id, liftSecondFactor: true })))
      const wrong = await ann.post('/session/authenticate/', { password: 'guessed it maybe', recoveryCode })
      assert.equal(wrong.body.reason, 'sign_in_failed')
      const code = totp.generate({ timestamp: ((await ann.serverNow()) + 30) * 1000 })
      assert.equal((await ann.post('/session/authenticate/', { password, code })).body.response.state, 'authenticated')
      const again = await ann.post('/session/authenticate/', { password, code })
      assert.equal(again.body.reason, 'code_wrong')

      // The link removes the user's second factor only when it is used, not when it is made. The user then sees a
      // notice, and the security history contains the making and the use of the link.
      const made = await ann.post('/users/link/', { id, liftSecondFactor: true })
      assert.equal(
        (await new BrowserClient(service).post('/session/sign-in/', entry)).body.response.state,
        'second_factor',
      )
      const secret = String(made.body.response.link).split('#').at(-1)
      const fresh = 'quite another long one'
      assert.equal((await new BrowserClient(service).post('/password/set/', { secret, password: fresh })).status, 200)
      assert.equal((await ann.get('/sessions/')).status, 401)
      const after = new BrowserClient(service)
      const signedIn = await after.post('/session/sign-in/', { email, password: fresh })
      assert.equal(signedIn.body.response.state, 'signed_in')
      assert.equal(typeof Object((await after.get('/session/')).body.response.user).factorsLiftedAt, 'number')
      assert.equal((await after.post('/session/notice/dismiss/')).status, 200)
      assert.equal(Object((await after.get('/session/')).body.response.user).factorsLiftedAt, null)
      const lostCode = await after.post('/session/authenticate/', { password: fresh, recoveryCode: another })
      assert.equal(lostCode.body.reason, 'sign_in_failed')
      const kinds = (await after.get('/security/own/')).body.response.map((entryOf) => entryOf.kind)
      for (const one of ['link_made', 'link_used', 'factors_lifted', 'password_set', 'factor_added', 'confirm_failed'])
        assert.ok(kinds.includes(one), `${one} in ${kinds}`)
      // Two attempts with the correct password and no second factor are one row of the security history with a count of
      // 2, so that strangers cannot flood the history.
      const missing = (await after.get('/security/own/?kind=second_factor_missing')).body.response
      assert.deepEqual(
        missing.map(({ count, userId }) => [count, userId]),
        [[2, id]],
      )
    })

    test('can be a passkey of the user, and of no other user', async () => {
      const named = { url: service.url.replace('127.0.0.1', 'localhost') }
      const device = authenticator(named.url)
      const bo = await insertSignedInUser({ server: named, sql }, 'admin')
      const asked = await bo.browser.post('/second-factor/passkeys/options/')
      const credential = device.create(Object(asked.body.response.options).challenge)
      const registered = await bo.browser.post('/second-factor/passkeys/register/', { name: 'Key', credential })
      assert.equal(registered.status, 200, registered.text)
      await sql('update session set authenticated_at = 0 where person_id = ?', [bo.userId])
      const prove = async (browser: BrowserClient) => {
        const options = await browser.post('/session/passkey/options/')
        const shown = device.get(Object(options.body.response.options).challenge)
        return browser.post('/session/passkey/authenticate/', { credential: shown })
      }
      const other = await insertSignedInUser({ server: named, sql }, 'admin', stale)
      assert.equal((await prove(other.browser)).body.reason, 'sign_in_failed')
      assert.ok(asksForProof(await other.browser.post('/session/authenticated/')))
      assert.ok(asksForProof(await bo.browser.post('/session/authenticated/')))
      assert.equal((await prove(bo.browser)).status, 200)
      assert.equal((await bo.browser.post('/session/authenticated/')).status, 200)
    })
  })
})

function asksForProof({ status, body }: ApiResponse<unknown>): boolean {
  const { data } = Object(body)
  return status === 403 && data?.reason === 'recent_authentication_required'
}
