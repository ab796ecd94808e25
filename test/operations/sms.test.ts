import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { findSuppression, suppress } from '../../src/notifications/notifications.sql.ts'
import { smsPresets } from '../../src/notifications/sms/presets.ts'
import { defaultSms, type SmsSettings } from '../../src/notifications/sms/sms.ts'
import { type InProcessSite, present, resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import { type Receiver, type ReceiverResponse, startReceiver } from '../webhooks/receiver.ts'

const day = 86_400
const number = '+4915123456789'

describe('short messages', { timeout: 600_000 }, () => {
  let siteWithMail: InProcessSiteWithMail
  let site: InProcessSite
  let gateway: Receiver
  let answer: ReceiverResponse
  before(async () => {
    siteWithMail = await InProcessSiteWithMail.open()
    ;({ site } = siteWithMail)
    gateway = await startReceiver(() => answer)
    // A message is rendered before the tests, because on a busy machine the first rendering of a template in a process
    // can exceed the time limit for templates.
    await siteWithMail.book()
    await siteWithMail.runDueJobs()
  })
  after(async () => {
    await gateway.close()
    await siteWithMail.close()
  })
  beforeEach(async () => {
    siteWithMail.reset()
    answer = { status: 200, body: '{}' }
    gateway.received.length = 0
    await site.connection.build.deleteFrom('mail_suppression').execute()
    await site.connection.build.deleteFrom('job').execute()
    await configure({})
    await agree(number)
  })

  const { twilio } = smsPresets
  async function configure(change: Partial<SmsSettings>): Promise<void> {
    const { method, contentType, user, body, refusals } = twilio
    const own = { method, contentType, user, body, refusals: [...refusals], url: gateway.url, sender: 'Clinic' }
    resultOf(await site.perform('notifications.sms.edit', { sms: { ...defaultSms, ...own, enabled: true, ...change } }))
  }
  const agree = async (to: string | null): Promise<void> => {
    resultOf(await site.perform('customers.sms', { customerId: site.customer('Jo'), number: to }))
  }
  const logged = async (reservationId: string) =>
    (await siteWithMail.messageLog(reservationId, number)).map(({ kind, state, channel }) => [kind, state, channel])
  const unsubscribed = async (notificationId: string) =>
    resultOf(await site.perform('notifications.unsubscribe', { notificationId }))
  const jobs = async (kind: string) => {
    const rows = site.connection.build.selectFrom('job').selectAll().where('kind', '=', kind)
    return rows.execute()
  }

  test('a customer who agreed receives the confirmation as the gateway expects it, beside the mail', async () => {
    const { id } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    const [call, ...more] = gateway.received
    assert.ok(call && more.length === 0, JSON.stringify(await jobs('sms')))
    const sent = new URLSearchParams(call.body)
    assert.deepEqual([sent.get('To'), sent.get('From')], [number, 'Clinic'])
    assert.match(
      sent.get('Body') ?? '',
      /^Harbour Clinic: Your appointment is confirmed: plain, .*\(Europe\/Berlin\)\.$/,
    )
    assert.equal(call.headers.authorization, `Basic ${Buffer.from('ACCOUNT_SID:').toString('base64')}`)
    assert.match(String(call.headers['idempotency-key']), /\.confirmed$/)
    assert.deepEqual(await logged(id), [['confirmed', 'sent', 'sms']])
    assert.equal(siteWithMail.mailServer.to('jo@example.com').length, 1)
  })

  test('without consent, or for a kind that is not chosen, nothing is sent', async () => {
    await agree(null)
    await siteWithMail.book()
    await siteWithMail.runDueJobs()
    await agree(number)
    await configure({ kinds: ['reminder'] })
    await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.equal(gateway.received.length, 0)
  })

  test('JSON, PUT and GET requests are made from the template', async () => {
    const body = '{"to": {{ to_digits | json }}, "text": {{ text | json }}, "kind": {{ kind | json }}}'
    await configure({ method: 'PUT', contentType: 'application/json', user: '', body })
    await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.equal(JSON.parse(gateway.received[0]?.body ?? '').to, number.slice(1))
    await configure({ method: 'GET', user: '', body: 'to={{ to | url_encode }}&text={{ text | url_encode }}' })
    await siteWithMail.book()
    await siteWithMail.runDueJobs()
    const query = new URL(gateway.received[1]?.path ?? '', 'http://gateway').searchParams
    assert.deepEqual([query.get('to'), gateway.received[1]?.body], [number, ''])
  })

  test('a gateway that is overloaded is asked again when it says', async () => {
    answer = { status: 429, headers: { 'retry-after': '600' } }
    const { id } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.deepEqual(await logged(id), [['confirmed', 'retrying', 'sms']])
    const [job] = await jobs('sms')
    assert.ok(job && job.run_at >= siteWithMail.now + 600, String(job?.run_at))
    assert.equal(job.last_error, 'HTTP 429')
    answer = { status: 200 }
    siteWithMail.now += 599
    await siteWithMail.runDueJobs()
    assert.equal(gateway.received.length, 1)
    siteWithMail.now = Number(job.run_at)
    await siteWithMail.runDueJobs()
    assert.deepEqual(await logged(id), [['confirmed', 'sent', 'sms']])
    assert.equal(gateway.received[0]?.headers['idempotency-key'], gateway.received[1]?.headers['idempotency-key'])
  })

  test('a server error is tried again, a refused request is not', async () => {
    answer = { status: 503, body: 'down' }
    const { id } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    const [job] = await jobs('sms')
    assert.ok(job && job.run_at > siteWithMail.now && job.state === 'due')
    answer = { status: 400, body: 'no such sender' }
    siteWithMail.now = Number(job.run_at)
    await siteWithMail.runDueJobs()
    assert.deepEqual(await logged(id), [['confirmed', 'failed', 'sms']])
    assert.deepEqual(
      (await jobs('sms')).map(({ state }) => state),
      ['parked'],
    )
    assert.equal((await siteWithMail.messageLog(id, number))[0]?.reason, 'HTTP 400: no such sender')
  })

  test('an unsubscription that a version without its column stored outlasts a bounce', async () => {
    const address = 'old@example.com'
    const row = { address_key: address, reason: 'unsubscribed', detail: '', created_at: 1 }
    await site.connection.build.insertInto('mail_suppression').values(row).execute()
    assert.equal((await findSuppression(site.connection, address))?.unsubscribedAt, 1)
    await suppress(site.connection, { address, reason: 'bounced', detail: 'unknown', createdAt: 2 })
    const found = await findSuppression(site.connection, address)
    assert.deepEqual([found?.reason, found?.createdAt, found?.unsubscribedAt], ['bounced', 2, 1])
  })

  test('a number that cannot receive messages is suppressed, and allowed again', async () => {
    answer = { status: 400, body: '{"code": 21610, "message": "unsubscribed"}' }
    const first = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.deepEqual(await logged(first.id), [['confirmed', 'failed', 'sms']])
    answer = { status: 200 }
    const second = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.deepEqual(await logged(second.id), [['confirmed', 'skipped', 'sms']])
    resultOf(await site.perform('notifications.allow', { address: number }))
    const third = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.deepEqual(await logged(third.id), [['confirmed', 'sent', 'sms']])
  })

  test('a reminder waits for the end of quiet hours, moves with its reservation, and disappears with it', async () => {
    const { id, start: starts } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    gateway.received.length = 0
    const of = async (reservationId: string) =>
      (await jobs('timed-sms')).filter(({ unique_key: key }) => key.startsWith(reservationId))
    assert.deepEqual(
      (await of(id)).map(({ run_at: at }) => at),
      [starts - day],
    )
    const wall = new Date((starts - day) * 1000)
    const clock = (minutes: number) => {
      const at = new Date(wall.getTime() + minutes * 60_000)
      return at.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
    }
    await siteWithMail.configure({ quietHours: { from: clock(-60), until: clock(60) } })
    await configure({})
    siteWithMail.now = starts - day
    await siteWithMail.runDueJobs()
    assert.equal(gateway.received.length, 0)
    siteWithMail.now += 3_600
    await siteWithMail.runDueJobs()
    assert.match(new URLSearchParams(gateway.received[0]?.body).get('Body') ?? '', /Reminder of your appointment/)
    const other = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    resultOf(await site.perform('reservations.edit', { id: other.id, status: 'cancelled' }))
    await siteWithMail.runDueJobs()
    assert.deepEqual(await of(other.id), [])
    await siteWithMail.configure({})
  })

  test('a customer who unsubscribes by the link in a mail gets no reminders by short message either', async () => {
    const { id, start: starts } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    const [mail] = await siteWithMail.messageLog(id)
    assert.equal(await unsubscribed(present(mail).id), true)
    siteWithMail.now = starts - day
    await siteWithMail.runDueJobs()
    const expected = [
      ['confirmed', 'sent', 'sms'],
      ['reminder', 'skipped', 'sms'],
    ]
    assert.deepEqual(await logged(id), expected)
    // A number may be reached although mail to the customer is refused.
    const bounced = { address_key: 'jo@example.com', reason: 'bounced', detail: '', created_at: 0 }
    await site.connection.build.deleteFrom('mail_suppression').execute()
    await site.connection.build.insertInto('mail_suppression').values(bounced).execute()
    const other = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    siteWithMail.now = other.start - day
    await siteWithMail.runDueJobs()
    assert.deepEqual((await logged(other.id)).at(-1), ['reminder', 'sent', 'sms'])
  })

  test('who unsubscribed gets no reminders by short message after mail to the address has bounced', async () => {
    const { id, start: starts } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.equal(await unsubscribed(present((await siteWithMail.messageLog(id))[0]).id), true)
    siteWithMail.refusedWith.set('jo@example.com', 550)
    await siteWithMail.book()
    await siteWithMail.runDueJobs()
    siteWithMail.now = starts - day
    await siteWithMail.runDueJobs()
    assert.deepEqual((await logged(id)).at(-1), ['reminder', 'skipped', 'sms'])
  })

  test('own texts replace the default, in the language of the customer', async () => {
    const key = { kind: 'confirmed', serviceId: '', locale: 'en', channel: 'sms' } as const
    resultOf(
      await site.perform('notifications.templates.edit', { ...key, subject: '', body: 'See you, {{ start_time }}' }),
    )
    await siteWithMail.book()
    await siteWithMail.runDueJobs()
    assert.match(new URLSearchParams(gateway.received[0]?.body).get('Body') ?? '', /^See you, \d\d:\d\d$/)
    assert.doesNotMatch(siteWithMail.mailServer.to('jo@example.com')[0]?.raw ?? '', /See you/)
    resultOf(await site.perform('notifications.templates.edit', { ...key, subject: '', body: '' }))
  })

  test('a short message about a restored appointment does not replace the mail about it', async () => {
    await configure({ kinds: ['confirmed', 'cancelled'] })
    const { mailServer } = siteWithMail
    const { id } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    const set = async (status: 'cancelled' | 'confirmed') => {
      siteWithMail.now += 60
      resultOf(await site.edit(id, { status }, { now: siteWithMail.now }))
      siteWithMail.now += 60
      await siteWithMail.runDueJobs()
    }
    await set('cancelled')
    siteWithMail.refusedWith.set('jo@example.com', 451)
    await set('confirmed')
    assert.deepEqual((await logged(id)).filter(([, , channel]) => channel === 'sms').length, 3)
    siteWithMail.refusedWith.clear()
    siteWithMail.now += 3_600
    await siteWithMail.runDueJobs()
    const subjects = mailServer.to('jo@example.com').map(({ headers }) => headers.get('subject') ?? '')
    const kinds = subjects.flatMap((subject) => /^(Confirmed|Cancelled)/.exec(subject)?.[0] ?? [])
    assert.deepEqual(kinds, ['Confirmed', 'Cancelled', 'Confirmed'])
  })

  test('a gateway that hangs delays no mail', async () => {
    answer = 'hang'
    await siteWithMail.book()
    const sending = siteWithMail.runDueJobs()
    await siteWithMail.mailServer.firstTo('jo@example.com')
    await gateway.close()
    await sending
    assert.deepEqual(
      (await jobs('sms')).map(({ state, last_error: why }) => [state, why]),
      [['due', 'connection_failed']],
    )
    gateway = await startReceiver(() => answer)
  })
})
