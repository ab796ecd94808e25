import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import ICAL from 'ical.js'
import type { NotificationSettings } from '../../src/notifications/settings.ts'
import { ana, now as start } from '../support/clinic.ts'
import { type InProcessSite, present, resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import { type MailServer, partOf } from '../support/mail-server.ts'

const day = 86_400

describe('notifications', { timeout: 600_000 }, () => {
  let siteWithMail: InProcessSiteWithMail
  let site: InProcessSite
  let mailServer: MailServer
  before(async () => {
    siteWithMail = await InProcessSiteWithMail.open()
    ;({ site, mailServer: mailServer } = siteWithMail)
  })
  after(() => siteWithMail.close())
  beforeEach(() => siteWithMail.reset())

  const configure = (change: Partial<NotificationSettings>) => siteWithMail.configure(change)
  const run = () => siteWithMail.runDueJobs()
  const book = (service?: string, nth?: number) => siteWithMail.book(service, nth)
  const logged = (reservationId: string) => siteWithMail.messageLog(reservationId)
  const eventIn = (content: string | undefined) => {
    const calendar = new ICAL.Component(ICAL.parse(content ?? ''))
    const event = new ICAL.Event(calendar.getFirstSubcomponent('vevent') ?? undefined)
    return { method: calendar.getFirstPropertyValue('method'), uid: event.uid, sequence: event.sequence, event }
  }

  test('a confirmed booking is announced to the customer and the provider, with a calendar file', async () => {
    const { id, start: starts } = await book()
    await run()
    const [mail, ...more] = mailServer.to('jo@example.com')
    assert.ok(mail && more.length === 0)
    assert.match(mail.headers.get('subject') ?? '', /^Confirmed: plain on /)
    assert.match(mail.headers.get('from') ?? '', /The clinic.*<desk@clinic\.example>/)
    assert.equal(mail.headers.get('auto-submitted'), 'auto-generated')
    assert.match(partOf(mail, 'text/plain') ?? '', /Your appointment is confirmed/)
    assert.match(partOf(mail, 'text/html') ?? '', /<th scope="row"[^>]*>When<\/th>/)
    const { method, uid, event } = eventIn(partOf(mail, 'text/calendar'))
    assert.deepEqual([method, uid], ['REQUEST', `${id}@book.clinic.example`])
    assert.equal(event.startDate.toUnixTime(), starts)
    assert.equal(mailServer.received.length, 2)
  })

  test('the customer’s message links to the page of the reservation while the booking page is open', async () => {
    const link = /https?:\/\/[^\s"]+\/manage\/r_[^\s"]+\//
    await book()
    await run()
    const [mail] = mailServer.to('jo@example.com')
    assert.ok(mail)
    assert.match(partOf(mail, 'text/plain') ?? '', link)
    assert.match(partOf(mail, 'text/html') ?? '', link)
    const toProvider = mailServer.received.find((one) => one !== mail)
    assert.ok(toProvider)
    assert.doesNotMatch(partOf(toProvider, 'text/plain') ?? '', link)
    mailServer.received.length = 0
    resultOf(await site.perform('booking-page.edit', { enabled: false }))
    await book()
    await run()
    assert.doesNotMatch(partOf(mailServer.to('jo@example.com')[0] ?? mail, 'text/plain') ?? '', link)
    resultOf(await site.perform('booking-page.edit', { enabled: true }))
  })

  test('a job that failed stores no address of its recipient, though the response of the mail server has it', async () => {
    siteWithMail.refusedWith.set('jo@example.com', 450)
    const { id } = await book()
    const failed = () =>
      site.connection.build.selectFrom('job').selectAll().where('last_error', 'is not', null).execute()
    let jobs = await failed()
    while (jobs.every(({ state }) => state !== 'parked')) {
      await run()
      jobs = await failed()
      siteWithMail.now = Math.max(siteWithMail.now, ...jobs.map((job) => job.run_at))
      assert.deepEqual([...new Set(jobs.map((job) => job.last_error))], ['SMTP 450'])
    }
    assert.match((await logged(id))[0]?.reason ?? '', /jo@example\.com/)
    await site.connection.build.deleteFrom('job').execute()
  })

  test('a moved booking updates the calendar entry, and a cancelled one removes it', async () => {
    const { id } = await book()
    await run()
    const [slot] = (await site.slots('plain', ana, site.nextDay())).slice(2)
    assert.ok(slot)
    siteWithMail.now += 60
    const { providerId, start: from, end, availabilityId } = slot
    resultOf(await site.edit(id, { providerId, start: from, end, availabilityId }, { now: siteWithMail.now }))
    await run()
    siteWithMail.now += 60
    resultOf(await site.edit(id, { status: 'cancelled' }, { now: siteWithMail.now }))
    await run()
    const files = mailServer.to('jo@example.com').map((mail) => eventIn(partOf(mail, 'text/calendar')))
    assert.deepEqual(
      files.map(({ method }) => method),
      ['REQUEST', 'REQUEST', 'CANCEL'],
    )
    assert.equal(new Set(files.map(({ uid }) => uid)).size, 1)
    const sequences = files.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      sequences.toSorted((one, other) => one - other),
    )
    assert.equal(new Set(sequences).size, 3)
    const threads = mailServer.to('jo@example.com').map(({ headers }) => headers.get('references'))
    assert.equal(new Set(threads).size, 1)
  })

  test('a booking that was cancelled before its message left is announced as nothing', async () => {
    const { id } = await book()
    resultOf(await site.edit(id, { status: 'cancelled' }))
    await run()
    const subjects = mailServer.to('jo@example.com').map(({ headers }) => headers.get('subject'))
    assert.equal(subjects.length, 1)
    assert.match(subjects[0] ?? '', /^Cancelled/)
  })

  test('a cancellation in the panel that is undone at once is announced to nobody', async () => {
    const { id } = await book()
    await run()
    mailServer.received.length = 0
    const actor = { kind: 'user', id: 'u_1' } as const
    resultOf(await site.edit(id, { status: 'cancelled' }, { actor }))
    await run()
    resultOf(await site.edit(id, { status: 'confirmed' }, { actor }))
    await run()
    siteWithMail.now += 60
    await run()
    assert.deepEqual(mailServer.received, [])
    resultOf(await site.edit(id, { status: 'cancelled' }, { actor, now: siteWithMail.now }))
    await run()
    siteWithMail.now += 60
    await run()
    resultOf(await site.edit(id, { status: 'confirmed' }, { actor, now: siteWithMail.now }))
    await run()
    siteWithMail.now += 60
    await run()
    const subjects = mailServer.to('jo@example.com').map(({ headers }) => (headers.get('subject') ?? '').slice(0, 9))
    assert.deepEqual(subjects, ['Cancelled', 'Confirmed'])
  })

  test('a request is acknowledged, and declined or confirmed afterwards', async () => {
    const declined = await book('approved')
    await run()
    resultOf(await site.edit(declined.id, { status: 'cancelled' }))
    await run()
    const confirmed = await book('approved')
    await run()
    resultOf(await site.edit(confirmed.id, { status: 'confirmed' }))
    await run()
    const subjects = mailServer.to('jo@example.com').map(({ headers }) => (headers.get('subject') ?? '').slice(0, 12))
    assert.deepEqual(subjects, ['We received ', 'Your request', 'We received ', 'Confirmed: p'.replace('p', 'a')])
  })

  test('a request that is in the customer’s calendar is tentative there, and leaves it when it is declined', async () => {
    const edit = async (id: string, change: Parameters<InProcessSite['edit']>[1]) => {
      siteWithMail.now += 60
      resultOf(await site.edit(id, change, { now: siteWithMail.now }))
      await run()
    }
    const [moved, reopened, never] = [await book('approved'), await book(), await book('approved')]
    await run()
    const slot = present((await site.slots('approved', ana, site.nextDay()))[2])
    const { providerId, start: from, end, availabilityId } = slot
    await edit(moved.id, { providerId, start: from, end, availabilityId })
    await edit(reopened.id, { status: 'pending' })
    for (const { id } of [moved, reopened, never]) await edit(id, { status: 'cancelled' })
    const filesAbout = (id: string) =>
      mailServer
        .to('jo@example.com')
        .filter(({ headers }) => headers.get('references')?.includes(id))
        .map((mail) => {
          const content = partOf(mail, 'text/calendar')
          if (content === undefined) return null
          const { method, event } = eventIn(content)
          return `${method} ${event.component.getFirstPropertyValue('status')}`
        })
    assert.deepEqual(filesAbout(moved.id), [null, 'REQUEST TENTATIVE', 'CANCEL CANCELLED'])
    assert.deepEqual(filesAbout(reopened.id), ['REQUEST CONFIRMED', null, 'CANCEL CANCELLED'])
    assert.deepEqual(filesAbout(never.id), [null, null])
  })

  test('staff are asked to approve a request that moved before the message left, at its present time', async (t) => {
    await configure({ staffAddress: 'desk@clinic.example' })
    t.after(() => configure({}))
    const [moved, confirmed] = [await book('approved'), await book('approved')]
    const slot = present((await site.slots('approved', ana, site.nextDay()))[2])
    const { providerId, start: from, end, availabilityId } = slot
    resultOf(await site.edit(moved.id, { providerId, start: from, end, availabilityId }))
    resultOf(await site.edit(confirmed.id, { status: 'confirmed' }))
    await run()
    const [mail, ...more] = mailServer.to('desk@clinic.example')
    assert.ok(mail && more.length === 0)
    assert.match(partOf(mail, 'text/plain') ?? '', /, 10:00–10:30/)
  })

  test('a reminder is sent once at its time, moves with its reservation and disappears with it', async () => {
    const kept = await book()
    const moved = await book()
    const gone = await book()
    await run()
    mailServer.received.length = 0
    const [slot] = await site.slots('plain', ana, site.nextDay())
    assert.ok(slot)
    const { providerId, start: from, end, availabilityId } = slot
    resultOf(await site.edit(moved.id, { providerId, start: from, end, availabilityId }))
    resultOf(await site.edit(gone.id, { status: 'cancelled' }))
    await run()
    mailServer.received.length = 0
    const due: [number, string][] = []
    for (const at of [kept.start - day - 1, kept.start - day, moved.start - day, gone.start - day, from - day]) {
      siteWithMail.now = at
      await run()
      for (const mail of mailServer.received) due.push([at, (mail.headers.get('subject') ?? '').slice(0, 8)])
      mailServer.received.length = 0
    }
    assert.deepEqual(due, [
      [kept.start - day, 'Reminder'],
      [from - day, 'Reminder'],
    ])
  })

  test('a reminder survives downtime, but is not sent once it no longer helps', async () => {
    const late = await book()
    const useless = await book()
    await run()
    mailServer.received.length = 0
    siteWithMail.now = late.start - day + 3_600
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)
    siteWithMail.now = useless.start - 60
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)
  })

  test('quiet hours delay a reminder to their end', async () => {
    await configure({ quietHours: { from: '00:00', until: '11:45' }, reminders: [120] })
    const { start: starts } = await book('plain', 8)
    await run()
    mailServer.received.length = 0
    siteWithMail.now = starts - 120 * 60
    await run()
    assert.deepEqual(mailServer.received, [])
    siteWithMail.now = starts - 75 * 60
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)
    await configure({})
  })

  test('a reminder that quiet hours or the mail server delay is sent although its reservation changes meanwhile', async () => {
    await configure({ quietHours: { from: '00:00', until: '11:45' }, reminders: [120] })
    const quiet = await book('plain', 8)
    await run()
    siteWithMail.now = quiet.start - 120 * 60
    await run()
    resultOf(await site.edit(quiet.id, { data: { note: 'Room 2' } }, { now: siteWithMail.now }))
    await run()
    mailServer.received.length = 0
    siteWithMail.now = quiet.start - 75 * 60
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)

    await configure({ reminders: [120] })
    siteWithMail.now = start
    const refused = await book('plain', 8)
    await run()
    mailServer.received.length = 0
    siteWithMail.refusedWith.set('jo@example.com', 451)
    siteWithMail.now = refused.start - 120 * 60
    await run()
    resultOf(await site.edit(refused.id, { data: { note: 'Room 3' } }, { now: siteWithMail.now }))
    await run()
    siteWithMail.refusedWith.clear()
    siteWithMail.now += 120
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)
    await configure({})
  })

  test('an address that bounces is suppressed, and mail to it is skipped until it is allowed again', async () => {
    siteWithMail.refusedWith.set('jo@example.com', 550)
    const refused = await book()
    await run()
    const [failed] = await logged(refused.id)
    assert.equal(failed?.state, 'failed')
    siteWithMail.refusedWith.clear()
    const later = await book()
    await run()
    assert.deepEqual(mailServer.to('jo@example.com'), [])
    const [skipped] = await logged(later.id)
    assert.deepEqual([skipped?.state, skipped?.reason], ['skipped', 'bounced'])
    resultOf(await site.perform('notifications.allow', { address: 'jo@example.com' }))
    await book()
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)
  })

  test('a temporary failure is retried with the same message id', async () => {
    siteWithMail.refusedWith.set('jo@example.com', 451)
    const { id } = await book()
    await run()
    assert.deepEqual(mailServer.to('jo@example.com'), [])
    siteWithMail.refusedWith.clear()
    siteWithMail.now += 120
    await run()
    const [mail] = mailServer.to('jo@example.com')
    assert.match(mail?.headers.get('message-id') ?? '', /^<evt_\w+\.confirmed@book\.clinic\.example>$/)
    const [entry] = await logged(id)
    assert.deepEqual([entry?.state, entry?.attempts], ['sent', 2])
  })

  test('who unsubscribes receives no reminders, but confirmations', async () => {
    const first = await book()
    await run()
    siteWithMail.now = first.start - day
    await run()
    const reminder = mailServer.to('jo@example.com').at(-1)
    const link = /<(.+)>/.exec(reminder?.headers.get('list-unsubscribe') ?? '')?.[1]
    const notificationId = new URL(link ?? '').searchParams.get('id') ?? ''
    assert.equal(resultOf(await site.perform('notifications.unsubscribe', { notificationId })), true)
    mailServer.received.length = 0
    siteWithMail.now = start
    const second = await book()
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)
    siteWithMail.now = second.start - day
    await run()
    assert.equal(mailServer.to('jo@example.com').length, 1)
    resultOf(await site.perform('notifications.allow', { address: 'jo@example.com' }))
  })

  test('a template of the site replaces the default, and an empty one returns to it', async () => {
    const key = { kind: 'confirmed', serviceId: '', locale: 'en', channel: 'email' } as const
    const body = 'See you, {{ customer.name }}'
    resultOf(await site.perform('notifications.templates.edit', { ...key, subject: 'Hi {{ start_time }}', body }))
    await book()
    await run()
    resultOf(await site.perform('notifications.templates.edit', { ...key, subject: '', body: '' }))
    await book()
    await run()
    const [own, usual] = mailServer.to('jo@example.com').map(({ headers }) => headers.get('subject') ?? '')
    assert.match(own ?? '', /^Hi \d\d:\d\d$/)
    assert.match(usual ?? '', /^Confirmed/)
  })

  test('what people type injects no header and no calendar property', async () => {
    const evil = 'Jo\r\nBcc: all@example.com\r\nX-Evil: 1'
    const id = site.customer('Mia')
    await site.connection.build.updateTable('customer').set({ name: evil }).where('id', '=', id).execute()
    const [slot] = await site.slots('plain', ana, site.nextDay())
    assert.ok(slot)
    await site.book(slot, { customerId: id })
    await run()
    assert.equal(mailServer.received.length, 2)
    for (const mail of mailServer.received) {
      assert.equal(mail.headers.has('bcc'), false)
      assert.equal(mail.headers.has('x-evil'), false)
      const { event } = eventIn(partOf(mail, 'text/calendar'))
      assert.equal(event.component.getFirstProperty('x-evil'), null)
      assert.equal(mail.to.length, 1)
    }
  })
})
