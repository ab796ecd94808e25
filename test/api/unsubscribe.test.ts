import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, now } from '../support/clinic.ts'
import { MailServer } from '../support/mail-server.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

onEachDatabase((open) => {
  let site: TestSite
  let manager: BrowserClient
  let mailServer: MailServer
  before(async () => {
    site = await open()
    manager = (await insertSignedInUser(site, 'manager')).browser
    mailServer = await MailServer.open((to) => (to === 'max@example.com' ? 550 : undefined))
    for (const [id, recipient, locale] of [
      ['msg_german', 'Ute@example.com', 'de'],
      ['msg_french', 'luc@example.com', 'fr'],
      ['msg_max', 'max@example.com', 'en'],
      ['msg_kim', 'kim@example.com', 'en'],
    ] as const)
      await site.sql(
        `insert into notification
           (id, kind, recipient, locale, subject, state, reason, attempts, created_at, updated_at)
         values (?, 'reminder', ?, ?, '', 'sent', '', 1, ?, ?)`,
        [id, recipient, locale, now, now],
      )
  })
  after(async () => {
    // The service is closed before the SMTP server, because the service has open connections to that server.
    await site.close()
    await mailServer.close()
  })

  const url = (id: string) => `${site.server.url}/unsubscribe/?id=${encodeURIComponent(id)}`
  const page = async (id: string, init: RequestInit = {}) => {
    const response = await fetch(url(id), init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
  const suppressed = async () => {
    const rows = await site.sql('select address_key, reason from mail_suppression order by address_key')
    return rows.map(({ address_key, reason }) => `${address_key} ${reason}`)
  }

  test('the link asks in the language of the message, and changes nothing by itself', async () => {
    const { status, headers, text } = await page('msg_german')
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; style-src 'sha256-/)
    assert.match(text, /<html lang="de">/)
    assert.match(text, /Möchten Sie von Harbour Clinic keine Erinnerungen/)
    assert.doesNotMatch(text, /<script|example\.com/)
    assert.deepEqual(await suppressed(), [])
  })

  test('the button and the one click of a mail program unsubscribe, as often as they are repeated', async () => {
    for (const init of [{ method: 'POST' }, oneClick, oneClick]) {
      const { status, text } = await page('msg_german', init)
      assert.equal(status, 200)
      assert.match(text, /Sie erhalten von Harbour Clinic keine Erinnerungen und Nachrichten nach dem Termin mehr/)
    }
    assert.deepEqual(await suppressed(), ['ute@example.com unsubscribed'])
    assert.equal((await page('msg_french', oneClick)).status, 200)
    assert.deepEqual(await suppressed(), ['luc@example.com unsubscribed', 'ute@example.com unsubscribed'])
  })

  test('the link of a message that is not in the log is refused, in the language of the browser', async () => {
    const before = await suppressed()
    const spanish = { headers: { 'Accept-Language': 'pt-PT, es;q=0.8, en' } }
    for (const id of ['msg_unknown', '', '"><script>', 'x'.repeat(300)]) {
      for (const init of [spanish, { ...spanish, ...oneClick }]) {
        const { status, text } = await page(id, init)
        assert.equal(status, 404)
        assert.match(text, /Este enlace ha caducado.*Harbour Clinic/)
        assert.doesNotMatch(text, /<script|<form|recordatorios de/)
      }
    }
    assert.deepEqual(await suppressed(), before)
  })

  const listed = async (address: string) => {
    const { body } = await manager.get(`/notifications/suppressions/?address=${address}`)
    return body.response.map(({ reason, detail, unsubscribedAt }) => [reason, detail !== '', unsubscribedAt !== null])
  }
  const allow = async (address: string) =>
    (await manager.post('/notifications/suppressions/remove/', { address })).status

  test('an unsubscription outlasts a later bounce, and the end of the bounce', async () => {
    const address = 'max@example.com'
    assert.equal((await page('msg_max', oneClick)).status, 200)
    const admin = (await insertSignedInUser(site, 'admin')).browser
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    const settings = { enabled: true, smtp, from: { name: 'The clinic', address: 'desk@clinic.example' } }
    assert.equal((await admin.post('/notifications/settings/edit/', settings)).status, 200)
    const customerId = site.customer('Max')
    await site.book(await site.slot({ service: 'plain', provider: ana }), { customerId })
    const failed = "select 1 from notification where recipient = ? and state = 'failed'"
    while ((await site.sql(failed, [address])).length === 0) await pause()
    assert.deepEqual(await listed(address), [['bounced', true, true]])
    const exported = Object((await manager.get(`/customers/export/?id=${customerId}`)).body).suppressions
    assert.deepEqual(
      exported.map(({ reason }: { readonly reason: string }) => reason),
      ['bounced', 'unsubscribed'],
    )
    assert.equal(await allow(address), 200)
    assert.deepEqual(await listed(address), [['unsubscribed', false, true]])
    assert.equal(await allow(address), 200)
    assert.deepEqual(await listed(address), [])
  })

  test('an unsubscription is stored for an address that has bounced, as often as it is repeated', async () => {
    const address = 'kim@example.com'
    await site.sql(
      "insert into mail_suppression (address_key, reason, detail, created_at) values (?, 'bounced', 'no such user', 1)",
      [address],
    )
    for (const _ of [1, 2]) assert.match((await page('msg_kim', oneClick)).text, /You will not receive reminders/)
    assert.deepEqual(await listed(address), [['bounced', true, true]])
    assert.equal(await allow(address), 200)
    assert.deepEqual(await listed(address), [['unsubscribed', false, true]])
  })

  test('a body that is too long is refused', async () => {
    assert.equal((await page('msg_german', { method: 'POST', body: 'x'.repeat(70_000) })).status, 413)
  })
})
