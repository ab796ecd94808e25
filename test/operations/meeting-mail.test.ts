import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ana } from '../support/clinic.ts'
import { partOf } from '../support/mailbox.ts'
import { done } from '../support/office.ts'
import { PostOffice } from '../support/post-office.ts'

describe('mails about online appointments', { timeout: 120_000 }, () => {
  let post: PostOffice
  before(async () => {
    post = await PostOffice.open()
    const { office } = post
    done(await office.perform('providers.edit', { id: ana, meetingLink: 'https://meet.example/{reservation}' }))
    done(await office.perform('services.set', { id: office.service('plain'), settings: { online: true } }))
  })
  after(() => post.close())

  test('the address of the meeting is in the confirmation and its calendar file, and not in a cancellation', async () => {
    const { id } = await post.book()
    await post.run()
    const [confirmed] = post.mailbox.to('jo@example.com')
    assert.ok(confirmed)
    const [address = ''] = /https:\/\/meet\.example\/[0-9a-f]{32}/.exec(partOf(confirmed, 'text/plain') ?? '') ?? []
    assert.notEqual(address, '')
    const file = (partOf(confirmed, 'text/calendar') ?? '').replace(/\r\n /g, '')
    assert.match(file, new RegExp(`^LOCATION:${address}\r?$`, 'm'))
    const [toProvider] = post.mailbox.received.filter(({ to }) => !to.includes('jo@example.com'))
    assert.ok(!toProvider || (partOf(toProvider, 'text/plain') ?? '').includes(address))

    post.now += 60
    post.mailbox.received.length = 0
    done(await post.office.edit(id, { status: 'cancelled' }, { actor: { kind: 'user', id: 'u_1' }, now: post.now }))
    await post.run()
    post.now += 60
    await post.run()
    const [cancelled] = post.mailbox.to('jo@example.com')
    assert.ok(cancelled)
    assert.doesNotMatch(partOf(cancelled, 'text/plain') ?? '', /meet\.example/)
  })

  describe('whose meetings a calendar system creates', () => {
    before(async () => {
      done(await post.office.perform('providers.edit', { id: ana, meetingLink: '' }))
      const unused = {
        cursor_text: '',
        listed_at: 0,
        read_at: 0,
        next_at: 0,
        failures: 0,
        fault: null,
        fault_detail: '',
      }
      await post.office.connection.build
        .insertInto('calendar_destination')
        .values({
          ...{ provider_id: ana, account_id: 'cac_1', calendar: 'ana@example.com', name: 'Ana', policy: 'restore' },
          ...{ names: 0, meetings: 1, ...unused, created_at: 0 },
        })
        .execute()
    })
    beforeEach(() => post.reset())

    test('the confirmation waits for the address', async () => {
      const { id } = await post.book('plain', 1)
      await post.run()
      post.now += 60
      await post.run()
      assert.deepEqual(post.mailbox.to('jo@example.com'), [])
      const meeting = 'https://meet.example/abc-defg-hij'
      done(await post.office.perform('reservations.meeting', { id, providerId: ana, meeting }))
      post.now += 5
      await post.run()
      const mails = post.mailbox.to('jo@example.com')
      assert.equal(mails.length, 1)
      const [confirmed = assert.fail('no mail')] = mails
      assert.ok((partOf(confirmed, 'text/plain') ?? '').includes(meeting))
      const file = (partOf(confirmed, 'text/calendar') ?? '').replace(/\r\n /g, '')
      assert.match(file, new RegExp(`^LOCATION:${meeting}\r?$`, 'm'))
    })

    test('but not for longer than three minutes', async () => {
      await post.book('plain', 2)
      await post.run()
      post.now += 175
      await post.run()
      assert.deepEqual(post.mailbox.to('jo@example.com'), [])
      post.now += 5
      await post.run()
      assert.equal(post.mailbox.to('jo@example.com').length, 1)
    })
  })
})
