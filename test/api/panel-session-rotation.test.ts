import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { authenticator } from '../support/authenticator.ts'
import { BrowserClient, insertSignedInUser, setUpSecret } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { eachDatabase, type ServiceProcess } from '../support/service.ts'
import { openSql, type Sql } from '../support/sql.ts'

const entry = { email: 'ann@clinic.example', password: 'a long enough one' }

eachDatabase((_kind, open) => {
  describe('the session secret', { timeout: 600_000 }, () => {
    let service: ServiceProcess
    let sql: Sql
    before(async () => {
      service = await open({ now })
      sql = openSql(service)
      const made = await new BrowserClient(service).post('/set-up/', {
        secret: setUpSecret(service),
        name: 'Ann',
        ...entry,
      })
      assert.equal(made.status, 200, made.text)
    })
    after(() => sql.close())

    const signedIn = async (browser = new BrowserClient(service)): Promise<BrowserClient> => {
      assert.equal((await browser.post('/session/sign-in/', entry)).body.response.state, 'signed_in')
      return browser
    }
    const statusWith = async (cookie: string | undefined): Promise<number> =>
      (await new BrowserClient(service, cookie).get('/sessions/')).status

    test('is revoked when the same browser signs in again; other browsers stay signed in', async () => {
      const [browser, elsewhere] = [await signedIn(), await signedIn()]
      const before = browser.cookie
      await signedIn(browser)
      assert.notEqual(browser.cookie, before)
      assert.deepEqual(await Promise.all([before, browser.cookie, elsewhere.cookie].map(statusWith)), [401, 200, 200])
      const [ended] = (await browser.get('/security/own/?kind=sessions_ended')).body.response
      assert.equal(ended?.by, 'replaced')
    })

    test('is revoked when another user signs in with the same browser', async () => {
      const { browser } = await insertSignedInUser({ server: service, sql }, 'manager')
      const before = browser.cookie
      await signedIn(browser)
      assert.deepEqual(await Promise.all([before, browser.cookie].map(statusWith)), [401, 200])
    })

    test('survives a failed sign-in', async () => {
      const browser = await signedIn()
      const refused = await browser.post('/session/sign-in/', { ...entry, password: 'not the right one' })
      assert.equal(refused.status, 403)
      assert.equal((await browser.get('/sessions/')).status, 200)
    })

    test('is rotated by a proof of identity; the session and its live streams stay', async () => {
      const browser = await signedIn()
      const before = browser.cookie
      const current = async () => (await browser.get('/sessions/')).body.response.find((one) => one.current)?.id
      const id = await current()
      const proved = await browser.post('/session/authenticate/', { password: entry.password })
      assert.equal(proved.status, 200, proved.text)
      assert.notEqual(browser.cookie, before)
      assert.deepEqual(await Promise.all([before, browser.cookie].map(statusWith)), [401, 200])
      assert.equal(await current(), id)
    })

    test('is rotated by a proof with a passkey too', async () => {
      const named = { url: service.url.replace('127.0.0.1', 'localhost') }
      const device = authenticator(named.url)
      const { browser } = await insertSignedInUser({ server: named, sql }, 'admin')
      const asked = await browser.post('/second-factor/passkeys/options/')
      const made = device.create(Object(asked.body.response.options).challenge)
      const registered = await browser.post('/second-factor/passkeys/register/', { name: 'Key', credential: made })
      assert.equal(registered.status, 200, registered.text)
      const before = browser.cookie
      const options = await browser.post('/session/passkey/options/')
      const credential = device.get(Object(options.body.response.options).challenge)
      const proved = await browser.post('/session/passkey/authenticate/', { credential })
      assert.equal(proved.status, 200, proved.text)
      assert.notEqual(browser.cookie, before)
      assert.equal((await new BrowserClient(named, before).get('/sessions/')).status, 401)
      assert.equal((await browser.get('/sessions/')).status, 200)
    })

    test('of two concurrent proofs is rotated once: both succeed, and one cookie counts', async () => {
      const browser = await signedIn()
      const tabs = [new BrowserClient(service, browser.cookie), new BrowserClient(service, browser.cookie)]
      const proofs = await Promise.all(
        tabs.map((tab) => tab.post('/session/authenticate/', { password: entry.password })),
      )
      for (const { status, text } of proofs) assert.equal(status, 200, text)
      const renewed = tabs.map(({ cookie }) => cookie).filter((cookie) => cookie !== browser.cookie)
      assert.equal(renewed.length, 1)
      assert.deepEqual(await Promise.all([browser.cookie, ...renewed].map(statusWith)), [401, 200])
    })

    test('a new password clears every known browser except the one that set it', async () => {
      const [here, there] = [await signedIn(), await signedIn()]
      const changed = await here.post('/password/change/', { password: 'another long one' })
      assert.equal(changed.status, 200, changed.text)
      for (let at = 0; at < 11; at++)
        await new BrowserClient(service).post('/session/sign-in/', { ...entry, password: 'not the right one' })
      const tryWith = async ({ device }: BrowserClient) => {
        const browser = new BrowserClient(service)
        browser.device = device
        return (await browser.post('/session/sign-in/', { ...entry, password: 'another long one' })).status
      }
      assert.deepEqual([await tryWith(here), await tryWith(there)], [200, 429])
    })

    test('sign-ins are sent to administrators only, without address and device', async () => {
      const { browser: admin } = await insertSignedInUser({ server: service, sql }, 'admin')
      const { browser: manager } = await insertSignedInUser({ server: service, sql }, 'manager')
      const [signInEntry] = (await admin.get('/history/?type=user.signed_in')).body.response
      assert.deepEqual(Object.keys(Object(signInEntry?.after)).toSorted(), ['by', 'id', 'session'])
      for (const query of ['', '?type=user', '?type=user.signed_in', `?objectId=${signInEntry?.objectId}`]) {
        const seen = await manager.get(`/history/${query}`)
        assert.equal(seen.status, 200, seen.text)
        assert.doesNotMatch(seen.text, /user\.signed_(?:in|out)/, query)
      }
      const total = Number((await manager.get('/history/?type=user.signed_in')).headers.get('x-wp-total'))
      assert.equal(total, 0)
      assert.ok((await manager.get('/history/?type=user')).body.response.length > 0)
    })
  })
})
