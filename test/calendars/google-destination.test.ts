import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { compareJob } from '../../src/calendars/destinations/compare.job.ts'
import type { MovePolicy } from '../../src/calendars/destinations/destination.ts'
import { findDestination } from '../../src/calendars/destinations/destinations.sql.ts'
import { listEventsOf } from '../../src/calendars/destinations/events.sql.ts'
import { ana } from '../support/clinic.ts'
import { databasesHere } from '../support/databases.ts'
import { GoogleStandIn } from '../support/google.ts'
import { at, CalendarTestSite, calendarFile, startCalendarServer } from './calendar-test-site.ts'

const own = 'ana@example.com'

for (const { kind, skip } of await databasesHere()) {
  describe(`reservations in a calendar of Google, as its documentation describes it, on ${kind}`, {
    skip,
    timeout: 600_000,
  }, () => {
    let site: CalendarTestSite
    let google: GoogleStandIn
    before(async () => {
      google = await GoogleStandIn.open()
      site = await CalendarTestSite.open(kind, { grantUrls: { google: google.url } })
    })
    after(async () => {
      await site?.close()
      await google?.close()
    })
    afterEach(async () => {
      google.intercept = () => false
      await site.clear()
      google.clear()
    })

    const choose = async ({ policy = 'restore' as MovePolicy, reads = false, meetings = false } = {}) => {
      const id = await site.connectGranted('google', google)
      if (reads) await site.perform('calendars.accounts.choose', { id, refs: [own] })
      await site.perform('calendars.destinations.set', { id, calendar: own, policy, names: true, meetings })
      await site.runDueJobs()
      return id
    }
    const events = () =>
      google.events(own).map(({ start, status, summary }) => [Object(start).dateTime, status, summary].join(' '))
    const start = async (id: string) => {
      const { build } = site.storage.db
      return (await build.selectFrom('reservation').select('start_at').where('id', '=', id).executeTakeFirstOrThrow())
        .start_at
    }

    test('reservations are written, changed, removed and brought back', async () => {
      await choose()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T08:00:00Z confirmed long · Jo'])
      await site.perform('reservations.edit', { id, start: at('2026-10-06T13:00') })
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T11:00:00Z confirmed long · Jo'])
      await site.perform('reservations.edit', { id, status: 'cancelled' })
      await site.runDueJobs()
      assert.deepEqual(events(), [])
      await site.perform('reservations.edit', { id, status: 'confirmed' })
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T11:00:00Z confirmed long · Jo'])
      await site.perform('reservations.remove', { id })
      await site.runDueJobs()
      assert.deepEqual([events(), await listEventsOf(site.storage.db, id)], [[], []])
    })

    test('events of reservations do not block them where the same calendar is read', async () => {
      await choose({ reads: true })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await site.pass(300)
      assert.deepEqual(await site.busy(), [])
      await site.perform('reservations.edit', { id, start: at('2026-10-06T11:00') })
      await site.pass(300)
      assert.deepEqual([events().length, await site.busy()], [1, []])
    })

    test('nor where the calendar file of that calendar is read, in which Google gives them another UID', async (t) => {
      const file = await startCalendarServer()
      t.after(() => file.close())
      await choose()
      await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      const [{ iCalUID } = assert.fail()] = google.events(own)
      assert.match(String(iCalUID), /@google\.com$/)
      file.answer = calendarFile(
        [String(iCalUID), '20261006T100000', '20261006T110000'],
        ['other', '20261006T130000', '20261006T140000'],
      )
      await site.connect(file.url)
      assert.deepEqual(await site.busy(), ['2026-10-06T13:00 14:00'])
    })

    test('a write whose answer was lost is found, not repeated', async () => {
      await choose()
      google.intercept = (request, _, { pathname }) => {
        if (request.method !== 'POST' || !pathname.includes('/events')) return false
        google.intercept = () => false
        // The stand-in stores the event, and the connection ends before its response is sent.
        request.socket.destroy()
        return false
      }
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await site.pass(60)
      await site.pass(600)
      assert.deepEqual(events(), ['2026-10-06T08:00:00Z confirmed long · Jo'])
      const [event] = await listEventsOf(site.storage.db, id)
      assert.equal(event?.fault, null)
    })

    describe('with meetings', () => {
      const meetingOf = async (id: string) => {
        const { build } = site.storage.db
        return (await build.selectFrom('reservation').select('meeting').where('id', '=', id).executeTakeFirstOrThrow())
          .meeting
      }
      const setOnline = async (online: boolean) =>
        site.perform('services.set', { id: await site.service('long'), settings: { online } })
      before(() => setOnline(true))
      after(() => setOnline(false))
      const shown = () => google.events(own).map(({ hangoutLink, location }) => [hangoutLink, location])

      test('the meeting is created with the event, kept by a move, and another one after a cancellation', async () => {
        await choose({ meetings: true })
        const id = await site.book('2026-10-06', '10:00')
        assert.equal(await meetingOf(id), null)
        await site.runDueJobs()
        const meeting = (await meetingOf(id)) ?? assert.fail('no meeting')
        assert.match(meeting, /^https:\/\/meet\.google\.com\/[0-9a-f]{10}$/)
        await site.runDueJobs()
        assert.deepEqual(shown(), [[meeting, meeting]])
        await site.perform('reservations.edit', { id, start: at('2026-10-06T13:00') })
        await site.runDueJobs()
        assert.deepEqual([await meetingOf(id), shown()], [meeting, [[meeting, meeting]]])
        await site.perform('reservations.edit', { id, status: 'cancelled' })
        await site.runDueJobs()
        assert.deepEqual([await meetingOf(id), shown()], [null, []])
        await site.perform('reservations.edit', { id, status: 'confirmed' })
        await site.runDueJobs()
        await site.runDueJobs()
        const again = await meetingOf(id)
        assert.deepEqual(shown(), [[again, again]])
        assert.notEqual(again, null)
      })

      test('a meeting that takes a while is asked for again, and one that never comes is named', async () => {
        const account = await choose({ meetings: true })
        google.meets = 'later'
        const id = await site.book('2026-10-06', '10:00')
        await site.runDueJobs()
        assert.equal(await meetingOf(id), null)
        await site.pass(10)
        assert.match((await meetingOf(id)) ?? '', /^https:/)
        google.meets = 'never'
        const other = await site.book('2026-10-07', '10:00')
        for (let times = 0; times < 7; times += 1) await site.pass(10)
        assert.equal(await meetingOf(other), null)
        assert.deepEqual(
          (await listEventsOf(site.storage.db, other)).map(({ fault }) => fault),
          ['no_meeting'],
        )
        google.requests.length = 0
        await site.pass(60)
        assert.ok(google.requests.every((request) => !request.startsWith('PUT')))
        // Nor is the meeting of an appointment that has ended created when the user has signed in again.
        await site.pass(5 * 86_400)
        google.meets = 'at_once'
        await site.signInAgain(account, google)
        await site.runDueJobs()
        assert.equal(await meetingOf(other), null)
      })

      test('a meeting is waited for also when the event could be written only after an outage', async () => {
        await choose({ meetings: true })
        google.meets = 'later'
        google.intercept = (request, response, { pathname }) => {
          if (request.method !== 'POST' || !pathname.includes('/events')) return false
          response.writeHead(503).end('{}')
          return true
        }
        const id = await site.book('2026-10-06', '10:00')
        await site.runDueJobs()
        for (const delay of [12, 36, 144, 720, 2_160]) await site.pass(delay)
        google.intercept = () => false
        await site.pass(4_320)
        const [event] = await listEventsOf(site.storage.db, id)
        assert.deepEqual([event?.fault, await meetingOf(id)], [null, null])
        await site.pass(10)
        assert.match((await meetingOf(id)) ?? '', /^https:/)
      })

      test('nothing is created for services on site, or where the provider has a link', async () => {
        await choose({ meetings: true })
        await site.perform('providers.edit', { id: ana, meetingLink: 'https://room.example/ana' })
        const linked = await site.book('2026-10-06', '10:00')
        await site.runDueJobs()
        await site.perform('providers.edit', { id: ana, meetingLink: '' })
        await setOnline(false)
        const onSite = await site.book('2026-10-07', '10:00')
        await site.runDueJobs()
        await setOnline(true)
        assert.deepEqual([await meetingOf(linked), await meetingOf(onSite)], ['https://room.example/ana', null])
        assert.deepEqual(shown().sort(), [
          [undefined, undefined],
          [undefined, 'https://room.example/ana'],
        ])
      })
    })

    test('a reservation is written when Google asks to be asked again, not before', async () => {
      await choose()
      google.intercept = (request, response, { pathname }) => {
        if (request.method !== 'POST' || !pathname.includes('/events')) return false
        response.writeHead(429, { 'Retry-After': '7200' }).end('{}')
        return true
      }
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      assert.deepEqual(
        (await listEventsOf(site.storage.db, id)).map(({ fault, faultDetail }) => [fault, faultDetail]),
        [['server_error', '429']],
      )
      google.intercept = () => false
      await site.pass(7_100)
      assert.deepEqual(events(), [])
      await site.pass(101)
      assert.deepEqual(events(), ['2026-10-06T08:00:00Z confirmed long · Jo'])
    })

    test('an older version that a comparison lists does not move the reservation back', async () => {
      await choose({ policy: 'reschedule' })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      const moveTo = async (time: string) => {
        await site.perform('reservations.edit', { id, start: at(`2026-10-06T${time}`) })
        await site.runDueJobs()
      }
      /** Answers the list of changes with an event that is written again before the answer arrives. */
      const answer = async (response: ServerResponse) => {
        await moveTo('11:00')
        const items = google.events(own)
        await moveTo('12:00')
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ items, nextSyncToken: '1' }))
      }
      google.intercept = (request, response, { pathname }) => {
        if (request.method !== 'GET' || !pathname.endsWith('/events')) return false
        google.intercept = () => false
        void answer(response)
        return true
      }
      const lease = { id: 'job_1', owner: 'test', attempt: 1, revision: 0 }
      const run = { id: lease.id, key: String(ana), attempt: 1, lease, signal: new AbortController().signal }
      await compareJob(site.opening).run({ providerId: ana }, run)
      await site.runDueJobs()
      assert.equal(await start(id), at('2026-10-06T12:00'))
      assert.deepEqual(events(), ['2026-10-06T10:00:00Z confirmed long · Jo'])
    })

    test('an event that was moved is put back or reschedules its reservation, and a deleted one is written again', async () => {
      const account = await choose()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      const [{ id: event } = assert.fail()] = google.events(own)
      const later = { start: { dateTime: '2026-10-06T13:00:00Z' }, end: { dateTime: '2026-10-06T14:00:00Z' } }
      google.put(own, { ...google.events(own)[0], id: event, ...later })
      await site.pass(300)
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T08:00:00Z confirmed long · Jo'])
      await site.perform('calendars.destinations.set', {
        id: account,
        calendar: own,
        policy: 'reschedule',
        names: true,
      })
      await site.runDueJobs()
      google.put(own, { ...google.events(own)[0], id: event, ...later })
      await site.pass(300)
      await site.runDueJobs()
      assert.equal(await start(id), at('2026-10-06T15:00'))
      google.remove(own, event)
      await site.pass(300)
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T13:00:00Z confirmed long · Jo'])
      assert.equal((await findDestination(site.storage.db, ana))?.fault, null)
    })
  })
}
