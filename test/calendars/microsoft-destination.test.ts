import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { MovePolicy } from '../../src/calendars/destinations/destination.ts'
import { listEventsOf } from '../../src/calendars/destinations/events.sql.ts'
import { databasesHere } from '../support/databases.ts'
import { MicrosoftStandIn } from '../support/microsoft.ts'
import { at, CalendarTestSite, calendarFile, startCalendarServer } from './calendar-test-site.ts'

const own = 'AAA='

for (const { kind, skip } of await databasesHere()) {
  describe(`calendars of Microsoft 365 as a destination, on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let graph: MicrosoftStandIn
    before(async () => {
      graph = await MicrosoftStandIn.open()
      site = await CalendarTestSite.open(kind, { grantUrls: { microsoft: graph.url } })
    })
    after(async () => {
      await site?.close()
      await graph?.close()
    })
    afterEach(async () => {
      graph.intercept = () => false
      await site.clear()
      graph.clear()
    })

    const choose = async ({ policy = 'restore' as MovePolicy, reads = false } = {}) => {
      const id = await site.connectGranted('microsoft', graph)
      if (reads) await site.perform('calendars.accounts.choose', { id, refs: [own] })
      await site.perform('calendars.destinations.set', { id, calendar: own, policy, names: true })
      await site.runDueJobs()
      return id
    }
    const events = () =>
      graph.present().map(({ start, showAs, subject }) => [Object(start).dateTime, showAs, subject].join(' '))

    test('meetings are created with the events of online appointments', async () => {
      const id = await choose()
      await site.perform('calendars.destinations.set', {
        ...{ id, calendar: own, policy: 'restore', names: true, meetings: true },
      })
      const service = await site.service('long')
      await site.perform('services.set', { id: service, settings: { online: true } })
      const reservation = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      const meeting = async () => {
        const { build } = site.storage.db
        const row = build.selectFrom('reservation').select('meeting').where('id', '=', reservation)
        return (await row.executeTakeFirstOrThrow()).meeting
      }
      assert.equal(await meeting(), null)
      await site.pass(10)
      await site.runDueJobs()
      assert.match((await meeting()) ?? '', /^https:\/\/teams\.example\/meet\//)
      assert.deepEqual(
        graph.present().map((event) => [event.isOnlineMeeting, Object(event.location).displayName]),
        [[true, await meeting()]],
      )
      await site.perform('services.set', { id: service, settings: { online: false } })
    })

    test('reservations are written, changed and removed, and do not block themselves', async () => {
      await choose({ reads: true })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T08:00:00 busy long · Jo'])
      await site.perform('reservations.edit', { id, start: at('2026-10-06T13:00') })
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T11:00:00 busy long · Jo'])
      await site.perform('reservations.edit', { id, status: 'pending' })
      await site.pass(300)
      assert.deepEqual([events(), await site.busy()], [['2026-10-06T11:00:00 tentative long · Jo'], []])
      await site.perform('reservations.edit', { id, status: 'cancelled' })
      await site.runDueJobs()
      assert.deepEqual(events(), [])
      await site.perform('reservations.remove', { id })
      await site.runDueJobs()
      assert.deepEqual(await listEventsOf(site.storage.db, id), [])
    })

    test('nor do they block where the calendar file of that calendar is read', async (t) => {
      const file = await startCalendarServer()
      t.after(() => file.close())
      await choose()
      await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      const [{ iCalUId } = assert.fail()] = graph.present()
      file.answer = calendarFile([String(iCalUId), '20261006T100000', '20261006T110000'])
      await site.connect(file.url)
      assert.deepEqual(await site.busy(), [])
    })

    test('a write whose answer was lost is found, also by a removal', async () => {
      await choose()
      const losing = () => {
        graph.intercept = (request, _, { pathname }) => {
          if (request.method !== 'POST' || !pathname.endsWith('/events')) return false
          graph.intercept = () => false
          // The stand-in stores the event, and the connection ends before its response is sent.
          request.socket.destroy()
          return false
        }
      }
      losing()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      await site.pass(600)
      assert.equal(events().length, 1)
      await site.perform('reservations.edit', { id, status: 'cancelled' })
      await site.runDueJobs()
      assert.deepEqual(events(), [])
      losing()
      const second = await site.book('2026-10-07', '10:00')
      await site.runDueJobs()
      await site.perform('reservations.edit', { id: second, status: 'cancelled' })
      await site.pass(600)
      await site.pass(600)
      assert.deepEqual(events(), [])
    })

    test('a reservation that is confirmed again has an event again, which does not block it', async () => {
      await choose({ reads: true })
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      for (const status of ['cancelled', 'confirmed'] as const) {
        await site.perform('reservations.edit', { id, status })
        await site.runDueJobs()
      }
      await site.pass(300)
      assert.deepEqual([events(), await site.busy()], [['2026-10-06T08:00:00 busy long · Jo'], []])
    })

    test('an event beyond the interval that is listed is not taken for a missing one', async () => {
      const service = await site.service('long')
      await site.perform('services.set', { id: service, settings: { horizonDays: 1_000 } })
      await choose()
      const id = await site.book('2029-03-27', '10:00')
      for (let days = 0; days < 6; days++) await site.pass(86_400)
      const written = () => graph.requests.filter((request) => /^(?:POST|PATCH) .*\/events/.test(request)).length
      const [event] = await listEventsOf(site.storage.db, id)
      assert.deepEqual([event?.fault, event?.restored, written()], [null, 0, 1])
      // A deleted event is written again once the interval contains it.
      graph.remove(event?.item ?? '')
      await site.pass(120 * 86_400)
      await site.runDueJobs()
      assert.deepEqual(events(), ['2029-03-27T08:00:00 busy long · Jo'])
    })

    test('an event that was moved is put back or reschedules, and a deleted one is written again', async () => {
      const account = await choose()
      const id = await site.book('2026-10-06', '10:00')
      await site.runDueJobs()
      const move = () => {
        const [event = assert.fail()] = graph.present()
        const utc = (dateTime: string) => ({ dateTime: `${dateTime}.0000000`, timeZone: 'UTC' })
        graph.put({ ...event, start: utc('2026-10-06T13:00:00'), end: utc('2026-10-06T14:00:00') })
        return event.id
      }
      move()
      await site.pass(300)
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T08:00:00 busy long · Jo'])
      const choice = { id: account, calendar: own, policy: 'reschedule', names: true } as const
      await site.perform('calendars.destinations.set', choice)
      await site.runDueJobs()
      const event = move()
      await site.pass(300)
      await site.runDueJobs()
      const { build } = site.storage.db
      const row = build.selectFrom('reservation').select('start_at').where('id', '=', id)
      assert.equal((await row.executeTakeFirstOrThrow()).start_at, at('2026-10-06T15:00'))
      graph.remove(event)
      await site.pass(300)
      await site.runDueJobs()
      assert.deepEqual(events(), ['2026-10-06T13:00:00 busy long · Jo'])
    })
  })
}
