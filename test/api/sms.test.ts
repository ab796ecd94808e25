import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BookingVisitor, textOf } from '../support/booking-visitor.ts'
import { type BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana } from '../support/clinic.ts'
import { MailServer } from '../support/mail-server.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'
import { type Receiver, type ReceiverResponse, startReceiver } from '../webhooks/receiver.ts'

const number = '+4915123456789'
const body = '{"to": {{ to | json }}, "text": {{ text | json }}}'

onEachDatabase((open) => {
  let site: TestSite
  let admin: BrowserClient
  let manager: BrowserClient
  let mailServer: MailServer
  let gateway: Receiver
  let answer: ReceiverResponse = { status: 202 }
  before(async () => {
    site = await open({ env: { DAYBOOK_OUTBOUND_NETWORKS: '127.0.0.0/8', DAYBOOK_SECRET_KEY: '5e'.repeat(32) } })
    admin = (await insertSignedInUser(site, 'admin')).browser
    manager = (await insertSignedInUser(site, 'manager')).browser
    mailServer = await MailServer.open()
    gateway = await startReceiver(() => answer)
  })
  after(async () => {
    await site.close()
    await mailServer.close()
    await gateway.close()
  })

  const edit = (change: object) => admin.post('/notifications/sms/edit/', change)
  const shown = async () => Object((await admin.get('/notifications/sms/')).body.response)
  const consentOf = async (name: string) =>
    Object((await manager.get(`/customers/one/?id=${site.customer(name)}`)).body.response).more.sms
  const agree = (name: string, to: string | null) =>
    manager.post('/customers/sms/', { customerId: site.customer(name), number: to })
  async function entry(query: string): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const [found] = (await admin.get(`/notifications/?${query}`)).body.response
      if (found && found.state !== 'retrying') return found
      await pause()
    }
  }

  test('a gateway without address or body cannot be used', async () => {
    const refused = await edit({ enabled: true })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'sms_not_configured'])
    assert.equal((await admin.post('/notifications/sms/test/', { to: number })).status, 409)
  })

  test('wrong settings are refused beside their fields', async () => {
    for (const [change, field] of [
      [{ url: 'https://10.0.0.1/' }, 'url'],
      [{ url: 'ftp://example.com/' }, 'url'],
      [{ headers: [{ name: 'Host', value: 'x' }] }, 'headers'],
      [{ body: '{{ to | no_such_filter }}' }, 'body'],
      [{ body: '{{ no_such_variable }}' }, 'body'],
      [{ body: '{"text": "{{ text }}"}' }, 'body'],
    ] as const) {
      const refused = await edit(change)
      assert.deepEqual([refused.status, Object.keys(refused.body.details ?? {})], [400, [field]], refused.text)
    }
    assert.equal((await manager.post('/notifications/sms/edit/', { enabled: false })).status, 403)
  })

  test('password and headers are stored encrypted, kept when absent, and shown to nobody', async () => {
    const headers = [{ name: 'X-Api-Key', value: 'Zaunkoenig' }]
    const saved = await edit({ url: gateway.url, body, user: 'desk', password: 'Rotkehlchen', headers })
    assert.equal(saved.status, 200, saved.text)
    assert.equal((await edit({ sender: 'Clinic' })).status, 200)
    const settings = await shown()
    assert.deepEqual([settings.hasPassword, settings.headerNames, settings.sender], [true, ['x-api-key'], 'Clinic'])
    const [row] = await site.sql('select gateway_secret, body from notification_settings')
    const history = (await admin.get('/history/?type=notification_settings.updated')).text
    for (const text of [JSON.stringify(settings), JSON.stringify(row), history])
      assert.doesNotMatch(text, /Rotkehlchen|Zaunkoenig/)
  })

  test('secrets that were encrypted with a lost key are not shown, and can be entered again', async () => {
    const secrets = async () => {
      const { hasPassword, headerNames } = await shown()
      return [hasPassword, headerNames]
    }
    assert.equal((await edit({ url: gateway.url, body, password: 'Blaumeise' })).status, 200)
    await site.sql('update notification_settings set gateway_secret = ?', [`v1.${'A'.repeat(80)}`])
    assert.deepEqual(await secrets(), [false, []])
    const headers = [{ name: 'X-Api-Key', value: 'Zaunkoenig' }]
    const saved = await edit({ password: 'Rotkehlchen', headers })
    assert.equal(saved.status, 200, saved.text)
    assert.deepEqual(await secrets(), [true, ['x-api-key']])
  })

  test('a test message arrives with the credentials, and a refusal is explained', async () => {
    const wrong = await admin.post('/notifications/sms/test/', { to: '0151 23456789' })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details ?? {})], [400, ['to']])
    const sent = Object((await admin.post('/notifications/sms/test/', { to: '+49 151 23456789' })).body.response)
    const { state, recipient, channel } = await entry(`id=${sent.id}`)
    assert.deepEqual([state, recipient, channel], ['sent', number, 'sms'])
    const [call] = gateway.received
    assert.equal(JSON.parse(call?.body ?? '').to, number)
    assert.equal(call?.headers['x-api-key'], 'Zaunkoenig')
    assert.equal(call?.headers.authorization, `Basic ${Buffer.from('desk:Rotkehlchen').toString('base64')}`)
    answer = { status: 401, body: 'who are you?' }
    const failed = Object((await admin.post('/notifications/sms/test/', { to: number })).body.response)
    const { state: then, reason } = await entry(`id=${failed.id}`)
    assert.deepEqual([then, reason], ['failed', 'HTTP 401: who are you?'])
    answer = { status: 202 }
  })

  test('consent is recorded with its number in international form, and withdrawn', async () => {
    const wrong = await agree('Jo', '0151 1')
    assert.deepEqual([wrong.status, Object.keys(wrong.body.details ?? {})], [400, ['number']])
    assert.equal(await consentOf('Jo'), null)
    assert.equal((await agree('Jo', '0049 151 23456789')).status, 200)
    assert.equal((await consentOf('Jo')).number, number)
    const own = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
    assert.equal((await own.post('/customers/sms/', { customerId: site.customer('Jo'), number: null })).status, 403)
    assert.equal((await agree('Mia', '+34 612 345 678')).status, 200)
    assert.equal((await agree('Mia', null)).status, 200)
    assert.equal(await consentOf('Mia'), null)
    const { more } = Object((await manager.get(`/customers/one/?id=${site.customer('Mia')}`)).body.response)
    assert.deepEqual(more.history.map(({ type }: { type: string }) => type).slice(0, 2), [
      'sms_consent.withdrawn',
      'sms_consent.given',
    ])
    const feed = await site.get('/events/get/', { limit: 500 })
    assert.doesNotMatch(feed.text, /sms_consent/)
  })

  test('a booking is announced by short message and mail, and the texts are edited per channel', async () => {
    const smtp = { host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' }
    const from = { name: 'The clinic', address: 'desk@clinic.example' }
    assert.equal((await admin.post('/notifications/settings/edit/', { enabled: true, smtp, from })).status, 200)
    assert.equal((await edit({ enabled: true })).status, 200)
    const key = { kind: 'confirmed', locale: 'en', channel: 'sms' }
    const wrong = await manager.post('/notifications/template/edit/', { ...key, subject: '', body: '{{ x' })
    assert.deepEqual(Object.keys(wrong.body.details ?? {}), ['body'])
    const preview = await manager.post('/notifications/preview/', { ...key, subject: '', body: 'At {{ start_time }}' })
    assert.match(String(Object(preview.body.response).text), /^At \d\d:\d\d$/)
    const own = { ...key, subject: '', body: 'At {{ start_time }}, {{ customer.name }}' }
    assert.equal((await manager.post('/notifications/template/edit/', own)).status, 200)
    gateway.received.length = 0
    const booked = await site.add(await site.slot({ service: 'plain', provider: ana }))
    assert.equal(booked.status, 200, booked.text)
    await gateway.atLeast(1)
    assert.match(JSON.parse(gateway.received[0]?.body ?? '').text, /^At \d\d:\d\d, Jo/)
    const mail = await mailServer.firstTo('jo@example.com')
    assert.match(mail.headers.get('subject') ?? '', /^Confirmed/)
    const { subject, channel } = await entry(`reservationId=${booked.body.id}&recipient=${encodeURIComponent(number)}`)
    assert.deepEqual([channel, /^At /.test(String(subject))], ['sms', true])
  })

  test('erasing a customer removes consent, messages and suppression', async () => {
    const customerId = site.customer('Kim')
    const other = '+4915187654321'
    assert.equal((await agree('Kim', other)).status, 200)
    await site.sql(
      "insert into mail_suppression (address_key, reason, detail, created_at) values (?, 'bounced', '', 0)",
      [other],
    )
    const held = await manager.get(`/customers/export/?id=${customerId}`)
    assert.ok(held.text.includes(other))
    const admins = (await insertSignedInUser(site, 'admin')).browser
    const erased = await admins.post('/customers/erase/', { id: customerId })
    assert.equal(erased.status, 200, erased.text)
    for (const table of ['sms_consent', 'mail_suppression', 'notification', 'event'])
      assert.doesNotMatch(JSON.stringify(await site.sql(`select * from ${table}`)), new RegExp(other.slice(1)), table)
  })

  test('a new customer agrees on the booking page, and a booking changes no known one', async () => {
    assert.equal((await admin.post('/booking-page/edit/', { phone: 'optional' })).status, 200)
    const visitor = new BookingVisitor(site.server.url, { localAddress: '127.0.7.1' })
    const book = async (details: Readonly<Record<string, string>>) => {
      const month = await visitor.open(`/book/plain/?with=${ana}&date=${site.nextDay()}`)
      const person = { name: 'Tex Ting', email: 'tex@example.org', country: 'DE' }
      const page = await visitor.fillIn(await visitor.choose(month), { ...person, ...details })
      return page.status === 200 ? visitor.confirm(page) : page
    }
    const consents = () =>
      site.sql(
        `select number from sms_consent join customer on customer.id = customer_id where email = 'tex@example.org'`,
      )
    const missing = await book({ sms: 'on', phone: '' })
    assert.equal(missing.status, 422)
    assert.match(missing.html, /name="sms" checked/)
    assert.match(textOf(await book({ sms: 'on', phone: '0151 23456789' })), /You are booked/)
    assert.deepEqual(await consents(), [{ number }])
    assert.match(textOf(await book({ sms: 'on', phone: '0151 98765432' })), /You are booked/)
    assert.deepEqual(await consents(), [{ number }])
    await edit({ enabled: false })
    const month = await visitor.open(`/book/plain/?with=${ana}&date=${site.nextDay()}`)
    assert.doesNotMatch((await visitor.choose(month)).html, /name="sms"/)
  })
})
