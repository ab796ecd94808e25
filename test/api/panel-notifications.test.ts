import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mailKinds } from '../../src/notifications/templates/template.ts'
import { BrowserClient, insertSignedInUser } from '../support/browser-client.ts'
import { ana, ben, now } from '../support/clinic.ts'
import { MailServer, partOf } from '../support/mail-server.ts'
import { pause } from '../support/pause.ts'
import { onEachDatabase, type TestSite } from '../support/test-site.ts'

const path = '/notifications/settings/edit/'

onEachDatabase((open, kind) => {
  let site: TestSite
  let admin: BrowserClient
  let manager: BrowserClient
  let mailServer: MailServer
  before(async () => {
    site = await open()
    admin = (await insertSignedInUser(site, 'admin')).browser
    manager = (await insertSignedInUser(site, 'manager')).browser
    mailServer = await MailServer.open()
  })
  after(async () => {
    // The service is closed before the SMTP server, because the service has open connections to that server.
    await site.close()
    await mailServer.close()
  })

  const smtp = () => ({ host: '127.0.0.1', port: mailServer.port, security: 'none', user: '' })
  const from = { name: 'The clinic', address: 'desk@clinic.example' }
  const edit = (change: object) => admin.post(path, change)
  /** Resolves to the first entry of the notification log that the query finds, once that entry is not being retried. */
  async function entry(query: string): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const [found] = (await admin.get(`/notifications/?${query}`)).body.response
      if (found && found.state !== 'retrying') return found
      await pause()
    }
  }

  test('nothing is sent before a server and a sender are set', async () => {
    const refused = await edit({ enabled: true })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'mail_not_configured'])
    assert.equal((await admin.post('/notifications/test/', { to: 'a@b.example' })).status, 409)
    assert.equal(Object((await admin.get('/notifications/settings/')).body.response).enabled, false)
  })

  test('a field that is wrong is named', async () => {
    const wrong = await edit({ from: { name: 'A', address: 'no address' }, smtp: { ...smtp(), port: 0 } })
    assert.equal(wrong.status, 400)
    assert.deepEqual(Object.keys(wrong.body.details ?? {}).toSorted(), ['from.address', 'smtp.port'])
  })

  test('a manager reads the settings and does not change them', async () => {
    assert.equal((await manager.get('/notifications/settings/')).status, 200)
    assert.equal((await manager.post(path, { enabled: false })).status, 403)
  })

  test('a test message arrives, and one that cannot be delivered is explained', async () => {
    assert.equal((await edit({ smtp: smtp(), from })).status, 200)
    const sent = Object((await admin.post('/notifications/test/', { to: 'boss@clinic.example' })).body.response)
    assert.equal((await entry(`id=${sent.id}`)).state, 'sent')
    assert.equal(mailServer.to('boss@clinic.example').length, 1)
    const closed = await MailServer.open()
    await closed.close()
    await edit({ smtp: { ...smtp(), port: closed.port } })
    const failed = Object((await admin.post('/notifications/test/', { to: 'boss@clinic.example' })).body.response)
    const { state, reason } = await entry(`id=${failed.id}`)
    assert.equal(state, 'failed')
    assert.match(String(reason), /ECONNREFUSED/)
  })

  test('the password is stored encrypted and shown to nobody', async () => {
    const set = await edit({ password: 'Zaunkönig 7' })
    // The service on PostgreSQL runs without a secret key, so it cannot store a password.
    if (kind === 'postgres') return assert.deepEqual([set.status, set.body.reason], [409, 'secret_key_missing'])
    assert.equal(set.status, 200)
    const shown = await admin.get('/notifications/settings/')
    assert.equal(Object(shown.body.response).hasPassword, true)
    assert.doesNotMatch(shown.text, /Zaunkönig/)
    const [row] = await site.sql('select smtp_password, body from notification_settings')
    assert.doesNotMatch(JSON.stringify(row), /Zaunkönig/)
    assert.equal((await edit({ password: null })).status, 200)
    assert.equal(Object((await admin.get('/notifications/settings/')).body.response).hasPassword, false)
  })

  test('a message whose password cannot be decrypted fails, and the log says why', async () => {
    await site.sql('update notification_settings set smtp_password = ?', [`v1.${'A'.repeat(60)}`])
    const sent = Object((await admin.post('/notifications/test/', { to: 'boss@clinic.example' })).body.response)
    const { state, reason } = await entry(`id=${sent.id}`)
    await site.sql('update notification_settings set smtp_password = null')
    assert.equal(state, 'failed')
    assert.match(String(reason), /DAYBOOK_SECRET_KEY/)
  })

  test('a booking of the API is announced in the language of the customer', async () => {
    assert.equal((await edit({ smtp: smtp(), enabled: true })).status, 200)
    const customerId = site.customer('Kim')
    await site.sql('update customer set language = ? where id = ?', ['de', customerId])
    const id = await site.book(await site.slot({ service: 'plain', provider: ana }), { customerId })
    const { state, recipient, locale } = await entry(`reservationId=${id}&customerId=${customerId}`)
    assert.deepEqual([state, locale], ['sent', 'de'])
    const [mail] = mailServer.to(String(recipient))
    assert.ok(mail)
    assert.match(partOf(mail, 'text/plain') ?? '', /Ihr Termin ist bestätigt/)
  })

  test('the message of a planned change is shown to those who may make the change', async () => {
    const slot = await site.slot({ service: 'plain', provider: ana })
    const customerId = site.customer('Kim')
    const { serviceId, providerId, start, end } = slot
    const planned = new URLSearchParams({ serviceId, customerId, providerId: String(providerId), start: String(start) })
    const shown = async (by: BrowserClient, query: string) => {
      const answer = await by.get(`/notifications/announcement/?${query}`)
      return answer.status === 200 ? Object(answer.body.response).message : answer.status
    }
    assert.equal((await shown(manager, planned.toString())).kind, 'confirmed')
    const date = new Date(start * 1000).toISOString().slice(0, 10)
    const overrides = [{ from: date, to: date, slot: { approval: 'admin' } }]
    assert.equal((await manager.post('/providers/hours/', { id: ana, overrides })).status, 200)
    assert.equal((await shown(manager, planned.toString())).kind, 'request_received')
    assert.equal((await manager.post('/providers/hours/', { id: ana, overrides: [] })).status, 200)
    const id = await site.book(slot, { customerId })
    const later = `id=${id}&start=${start + 7_200}&end=${end + 7_200}`
    const moved = await shown(manager, later)
    assert.deepEqual([moved.kind, moved.name], ['rescheduled', 'Kim'])
    assert.equal((await shown(manager, `id=${id}&status=cancelled`)).kind, 'cancelled')
    assert.equal(await shown(manager, `id=${id}&status=confirmed`), null)
    const provider = await insertSignedInUser(site, 'provider', { providerId: ana })
    assert.equal((await shown(provider.browser, later)).kind, 'rescheduled')
    const other = await insertSignedInUser(site, 'provider', { providerId: ben })
    assert.equal(await shown(other.browser, later), 404)
    assert.equal(await shown(other.browser, planned.toString()), null)
    assert.equal((await edit({ disabled: ['cancelled'] })).status, 200)
    assert.equal(await shown(manager, `id=${id}&status=cancelled`), null)
    assert.equal((await edit({ disabled: [] })).status, 200)
  })

  test('mail shows the colour and the logo of the site', async () => {
    const pale = await manager.post('/site/edit/', { appearance: { color: '#ffee88' } })
    assert.deepEqual([pale.status, Object.keys(pale.body.details ?? {})], [400, ['appearance.color']])
    assert.equal((await manager.post('/site/edit/', { appearance: { color: '#0b7285' } })).status, 200)
    const html = Buffer.from('<!doctype html><svg></svg>').toString('base64')
    assert.equal((await manager.post('/site/logo/', { content: html })).status, 400)
    const image = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(1_000)])
    const large = Buffer.concat([image, Buffer.alloc(65_536)]).toString('base64')
    assert.equal((await manager.post('/site/logo/', { content: large })).status, 400)
    assert.equal((await manager.post('/site/logo/', { content: image.toString('base64') })).status, 200)
    const { logo } = Object((await manager.get('/site/')).body.response).appearance
    const served = await fetch(`${site.server.url}/site-logo/?id=${logo}`)
    assert.deepEqual([served.status, served.headers.get('content-type')], [200, 'image/png'])
    assert.match(served.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.ok(image.equals(Buffer.from(await served.arrayBuffer())))
    assert.equal((await fetch(`${site.server.url}/site-logo/?id=${logo.replace(/^./, 'x')}`)).status, 404)
    const customerId = site.customer('Kim')
    const id = await site.book(await site.slot({ service: 'plain', provider: ana }), { customerId })
    const { recipient } = await entry(`reservationId=${id}&kind=confirmed`)
    const mail = mailServer.to(String(recipient)).at(-1)
    assert.ok(mail)
    const page = partOf(mail, 'text/html') ?? ''
    assert.match(page, /border-top:6px solid #0b7285/)
    assert.ok(page.includes(`/site-logo/?id=${logo}" alt=`), page)
    const text = { kind: 'confirmed', locale: 'en', subject: 'x', body: 'y' }
    const preview = Object((await manager.post('/notifications/preview/', text)).body.response)
    assert.ok(preview.html.includes(`src="/site-logo/?id=${logo}"`), preview.html)
    assert.equal((await manager.post('/site/edit/', { appearance: { color: null, logo: null } })).status, 200)
  })

  test('a template is checked, previewed, saved, and its versions are kept', async () => {
    const key = { kind: 'confirmed', locale: 'en' }
    const wrong = await manager.post('/notifications/template/edit/', { ...key, subject: 'x', body: 'Hi {{ nobody }}' })
    assert.deepEqual(
      [wrong.status, wrong.body.reason, Object.keys(wrong.body.details ?? {})],
      [...[400, 'template_invalid', ['body']]],
    )
    const text = { subject: 'See you {{ start_date }}', body: 'Dear <b>{{ customer.name }}</b>' }
    const preview = Object((await manager.post('/notifications/preview/', { ...key, ...text })).body.response)
    assert.match(preview.html, /Dear &lt;b&gt;/)
    assert.match(preview.subject, /^See you \w+/)
    assert.equal((await manager.post('/notifications/template/edit/', { ...key, ...text })).status, 200)
    const own = Object((await manager.get('/notifications/template/?kind=confirmed&locale=en')).body.response)
    assert.deepEqual([own.subject, own.isDefault, own.versions.length], [text.subject, false, 1])
    assert.equal((await manager.get('/notifications/templates/')).body.response.length, 1)
    await manager.post('/notifications/template/edit/', { ...key, subject: '', body: '' })
    const again = Object((await manager.get('/notifications/template/?kind=confirmed&locale=en')).body.response)
    assert.deepEqual([again.isDefault, again.versions.length], [true, 2])
    assert.equal((await manager.get('/notifications/templates/')).body.response.length, 0)
  })

  test('every mail that is not about a reservation has templates with placeholders of its own', async () => {
    for (const of of mailKinds)
      for (const locale of ['en', 'de', 'es', 'fr']) {
        const key = { kind: of, locale }
        const shown = Object((await manager.get(`/notifications/template/?kind=${of}&locale=${locale}`)).body.response)
        const text = { subject: shown.subject, body: `${shown.body}\n\n{{ ${shown.placeholders.join(' }} {{ ')} }}` }
        const preview = await admin.post('/notifications/preview/', { ...key, ...text })
        assert.equal(preview.status, 200, `${of} ${locale} ${JSON.stringify(preview.body)}`)
        const { subject, text: plain } = Object(preview.body.response)
        assert.doesNotMatch(subject + plain, /\{\{|undefined/, `${of} ${locale}`)
      }
    const text = { subject: 'x', body: '{{ customer.name }}' }
    const save = (more: object) =>
      admin.post('/notifications/template/edit/', { kind: 'password_reset', locale: 'en', ...text, ...more })
    for (const [more, status, field] of [
      [{}, 400, 'body'],
      [{ body: 'y', serviceId: 'plain' }, 400, 'serviceId'],
      [{ body: 'y', channel: 'sms' }, 400, 'channel'],
    ] as const) {
      const refused = await save(more)
      assert.deepEqual([refused.status, Object.keys(refused.body.details ?? {})], [status, [field]])
    }
  })

  test('a template that loops is refused in time', async () => {
    const body = '{% for a in (1..100000) %}{% for b in (1..100000) %}x{% endfor %}{% endfor %}'
    // The processor time of the service counts, because a busy machine may delay the response.
    const processorTime = async () => {
      const metrics = await (await fetch(`${site.server.url}/metrics`)).text()
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1])
    }
    const before = await processorTime()
    const refused = await manager.post('/notifications/preview/', {
      kind: 'confirmed',
      locale: 'en',
      subject: 'x',
      body,
    })
    assert.equal(refused.status, 400)
    assert.ok((await processorTime()) - before < 2)
  })

  test('a suppressed address is listed and allowed again', async () => {
    const row = ['kim@example.com', 'bounced', 'no such user', 1]
    await site.sql('insert into mail_suppression (address_key, reason, detail, created_at) values (?, ?, ?, ?)', row)
    const listed = (await manager.get('/notifications/suppressions/')).body.response
    assert.deepEqual([listed[0]?.address, listed[0]?.reason], ['kim@example.com', 'bounced'])
    assert.equal(
      (await manager.post('/notifications/suppressions/remove/', { address: 'Kim@example.com' })).status,
      200,
    )
    assert.equal(
      (await manager.post('/notifications/suppressions/remove/', { address: 'kim@example.com' })).status,
      404,
    )
  })

  test('a forgotten password is reset by a link that is mailed to the user of the address alone', async () => {
    const visitor = new BrowserClient(site.server)
    assert.equal(Object((await visitor.get('/password/forgotten/')).body.response).available, true)
    const { email } = await insertSignedInUser(site, 'manager')
    assert.equal((await visitor.post('/password/forgotten/', { email: 'nobody@clinic.example' })).status, 200)
    assert.equal((await visitor.post('/password/forgotten/', { email: email.toUpperCase() })).status, 200)
    await entry(`recipient=${email}`)
    const [mail, ...more] = mailServer.to(email)
    assert.ok(mail && more.length === 0)
    assert.deepEqual(mailServer.to('nobody@clinic.example'), [])
    const secret = /\/admin\/set-password#([\w-]{43})/.exec(partOf(mail, 'text/plain') ?? '')?.[1]
    const password = 'Fjord-Lampe-93-Zirkus'
    assert.equal((await visitor.post('/password/set/', { secret, password })).status, 200)
    assert.equal((await visitor.post('/session/sign-in/', { email, password })).status, 200)
    const jobs = await site.sql("select payload from job where kind = 'account-mail'")
    assert.doesNotMatch(JSON.stringify(jobs), /set-password/)
    await entry(`recipient=${email}&kind=password_changed`)
  })

  test('a link of an administrator stays valid when anyone asks for another one, until a password is set', async () => {
    const { email, userId } = await insertSignedInUser(site, 'manager')
    const made = await admin.post('/users/link/', { id: userId })
    assert.equal(made.status, 200, made.text)
    const visitor = new BrowserClient(site.server)
    assert.equal((await visitor.post('/password/forgotten/', { email })).status, 200)
    const mailed = /#([\w-]{43})/.exec(partOf(await mailServer.firstTo(email), 'text/plain') ?? '')?.[1]
    const secret = String(made.body.response.link).split('#')[1]
    assert.equal((await visitor.post('/password/set/', { secret, password: 'Fjord-Lampe-93-Zirkus' })).status, 200)
    const late = await visitor.post('/password/set/', { secret: mailed, password: 'Fjord-Lampe-94-Zirkus' })
    assert.equal(late.status, 403)
  })

  test('a user learns by mail that a link lifted the second factors', async () => {
    const { email, userId } = await insertSignedInUser(site, 'manager')
    await site.sql(
      "insert into passkey (id, person_id, name, public_key, counter, transports, created_at) values ('key_1', ?, 'Key', '', 0, '', 1)",
      [userId],
    )
    const made = await admin.post('/users/link/', { id: userId, liftSecondFactor: true })
    const secret = String(made.body.response.link).split('#')[1]
    const used = await new BrowserClient(site.server).post('/password/set/', {
      secret,
      password: 'Fjord-Lampe-93-Zirkus',
    })
    assert.equal(used.status, 200, used.text)
    assert.deepEqual(await site.sql("select 1 from passkey where id = 'key_1'"), [])
    await entry(`recipient=${email}&kind=second_factor_changed`)
  })

  test('a mail to a user has the text of its template, with the link after the first paragraph', async () => {
    const { email } = await insertSignedInUser(site, 'manager')
    const change = { kind: 'password_reset', locale: 'en', subject: 'x', body: 'https://elsewhere.example' }
    const refused = await manager.post('/notifications/template/edit/', change)
    assert.deepEqual([refused.status, refused.body.reason], [403, 'template_forbidden'])
    const edited = (subject: string, body: string) =>
      admin.post('/notifications/template/edit/', { kind: 'password_reset', locale: 'en', subject, body })
    assert.equal((await edited('{{ user.name }} at {{ site.name }}', '<i>First</i>.\n\nSecond.')).status, 200)
    await new BrowserClient(site.server).post('/password/forgotten/', { email })
    const mail = await mailServer.firstTo(email)
    assert.match(mail.headers.get('subject') ?? '', /^\S.* at \S/)
    assert.match(partOf(mail, 'text/plain') ?? '', /^<i>First<\/i>\.\s+http\S+#[\w-]{43}\s+Second\.\s/)
    assert.match(partOf(mail, 'text/html') ?? '', /&lt;i&gt;First/)
    assert.equal((await edited('', '')).status, 200)
  })

  test('asking again and again for a link is refused', async () => {
    const statuses: number[] = []
    for (let time = 0; time < 11; time += 1)
      statuses.push(
        (await new BrowserClient(site.server).post('/password/forgotten/', { email: 'mia@x.example' })).status,
      )
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429])
  })

  test('the security history has who asked for a link to set a password, and the lock', async () => {
    const { email, userId } = await insertSignedInUser(site, 'manager')
    const visitor = new BrowserClient(site.server)
    for (let time = 0; time < 11; time += 1) await visitor.post('/password/forgotten/', { email })
    const entries = (await admin.get(`/security/?userId=${userId}`)).body.response
    const known = entries.filter(({ kind: one }) => one === 'reset_requested' || one === 'locked')
    assert.deepEqual(known.map((one) => [one.kind, one.count, one.userId, one.address]).toSorted(), [
      ['locked', 1, userId, '127.0.0.1'],
      ['reset_requested', 10, userId, '127.0.0.1'],
    ])
  })

  test('an administrator sends a user a link to set a password', async () => {
    const user = { name: 'Nia', email: 'nia@clinic.example', role: 'manager' }
    const { id } = (await admin.post('/users/add/', user)).body.response
    assert.equal((await manager.post('/users/send-link/', { id })).status, 403)
    assert.equal((await admin.post('/users/send-link/', { id })).status, 200)
    assert.equal((await entry('recipient=nia@clinic.example')).kind, 'invitation')
    assert.equal(mailServer.to('nia@clinic.example').length, 1)
  })

  test('a link to set a password is void once another is to be mailed, also before the mail is sent', async () => {
    const user = { name: 'Zoe', email: 'zoe@clinic.example', role: 'manager' }
    const { id, link } = (await admin.post('/users/add/', user)).body.response
    await site.sql('update site set outbound_paused_at = 1')
    assert.equal((await admin.post('/users/send-link/', { id })).status, 200)
    const secret = String(link).split('#').at(-1)
    const set = await new BrowserClient(site.server).post('/password/set/', { secret, password: 'a long enough one' })
    assert.deepEqual([set.status, set.body.reason], [403, 'link_invalid'])
    assert.equal(mailServer.to(user.email).length, 0)
    await site.sql('update site set outbound_paused_at = null')
  })

  test('the log of messages is searched without regard to case, whatever the script', async () => {
    await site.sql(
      "insert into notification (id, kind, reservation_id, customer_id, channel, recipient, locale, subject, state, reason, attempts, created_at, updated_at) values ('ntf_case', 'invitation', null, null, 'email', 'Ünal@clinic.example', 'en', '', 'sent', '', 1, ?, ?)",
      [now, now],
    )
    for (const part of ['ünal@CLINIC', 'ÜNAL', 'nal@clinic.ex'])
      assert.equal((await entry(`recipient=${encodeURIComponent(part)}`)).id, 'ntf_case', part)
  })

  test('users and providers receive messages in the language in which they read the panel', async () => {
    const { email, browser } = await insertSignedInUser(site, 'manager')
    assert.equal(Object((await browser.get('/session/')).body.response.user).language, null)
    assert.equal((await browser.post('/session/language/', { language: 'xx' })).status, 400)
    assert.equal((await browser.post('/session/language/', { language: 'es' })).status, 200)
    assert.equal((await browser.post('/session/language/', { language: 'de' })).status, 200)
    assert.equal(Object((await browser.get('/session/')).body.response.user).language, 'de')
    await new BrowserClient(site.server).post('/password/forgotten/', { email })
    assert.match((await mailServer.firstTo(email)).headers.get('subject') ?? '', /Passwort/)
    const provider = (await insertSignedInUser(site, 'provider', { providerId: ana })).browser
    assert.equal((await provider.post('/session/language/', { language: 'fr' })).status, 200)
    mailServer.received.length = 0
    assert.equal((await site.add(await site.slot({ service: 'plain', provider: ana }))).status, 200)
    const mail = await mailServer.firstTo('ana@clinic.example')
    const text = partOf(mail, 'text/plain') ?? ''
    assert.match(text, /a réservé/)
    assert.match(text, /^Client\u00a0: /m)
  })
})
