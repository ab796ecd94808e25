import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { ana } from '../support/clinic.ts'
import { resultOf } from '../support/in-process-site.ts'
import { InProcessSiteWithMail } from '../support/in-process-site-with-mail.ts'
import { partOf } from '../support/mail-server.ts'

describe('mails about online appointments', { timeout: 600_000 }, () => {
  let siteWithMail: InProcessSiteWithMail
  before(async () => {
    siteWithMail = await InProcessSiteWithMail.open()
    const { site } = siteWithMail
    resultOf(await site.perform('providers.edit', { id: ana, meetingLink: 'https://meet.example/{reservation}' }))
    resultOf(await site.perform('services.set', { id: site.service('plain'), settings: { online: true } }))
  })
  after(() => siteWithMail.close())

  test('the address of the meeting is in the confirmation and its calendar file, and not in a cancellation', async () => {
    const { id } = await siteWithMail.book()
    await siteWithMail.runDueJobs()
    const [confirmed] = siteWithMail.mailServer.to('jo@example.com')
    assert.ok(confirmed)
    const [address = ''] = /https:\/\/meet\.example\/[0-9a-f]{32}/.exec(partOf(confirmed, 'text/plain') ?? '') ?? []
    assert.notEqual(address, '')
    const file = (partOf(confirmed, 'text/calendar') ?? '').replace(/\r\n /g, '')
    assert.match(file, new RegExp(`^LOCATION:${address}\r?$`, 'm'))
    const [toProvider] = siteWithMail.mailServer.received.filter(({ to }) => !to.includes('jo@example.com'))
    assert.ok(!toProvider || (partOf(toProvider, 'text/plain') ?? '').includes(address))

    siteWithMail.now += 60
    siteWithMail.mailServer.received.length = 0
    resultOf(
      await siteWithMail.site.edit(
        id,
        { status: 'cancelled' },
        { actor: { kind: 'user', id: 'u_1' }, now: siteWithMail.now },
      ),
    )
    await siteWithMail.runDueJobs()
    siteWithMail.now += 60
    await siteWithMail.runDueJobs()
    const [cancelled] = siteWithMail.mailServer.to('jo@example.com')
    assert.ok(cancelled)
    assert.doesNotMatch(partOf(cancelled, 'text/plain') ?? '', /meet\.example/)
  })

  describe('whose meetings a calendar system creates', () => {
    before(async () => {
      resultOf(await siteWithMail.site.perform('providers.edit', { id: ana, meetingLink: '' }))
      const unused = {
        cursor_text: '',
        listed_at: 0,
        read_at: 0,
        next_at: 0,
        failures: 0,
        fault: null,
        fault_detail: '',
      }
      await siteWithMail.site.connection.build
        .insertInto('calendar_destination')
        .values({
          ...{ provider_id: ana, account_id: 'cac_1', calendar: 'ana@example.com', name: 'Ana', policy: 'restore' },
          ...{ names: 0, meetings: 1, ...unused, created_at: 0 },
        })
        .execute()
    })
    beforeEach(() => siteWithMail.reset())

    test('the confirmation waits for the address', async () => {
      const { id } = await siteWithMail.book('plain', 1)
      await siteWithMail.runDueJobs()
      siteWithMail.now += 60
      await siteWithMail.runDueJobs()
      assert.deepEqual(siteWithMail.mailServer.to('jo@example.com'), [])
      const meeting = 'https://meet.example/abc-defg-hij'
      resultOf(await siteWithMail.site.perform('reservations.meeting', { id, providerId: ana, meeting }))
      siteWithMail.now += 5
      await siteWithMail.runDueJobs()
      const mails = siteWithMail.mailServer.to('jo@example.com')
      assert.equal(mails.length, 1)
      const [confirmed = assert.fail('no mail')] = mails
      assert.ok((partOf(confirmed, 'text/plain') ?? '').includes(meeting))
      const file = (partOf(confirmed, 'text/calendar') ?? '').replace(/\r\n /g, '')
      assert.match(file, new RegExp(`^LOCATION:${meeting}\r?$`, 'm'))
    })

    test('the provider, to whose calendar reservations are written, gets no invitation', async () => {
      await siteWithMail.book('long')
      await siteWithMail.runDueJobs()
      const { received } = siteWithMail.mailServer
      const [toProvider = assert.fail('no mail')] = received.filter(({ to }) => !to.includes('jo@example.com'))
      const [toCustomer = assert.fail('no mail')] = siteWithMail.mailServer.to('jo@example.com')
      assert.equal(partOf(toProvider, 'text/calendar'), undefined)
      assert.notEqual(partOf(toCustomer, 'text/calendar'), undefined)
    })

    test('a move has an invitation if the provider was invited before the calendar was chosen', async () => {
      const { site, mailServer } = siteWithMail
      const chosenAt = siteWithMail.now + 60
      await site.connection.build.updateTable('calendar_destination').set({ created_at: chosenAt }).execute()
      const { id: invited } = await siteWithMail.book('long')
      const [slot = assert.fail('no slot')] = await site.slots('long', ana, site.nextDay())
      const { id: written } = resultOf(await site.add(slot, {}, { now: chosenAt }))
      siteWithMail.now = chosenAt + 300
      await siteWithMail.runDueJobs()
      for (const [id, method] of [
        [invited, 'REQUEST'],
        [written, undefined],
      ] as const) {
        mailServer.received.length = 0
        const [free = assert.fail('no slot')] = await site.slots('long', ana, site.nextDay())
        const { providerId, start, end } = free
        resultOf(await site.edit(id, { providerId, start, end }, { now: siteWithMail.now }))
        await siteWithMail.runDueJobs()
        const [moved = assert.fail('no mail')] = mailServer.to('ana@clinic.example')
        assert.equal(/^METHOD:(.*?)\r?$/m.exec(partOf(moved, 'text/calendar') ?? '')?.[1], method)
      }
    })

    test('but not for longer than three minutes', async () => {
      await siteWithMail.book('plain', 2)
      await siteWithMail.runDueJobs()
      siteWithMail.now += 175
      await siteWithMail.runDueJobs()
      assert.deepEqual(siteWithMail.mailServer.to('jo@example.com'), [])
      siteWithMail.now += 5
      await siteWithMail.runDueJobs()
      assert.equal(siteWithMail.mailServer.to('jo@example.com').length, 1)
    })
  })
})
