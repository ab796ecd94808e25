import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hashPassword } from '../../src/access/passwords/password-hash.ts'
import { BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { now } from '../support/clinic.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let browser: BrowserClient
  before(async () => {
    site = await open()
    ;({ browser } = await insertSignedInUser(site, 'admin'))
  })
  after(() => site.close())

  const park = (id: string) =>
    site.sql(
      `insert into job (id, kind, unique_key, lane, payload, state, run_at, attempts, last_error, created_at)
       values (?, 'test', ?, '', '{}', 'parked', ?, 3, 'no answer', ?)`,
      [id, id, now, now],
    )
  const list = async (query = '') => (await browser.get(`/jobs/${query}`)).body.response
  const figures = async () => Object((await browser.get('/jobs/figures/')).body.response)

  test('the periodic jobs of the site are listed, each once', async () => {
    const kinds = (await list()).filter(({ every }) => every !== null).map(({ kind }) => kind)
    assert.deepEqual(kinds.toSorted(), [
      'backup-watch',
      'customer-words',
      'plan-agendas',
      'plan-calendars',
      'plan-reconciliation',
      'reservation-expiry',
      'sweep',
      'zones',
    ])
  })

  test('a failed job is listed with its error, and can be retried or discarded', async () => {
    await park('job_one')
    await park('job_two')
    assert.equal((await figures()).parked, 2)
    const [one] = await list('?state=parked')
    assert.deepEqual([one?.kind, one?.state, one?.attempts, one?.lastError], ['test', 'parked', 3, 'no answer'])
    assert.equal((await browser.post('/jobs/discard/', { id: 'job_one' })).status, 200)
    assert.equal((await browser.post('/jobs/retry/', { id: 'job_two' })).status, 200)
    assert.equal((await figures()).parked, 0)
    const gone = await browser.post('/jobs/discard/', { id: 'job_one' })
    assert.deepEqual([gone.status, gone.body.reason], [404, 'job_not_found'])
    const [sweep] = (await list()).filter(({ kind }) => kind === 'sweep')
    const kept = await browser.post('/jobs/discard/', { id: sweep?.id })
    assert.deepEqual([kept.status, kept.body.reason], [409, 'job_periodic'])
  })

  test('a manager sees the jobs but does not change them', async () => {
    const manager = (await insertSignedInUser(site, 'manager')).browser
    assert.equal((await manager.get('/jobs/')).status, 200)
    assert.equal((await manager.post('/jobs/retry/', { id: 'job_two' })).status, 403)
  })

  test('the list does not tell a manager where another user signed in', async () => {
    // Nothing listens on the port, so that the message is not sent and its job stays in the list.
    const smtp = { host: '127.0.0.1', port: 9, security: 'none', user: '' }
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    const edited = await browser.post('/notifications/settings/edit/', { smtp, from, enabled: true })
    assert.equal(edited.status, 200, edited.text)
    const password = 'correct horse battery staple'
    const { email } = await insertSignedInUser(site, 'admin', { passwordHash: await hashPassword(password) })
    const firefox = ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0']
    // A user gets a message about each browser but the first.
    for (let browsers = 0; browsers < 2; browsers += 1) {
      const signedIn = await new BrowserClient(site.server).post('/session/sign-in/', { email, password }, firefox)
      assert.equal(signedIn.status, 200, signedIn.text)
    }
    const manager = (await insertSignedInUser(site, 'manager')).browser
    const listed = async () => {
      for (;;) {
        const { body } = await manager.get('/jobs/')
        const job = body.response.find(({ kind }) => kind === 'account-mail')
        if (job) return String(job.key)
        await pause()
      }
    }
    const key = await listed()
    assert.match(key, /new_sign_in/)
    assert.doesNotMatch(key, /Firefox|127\.0\.0\.1/)
  })

  test('outbound work paused by a restore is resumed by an administrator who has just confirmed their identity', async () => {
    await site.sql('update site set outbound_paused_at = ?', [now])
    assert.equal((await figures()).outboundPausedAt, now)
    const stale = (await insertSignedInUser(site, 'admin', { authenticatedAt: now - 3_600 })).browser
    assert.equal((await stale.post('/jobs/resume-outbound/')).status, 403)
    assert.equal((await browser.post('/jobs/resume-outbound/')).status, 200)
    assert.equal((await figures()).outboundPausedAt, null)
  })
})
