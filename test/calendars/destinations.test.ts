import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { MovePolicy } from '../../src/calendars/destinations/destination.ts'
import { countDestinations, findDestination } from '../../src/calendars/destinations/destinations.sql.ts'
import { listEventsOf } from '../../src/calendars/destinations/events.sql.ts'
import { ana, ben } from '../support/clinic.ts'
import { databasesHere } from '../support/databases.ts'
import { hasRadicale, Radicale } from '../support/radicale.ts'
import { at, CalendarTestSite } from './calendar-test-site.ts'

const missing = hasRadicale() ? false : 'Radicale is not installed'

for (const { kind, skip } of await databasesHere()) {
  describe(`a destination on ${kind}`, { skip: skip || missing, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let server: Radicale
    before(async () => {
      site = await CalendarTestSite.open(kind)
      server = await Radicale.start()
    })
    after(async () => {
      await site?.close()
      await server?.close()
    })
    afterEach(async () => {
      await site.clear()
      server.clear()
    })

    /**
     * Connects Ana's account and chooses its calendar `Work` as the destination, to which reservations are written;
     * returns the ids of account and calendar.
     */
    const choose = async ({ policy = 'restore' as MovePolicy, names = false, reads = false } = {}) => {
      const id = await site.connectAccount(server.url)
      const work = (await site.account(id)).found.find(({ name }) => name === 'Work')?.ref ?? assert.fail()
      if (reads) await site.perform('calendars.accounts.choose', { id, refs: [work] })
      await site.perform('calendars.destinations.set', { id, calendar: work, policy, names })
      await site.runDueJobs()
      return { id, work }
    }
    /** Returns the events of a calendar, each as `start status title`, in the order of their file names. */
    const events = (calendar = 'work') =>
      [...server.events(calendar).values()].map((file) => {
        const [, start] = /^DTSTART.*:(.*)\r?$/m.exec(file) ?? []
        const [, status] = /^STATUS:(.*)\r?$/m.exec(file) ?? []
        const [, title] = /^SUMMARY:(.*)\r?$/m.exec(file) ?? []
        return [start, status, title].map((text) => text?.trim()).join(' ')
      })
    const reservation = async (id: string) => {
      const { build } = site.storage.db
      return build.selectFrom('reservation').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    }
    const stored = async (id: string) => (await listEventsOf(site.storage.db, id))[0]
    /** Changes a reservation's event in the calendar as the provider would; deletes it if `edit` returns undefined. */
    const change = (id: string, edit: (file: string) => string | undefined) => {
      const file = server.events('work').get(`${id}.ics`) ?? assert.fail('no event')
      return server.put('work', `${id}.ics`, edit(file))
    }
    const moved = (file: string, from: string, to: string) =>
      file.replaceAll(`20261006T${from}0000Z`, `20261006T${to}0000Z`)
    const moveTo15 = (file: string) => moved(moved(file, '09', '14'), '08', '13')

    test('reservations are written, changed and removed, with the UID of the mail', async () => {
      await choose()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      assert.deepEqual(events(), ['20261006T080000Z CONFIRMED long'])
      const file = server.events('work').get(`${id}.ics`) ?? ''
      assert.match(file, new RegExp(`UID:${id}@clinic\\.example`))
      await site.perform('reservations.edit', { id, start: at('2026-10-06T13:00') })
      await site.runDueJobs()
      assert.deepEqual(events(), ['20261006T110000Z CONFIRMED long'])
      await site.perform('reservations.edit', { id, status: 'pending' })
      await site.runDueJobs()
      assert.deepEqual(events(), ['20261006T110000Z TENTATIVE long'])
      await site.perform('reservations.edit', { id, status: 'cancelled' })
      await site.runDueJobs()
      assert.deepEqual(events(), [])
      await site.perform('reservations.edit', { id, status: 'confirmed' })
      await site.runDueJobs()
      assert.equal(events().length, 1)
      await site.perform('reservations.remove', { id })
      await site.runDueJobs()
      assert.deepEqual([events(), await listEventsOf(site.storage.db, id)], [[], []])
    })

    test('upcoming reservations are written when the calendar is chosen, and leave it with another choice', async () => {
      await site.book('2026-10-06', '10:00')
      await site.book('2026-10-07', '10:00')
      const { id } = await choose({ names: true })
      assert.deepEqual(events(), ['20261006T080000Z CONFIRMED long · Jo', '20261007T080000Z CONFIRMED long · Jo'])
      const other = (await site.account(id)).found.find(({ name }) => name === 'Private')?.ref ?? assert.fail()
      await site.perform('calendars.destinations.set', { id, calendar: other, policy: 'restore', names: false })
      await site.runDueJobs()
      assert.deepEqual([events(), events('private').length], [[], 2])
      await site.perform('calendars.destinations.set', { id, calendar: null, policy: 'restore', names: false })
      await site.runDueJobs()
      assert.deepEqual(events('private'), [])
    })

    test('a reservation of several providers is written to the calendar of each', async () => {
      const { work } = await choose()
      const second = await site.connectAccount(server.url, {}, ben)
      const other = (await site.account(second)).found.find(({ name }) => name === 'Private')?.ref ?? assert.fail()
      await site.perform('calendars.destinations.set', {
        id: second,
        calendar: other,
        policy: 'restore',
        names: false,
      })
      const id = await site.book('2026-10-06', '10:00', 'collective')
      await site.runDueJobs()
      assert.deepEqual(
        [events(), events('private')],
        [['20261006T080000Z CONFIRMED collective'], ['20261006T080000Z CONFIRMED collective']],
      )
      await site.perform('reservations.remove', { id })
      await site.runDueJobs()
      assert.deepEqual([events(), events('private'), work !== other], [[], [], true])
    })

    test('the new name of a customer reaches the calendar', async () => {
      await choose({ names: true })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      assert.deepEqual(events(), ['20261006T080000Z CONFIRMED long · Jo'])
      const { customer_id: customerId } = await reservation(id)
      await site.perform('customers.edit', { id: customerId, name: 'Joan' })
      await site.runDueJobs()
      assert.deepEqual(events(), ['20261006T080000Z CONFIRMED long · Joan'])
      await site.perform('customers.edit', { id: customerId, name: 'Jo' })
    })

    test('the event of an online appointment has the address of the meeting', async () => {
      const id = await site.service('long')
      const online = (value: boolean) => site.perform('services.set', { id, settings: { online: value } })
      await online(true)
      await site.perform('providers.edit', { id: ana, meetingLink: 'https://meet.example/{reservation}' })
      await choose()
      const { meeting } = await reservation(await site.book('2026-10-06', '10:00'))
      await site.runDueJobs()
      const [file = ''] = server.events('work').values()
      assert.match(String(meeting), /^https:\/\/meet\.example\/[0-9a-f]{32}$/)
      assert.ok(file.replace(/\r?\n /g, '').includes(`LOCATION:${meeting}`), file)
      await online(false)
      await site.perform('providers.edit', { id: ana, meetingLink: '' })
    })

    test('a change that the event does not show writes nothing', async () => {
      await choose()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      server.requests.length = 0
      await site.perform('reservations.edit', { id, data: { note: 'x' } })
      await site.runDueJobs()
      assert.deepEqual(server.requests, [])
    })

    test('our own events block nothing where the destination is read as well', async () => {
      await choose({ reads: true })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await site.pass(300)
      assert.deepEqual(await site.busy(), [])
      await change(id, moveTo15)
      await site.pass(300)
      assert.deepEqual(await site.busy(), [])
      assert.deepEqual(events(), ['20261006T080000Z CONFIRMED long'])
    })

    test('an event that was moved is put back, or reschedules its reservation', async () => {
      const { id: account, work } = await choose()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await change(id, moveTo15)
      await site.pass(300)
      assert.deepEqual(events(), ['20261006T080000Z CONFIRMED long'])
      await site.perform('calendars.destinations.set', {
        id: account,
        calendar: work,
        policy: 'reschedule',
        names: false,
      })
      await site.runDueJobs()
      await change(id, moveTo15)
      await site.pass(300)
      assert.equal((await reservation(id)).start_at, at('2026-10-06T15:00'))
      assert.deepEqual(events(), ['20261006T130000Z CONFIRMED long'])
      server.requests.length = 0
      await site.pass(300)
      await site.pass(300)
      assert.deepEqual(
        server.requests.filter(({ method }) => method === 'PUT'),
        [],
        'the exchange has ended',
      )
    })

    test('an event that was moved to a time that cannot be booked is put back', async () => {
      await choose({ policy: 'reschedule' })
      const other = await site.book('2026-10-06', '15:00')
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await change(id, moveTo15)
      await site.pass(300)
      assert.equal((await reservation(id)).start_at, at('2026-10-06T10:00'))
      assert.deepEqual(events().sort(), ['20261006T080000Z CONFIRMED long', '20261006T130000Z CONFIRMED long'])
      assert.notEqual(id, other)
    })

    test('an event that became a series, or an all-day event, is put back', async () => {
      await choose({ policy: 'reschedule' })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await change(id, (file) => file.replace('STATUS', 'RRULE:FREQ=DAILY;COUNT=3\r\nSTATUS'))
      await site.pass(300)
      assert.doesNotMatch(server.events('work').get(`${id}.ics`) ?? '', /RRULE/)
      await change(id, (file) => file.replace(/DTSTART.*/, 'DTSTART;VALUE=DATE:20261009').replace(/DTEND.*\r\n/, ''))
      await site.pass(300)
      assert.deepEqual(events(), ['20261006T080000Z CONFIRMED long'])
      assert.equal((await reservation(id)).start_at, at('2026-10-06T10:00'))
    })

    test('an event that is missing is written again, and one with another title is left alone', async () => {
      await choose()
      const id = await site.book('2026-10-06', '10:00')
      const other = await site.book('2026-10-06', '13:00')
      await site.runDueJobs()
      await change(id, () => undefined)
      await change(other, (file) => file.replace('SUMMARY:long', 'SUMMARY:Mrs Jo'))
      await site.pass(300)
      assert.deepEqual(events().sort(), ['20261006T080000Z CONFIRMED long', '20261006T110000Z CONFIRMED Mrs Jo'])
    })

    test('two programs that overwrite each other end, and a change of the reservation begins anew', async () => {
      await choose()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      for (let round = 0; round < 6; round += 1) {
        if (events()[0] !== '20261006T130000Z CONFIRMED long') await change(id, moveTo15)
        await site.pass(300)
      }
      assert.deepEqual(events(), ['20261006T130000Z CONFIRMED long'])
      assert.equal((await stored(id))?.fault, 'contested')
      assert.equal(server.requests.filter(({ method }) => method === 'PUT').length, 4)
      await site.perform('reservations.edit', { id, start: at('2026-10-06T11:00') })
      await site.runDueJobs()
      assert.deepEqual([events(), (await stored(id))?.fault], [['20261006T090000Z CONFIRMED long'], null])
    })

    test('a change of ours wins over a change in the calendar that it does not know', async () => {
      await choose({ policy: 'reschedule' })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await change(id, moveTo15)
      await site.perform('reservations.edit', { id, start: at('2026-10-06T11:00') })
      await site.runDueJobs()
      assert.deepEqual(events(), ['20261006T090000Z CONFIRMED long'])
      await site.pass(300)
      assert.equal((await reservation(id)).start_at, at('2026-10-06T11:00'))
    })

    test('a change of the status leaves the move of an event to the policy', async () => {
      await choose({ policy: 'reschedule' })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await change(id, moveTo15)
      await site.perform('reservations.edit', { id, status: 'pending' })
      await site.runDueJobs()
      assert.equal((await reservation(id)).start_at, at('2026-10-06T15:00'))
      assert.deepEqual(events(), ['20261006T130000Z TENTATIVE long'])
    })

    test('an event that the provider has under another name is taken over', async () => {
      await choose()
      const id = await site.book('2026-10-06', '10:00')
      const invitation = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', `UID:${id}@clinic.example`]
      const times = ['DTSTAMP:20261001T000000Z', 'DTSTART:20261006T080000Z', 'DTEND:20261006T090000Z', 'SUMMARY:Mail']
      await server.put('work', 'mail.ics', [...invitation, ...times, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n'))
      await site.runDueJobs()
      assert.deepEqual(
        [events(), [...server.events('work').keys()]],
        [['20261006T080000Z CONFIRMED long'], ['mail.ics']],
      )
      await site.perform('reservations.remove', { id })
      await site.runDueJobs()
      assert.deepEqual(events(), [])
    })

    test('a server that is stopped, or refuses, is tried again, and the reason is shown', async () => {
      await choose()
      await server.stop()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      assert.equal((await stored(id))?.fault, 'connection_failed')
      assert.deepEqual(await countDestinations(site.storage.db, site.now), { chosen: 1, failing: 1 })
      await server.start()
      await site.pass(20)
      assert.deepEqual([events().length, (await stored(id))?.fault], [1, null])
      assert.deepEqual(await countDestinations(site.storage.db, site.now), { chosen: 1, failing: 0 })
      server.intercept = (_, response) => {
        response.writeHead(403).end()
        return true
      }
      await site.perform('reservations.edit', { id, start: at('2026-10-06T11:00') })
      await site.pass(300)
      assert.equal((await stored(id))?.fault, 'sign_in_refused')
      assert.equal((await findDestination(site.storage.db, ana))?.fault, 'sign_in_refused')
      server.intercept = () => false
      await site.pass(700)
      assert.deepEqual([events(), (await stored(id))?.fault], [['20261006T090000Z CONFIRMED long'], null])
      assert.equal((await findDestination(site.storage.db, ana))?.fault, null)
    })

    test('an answer that is lost leads to no second event', async () => {
      await choose()
      server.onResponse = ({ method }) => {
        if (method !== 'PUT') return true
        server.onResponse = () => true
        return false
      }
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await site.pass(20)
      assert.deepEqual([events().length, (await stored(id))?.fault], [1, null])
    })

    test('a removed account writes nothing, and a removed calendar says so', async () => {
      const { id: account } = await choose()
      await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      server.remove('work')
      await site.pass(300)
      assert.equal((await findDestination(site.storage.db, ana))?.fault, 'not_found')
      await site.perform('calendars.accounts.remove', { id: account })
      server.requests.length = 0
      const id = await site.book('2026-10-06', '13:00')
      await site.runDueJobs()
      assert.deepEqual([server.requests, await listEventsOf(site.storage.db, id)], [[], []])
    })
  })
}
