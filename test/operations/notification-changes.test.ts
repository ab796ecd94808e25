import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { NotificationSettings } from '../../src/notifications/settings.ts'
import { ana } from '../support/clinic.ts'
import { type Mailbox, partOf } from '../support/mailbox.ts'
import { done, type Office } from '../support/office.ts'
import { PostOffice } from '../support/post-office.ts'

const day = 86_400

describe('notifications of changes in the panel, to users and providers', { timeout: 600_000 }, () => {
  let post: PostOffice
  let office: Office
  let mailbox: Mailbox
  before(async () => {
    post = await PostOffice.open()
    ;({ office, mailbox } = post)
  })
  after(() => post.close())
  beforeEach(() => post.reset())

  const configure = (change: Partial<NotificationSettings>) => post.configure(change)
  const run = () => post.run()
  const book = (service?: string, nth?: number) => post.book(service, nth)
  const logged = (reservationId: string) => post.logged(reservationId)
  const byUser = { kind: 'user', id: 'u_1' } as const
  const subjects = () => mailbox.to('jo@example.com').map(({ headers }) => headers.get('subject') ?? '')
  const move = async (id: string, nth: number, more: object = {}) => {
    const slot = (await office.slots('plain', ana, office.nextDay()))[nth]
    assert.ok(slot)
    const { providerId, start: from, end } = slot
    done(await office.edit(id, { providerId, start: from, end, ...more }, { actor: byUser, now: post.now }))
    await run()
    return from
  }

  test('a move in the panel that is moved back at once is announced to nobody', async () => {
    const { id, providerId, start: from, end } = await book()
    await run()
    mailbox.received.length = 0
    await move(id, 3)
    post.now += 8
    done(await office.edit(id, { providerId, start: from, end }, { actor: byUser, now: post.now }))
    await run()
    post.now += 60
    await run()
    assert.deepEqual(mailbox.received, [])
  })

  test('a change without a message to the customer is told to the provider alone, and is part of the next one', async () => {
    const { id } = await book()
    await run()
    post.now += 60
    mailbox.received.length = 0
    const told = await logged(id)
    await move(id, 3, { notify: false })
    post.now += 60
    await run()
    assert.deepEqual(subjects(), [])
    assert.equal(mailbox.received.length, 1)
    post.now += 60
    await move(id, 5)
    post.now += 60
    await run()
    assert.equal((await logged(id)).length, told.length + 1)
    const [mail, ...more] = mailbox.to('jo@example.com')
    assert.ok(mail && more.length === 0)
    // Moved from the time that the customer knows, not from the one in between.
    assert.match(partOf(mail, 'text/plain') ?? '', /has been moved from [^.]*, 09:00 to /)
  })

  test('a cancellation without a message is followed by none when it is undone', async () => {
    const { id } = await book()
    await run()
    mailbox.received.length = 0
    post.now += 60
    done(await office.edit(id, { status: 'cancelled', notify: false }, { actor: byUser, now: post.now }))
    await run()
    post.now += 60
    done(await office.edit(id, { status: 'confirmed' }, { actor: byUser, now: post.now }))
    await run()
    post.now += 60
    await run()
    assert.deepEqual(subjects(), [])
  })

  test('administrators are told of a webhook that was switched off, unless a user did it', async () => {
    const entry = { passwordHash: 'x' }
    const user = { email: 'boss@clinic.example', role: 'admin', name: 'Boss', providerId: null } as const
    done(await office.perform('users.create', { ...user, entry }))
    const object = { id: 'wh_1', url: 'https://erp.example/hook' }
    for (const disabledBecause of ['user', 'failing']) {
      const shown = { ...object, disabledBecause }
      await office.run((tx) => tx.append({ type: 'webhook.disabled', objectId: 'wh_1', object: shown, previous: null }))
    }
    await run()
    const [mail, ...more] = mailbox.to('boss@clinic.example')
    assert.ok(mail && more.length === 0)
    assert.match(partOf(mail, 'text/plain') ?? '', /https:\/\/erp\.example\/hook has been switched off/)
  })

  test('a user is told of a sign-in with a new browser, unless that is switched off', async () => {
    const user = { email: 'eve@clinic.example', role: 'manager', name: 'Eve', providerId: null } as const
    const { id } = done(await office.perform('users.create', { ...user, entry: { passwordHash: 'x' } }))
    const signIn = async (browser: string): Promise<number> => {
      const place = {
        hash: `${browser} ${post.now}`,
        device: 'Firefox, Linux',
        address: '192.0.2.7',
        deviceHash: browser,
      }
      const proof = { by: 'password', passwordHash: 'x' } as const
      done(await office.perform('sessions.start', { userId: id, proof, place }))
      await run()
      post.now += 60
      return mailbox.to('eve@clinic.example').length
    }
    const counts = [await signIn('first'), await signIn('first'), await signIn('second'), await signIn('second')]
    assert.deepEqual(counts, [0, 0, 1, 1])
    const [mail] = mailbox.to('eve@clinic.example')
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
    mailbox.received.length = 0
    const agendas = () =>
      mailbox
        .to('ana@clinic.example')
        .filter(({ headers }) => headers.get('subject')?.startsWith('Your appointments on'))
    const tick = async (at: number): Promise<number> => {
      post.now = at
      done(await office.perform('notifications.agendas', {}, { now: post.now }))
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
})
