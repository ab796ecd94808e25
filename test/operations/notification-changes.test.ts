import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { NotificationSettings } from '../../src/notifications/settings.ts'
import { ana } from '../support/clinic.ts'
import { type InProcessSite, present, resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import { type MailServer, partOf } from '../support/mail-server.ts'

const day = 86_400

describe('notifications of changes in the panel, to users and providers', { timeout: 600_000 }, () => {
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
  const byUser = { kind: 'user', id: 'u_1' } as const
  const subjects = () => mailServer.to('jo@example.com').map(({ headers }) => headers.get('subject') ?? '')
  const move = async (id: string, nth: number, more: object = {}) => {
    const slot = (await site.slots('plain', ana, site.nextDay()))[nth]
    assert.ok(slot)
    const { providerId, start: from, end } = slot
    resultOf(await site.edit(id, { providerId, start: from, end, ...more }, { actor: byUser, now: siteWithMail.now }))
    await run()
    return from
  }

  test('a move in the panel that is moved back at once is announced to nobody', async () => {
    const { id, providerId, start: from, end } = await book()
    await run()
    mailServer.received.length = 0
    await move(id, 3)
    siteWithMail.now += 8
    resultOf(await site.edit(id, { providerId, start: from, end }, { actor: byUser, now: siteWithMail.now }))
    await run()
    siteWithMail.now += 60
    await run()
    assert.deepEqual(mailServer.received, [])
  })

  test('a change without a message to the customer is told to the provider alone, and is part of the next one', async () => {
    const { id } = await book()
    await run()
    siteWithMail.now += 60
    mailServer.received.length = 0
    const told = await logged(id)
    await move(id, 3, { notify: false })
    siteWithMail.now += 60
    await run()
    assert.deepEqual(subjects(), [])
    assert.equal(mailServer.received.length, 1)
    siteWithMail.now += 60
    await move(id, 5)
    siteWithMail.now += 60
    await run()
    assert.equal((await logged(id)).length, told.length + 1)
    const [mail, ...more] = mailServer.to('jo@example.com')
    assert.ok(mail && more.length === 0)
    // The message names the time of which the customer was last informed, not the time between the two moves.
    assert.match(partOf(mail, 'text/plain') ?? '', /has been moved from [^.]*, 09:00 to /)
  })

  test('a booking that is moved at once is announced although messages about moves are switched off', async (t) => {
    t.after(() => configure({}))
    const booked = async (disabled: NotificationSettings['disabled']) => {
      await configure({ disabled })
      mailServer.received.length = 0
      const slot = present((await site.slots('plain', ana, site.nextDay()))[0])
      const { id } = resultOf(await site.add(slot, {}, { actor: byUser, now: siteWithMail.now }))
      await run()
      siteWithMail.now += 5
      await move(id, 3)
      siteWithMail.now += 60
      await run()
      return [...subjects(), ...mailServer.to('ana@clinic.example').map(() => 'to the provider')]
    }
    const [first, ...others] = await booked(['rescheduled', 'provider_changed'])
    assert.match(first ?? '', /^Confirmed: /)
    assert.deepEqual(others, ['to the provider'])
    assert.deepEqual(await booked(['confirmed', 'provider_new']), [])
  })

  test('a customer who missed the visit is not thanked for it', async (t) => {
    await configure({ followUp: 60, reminders: [] })
    t.after(() => configure({}))
    const [missed, kept] = [await book(), await book()]
    await run()
    mailServer.received.length = 0
    const mark = { id: missed.id, state: 'no_show' } as const
    resultOf(await site.perform('reservations.staff.attendance', mark, { now: missed.end }))
    for (const { end } of [missed, kept]) {
      siteWithMail.now = end + 3_600
      await run()
    }
    const followUps = async (id: string) => (await logged(id)).filter(({ kind }) => kind === 'follow_up').length
    assert.deepEqual([await followUps(missed.id), await followUps(kept.id)], [0, 1])
  })

  test('a cancellation without a message is followed by none when it is undone', async () => {
    const { id } = await book()
    await run()
    mailServer.received.length = 0
    siteWithMail.now += 60
    resultOf(await site.edit(id, { status: 'cancelled', notify: false }, { actor: byUser, now: siteWithMail.now }))
    await run()
    siteWithMail.now += 60
    resultOf(await site.edit(id, { status: 'confirmed' }, { actor: byUser, now: siteWithMail.now }))
    await run()
    siteWithMail.now += 60
    await run()
    assert.deepEqual(subjects(), [])
  })

  test('administrators are told of a webhook that was switched off, unless a user did it', async () => {
    const entry = { passwordHash: 'x' }
    const user = { email: 'boss@clinic.example', role: 'admin', name: 'Boss', providerId: null } as const
    resultOf(await site.perform('users.create', { ...user, entry }))
    const object = { id: 'wh_1', url: 'https://erp.example/hook' }
    for (const disabledBecause of ['user', 'failing']) {
      const shown = { ...object, disabledBecause }
      await site.run((tx) => tx.append({ type: 'webhook.disabled', objectId: 'wh_1', object: shown, previous: null }))
    }
    await run()
    const [mail, ...more] = mailServer.to('boss@clinic.example')
    assert.ok(mail && more.length === 0)
    assert.match(partOf(mail, 'text/plain') ?? '', /https:\/\/erp\.example\/hook has been switched off/)
  })

  test('a user is told of a sign-in with a new browser, unless that is switched off', async () => {
    const user = { email: 'eve@clinic.example', role: 'manager', name: 'Eve', providerId: null } as const
    const { id } = resultOf(await site.perform('users.create', { ...user, entry: { passwordHash: 'x' } }))
    const signIn = async (browser: string): Promise<number> => {
      const place = {
        hash: `${browser} ${siteWithMail.now}`,
        device: 'Firefox, Linux',
        address: '192.0.2.7',
        deviceHash: browser,
      }
      const proof = { by: 'password', passwordHash: 'x' } as const
      resultOf(await site.perform('sessions.start', { userId: id, proof, place }))
      await run()
      siteWithMail.now += 60
      return mailServer.to('eve@clinic.example').length
    }
    const counts = [await signIn('first'), await signIn('first'), await signIn('second'), await signIn('second')]
    assert.deepEqual(counts, [0, 0, 1, 1])
    const [mail] = mailServer.to('eve@clinic.example')
    assert.ok(mail)
    assert.match(partOf(mail, 'text/plain') ?? '', /not signed in before: Firefox, Linux, 192\.0\.2\.7/)
    await configure({ disabled: ['new_sign_in'] })
    assert.equal(await signIn('third'), 1)
    await configure({ disabled: [] })
  })

  test('a provider receives the agenda of the day once, and none for a day without appointments', async () => {
    await configure({ agendaAt: '07:00' })
    const { start: first } = await book()
    await run()
    mailServer.received.length = 0
    const agendas = () =>
      mailServer
        .to('ana@clinic.example')
        .filter(({ headers }) => headers.get('subject')?.startsWith('Your appointments on'))
    const tick = async (at: number): Promise<number> => {
      siteWithMail.now = at
      resultOf(await site.perform('notifications.agendas', {}, { now: siteWithMail.now }))
      await run()
      return agendas().length
    }
    const midnight = first - 9 * 3_600
    const counts = [
      midnight + 7 * 3_600 - 1,
      midnight + 7 * 3_600,
      midnight + 8 * 3_600,
      midnight + 207 * 3_600 + 200 * day,
    ]
    const sent: number[] = []
    for (const at of counts) sent.push(await tick(at))
    assert.deepEqual(sent, [0, 1, 1, 1])
    const [mail] = agendas()
    assert.ok(mail)
    assert.match(partOf(mail, 'text/plain') ?? '', /09:00–09:30 {2}Jo · plain/)
    await configure({ agendaAt: null })
  })

  test('the log of messages has an agenda that is not sent, as the address of the provider bounced', async (t) => {
    await configure({ agendaAt: '07:00' })
    const { build } = site.connection
    t.after(async () => {
      await build.deleteFrom('mail_suppression').execute()
      await configure({})
    })
    siteWithMail.refusedWith.set('ana@clinic.example', 550)
    const { start } = await book()
    await run()
    siteWithMail.now = start - 3_600
    for (const _ of ['once', 'not again']) {
      resultOf(await site.perform('notifications.agendas', {}, { now: siteWithMail.now }))
      await run()
    }
    const skipped = build.selectFrom('notification').select(['recipient', 'reason']).where('kind', '=', 'agenda')
    const expected = [{ recipient: 'ana@clinic.example', reason: 'bounced' }]
    assert.deepEqual(await skipped.where('state', '=', 'skipped').execute(), expected)
  })

  test('a collective appointment is in the agenda of every provider that it occupies', async () => {
    await configure({ agendaAt: '07:00' })
    const { start } = await book('collective')
    await run()
    mailServer.received.length = 0
    siteWithMail.now = start - 3_600
    resultOf(await site.perform('notifications.agendas', {}, { now: siteWithMail.now }))
    await run()
    for (const address of ['ana@clinic.example', 'ben@clinic.example']) {
      const [mail] = mailServer.to(address)
      assert.match(partOf(mail ?? assert.fail(address), 'text/plain') ?? '', /Jo · collective/)
    }
    await configure({ agendaAt: null })
  })
})
