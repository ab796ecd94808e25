import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { explainAvailability } from '../../src/availability/availability.operations.ts'
import { defaultBlocking } from '../../src/calendars/calendar.ts'
import { utcDayOf } from '../../src/scheduling/invalidation.ts'
import { ana, ben } from '../support/clinic.ts'
import { databasesHere } from '../support/databases.ts'
import { proved } from '../support/proof.ts'
import { at, type CalendarServer, CalendarTestSite, calendarFile, startCalendarServer } from './calendar-test-site.ts'

const hour = 3_600
const opened = { openings: [], faults: [] }
const allDay = ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00']
const dentist = ['1', '20261006T100000', '20261006T113000'] as const

for (const { kind, skip } of await databasesHere()) {
  describe(`connected calendars on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let server: CalendarServer
    before(async () => {
      site = await CalendarTestSite.open(kind)
    })
    after(() => site.close())
    beforeEach(async () => {
      server = await startCalendarServer(calendarFile(dentist))
    })
    afterEach(async () => {
      await server.close()
      await site.clear()
    })

    test('its events block bookings, and explain says so', async () => {
      const [slot] = (await site.slots('2026-10-06')).filter(({ start }) => start === at('2026-10-06T10:00'))
      assert.ok(slot)
      await site.connect(server.url)
      assert.deepEqual(
        await site.starts('2026-10-06'),
        allDay.filter((start) => start !== '10:00' && start !== '11:00'),
      )
      assert.deepEqual(await site.starts('2026-10-06', ben), allDay)
      const { availabilityId, serviceId, providerId, start, end } = slot
      const booking = { availabilityId, serviceId, providerId, start, end, customerId: await site.customer() }
      const outcome = await site.attempt('reservations.add', booking)
      assert.ok('refused' in outcome)
      assert.equal(outcome.refused.code, 'slot_calendar_busy')
      const explained = await explainAvailability(site.storage.db, { serviceId, providerId, start, now: site.now })
      assert.ok('rules' in explained)
      const { setting, value, code } = explained.rules.find(({ rule }) => rule === 'calendar') ?? {}
      assert.deepEqual(
        [code, setting, value],
        ['slot_calendar_busy', 'provider.calendars', { start: at('2026-10-06T10:00'), end: at('2026-10-06T11:30') }],
      )
    })

    test('only times are stored, and the address is encrypted', async () => {
      await site.connect(server.url)
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      for (const table of ['busy', 'connected_calendar', 'event'] as const) {
        const text = JSON.stringify(await site.storage.db.build.selectFrom(table).selectAll().execute())
        assert.doesNotMatch(text, /secret title|private\.ics/, table)
      }
    })

    test('a calendar is read again after the interval; an unchanged one writes no busy time and makes nothing stale', async () => {
      const id = await site.connect(server.url)
      const [before] = [await site.calendar(id)]
      await site.forgetInvalidations()
      await site.pass(299)
      assert.equal(server.requests.length, 1)
      await site.pass(1)
      assert.deepEqual(
        server.requests.map(({ status }) => status),
        [200, 304],
      )
      // The file has the same times with other titles and time stamps, so no cached slots become invalid.
      server.answer = calendarFile(dentist)
        .replaceAll('A secret title', 'Another title')
        .replaceAll('DTSTAMP:2026', 'DTSTAMP:2025')
      await site.pass(300)
      assert.equal(server.requests.at(-1)?.status, 200)
      assert.deepEqual(await site.invalidations(), [])
      const after = await site.calendar(id)
      assert.deepEqual(
        [after.content, after.coveredUntil, after.turn],
        [before?.content, before?.coveredUntil, before?.turn],
      )
      assert.equal(after.readAt, site.now)
    })

    test('a change makes exactly the days stale that it touches', async () => {
      await site.connect(server.url)
      server.answer = calendarFile(dentist, ['2', '20261008T220000', '20261009T003000'])
      assert.deepEqual(await site.starts('2026-10-08'), allDay)
      await site.forgetInvalidations()
      await site.pass(300)
      const day = utcDayOf(at('2026-10-08T22:00'))
      assert.deepEqual(await site.invalidations(), [{ subject: `p${ana}`, firstDay: day, lastDay: day }])
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30', '2026-10-08T22:00 00:30'])
      server.answer = calendarFile()
      await site.pass(300)
      assert.deepEqual(await site.starts('2026-10-06'), allDay)
    })

    test('a calendar that was not read for too long makes its provider unavailable, until it is read again', async (t) => {
      const id = await site.connect(server.url)
      const working = server.answer
      server.answer = (response) => response.writeHead(500).end()
      await site.pass(300)
      assert.deepEqual(
        [(await site.calendar(id)).fault, (await site.calendar(id)).faultDetail],
        ['server_error', '500'],
      )
      assert.equal((await site.starts('2026-10-07')).length, 8)
      site.now = (await site.calendar(id)).readAt + 120 * 60 - 1
      const [slot] = await site.slots('2026-10-07')
      assert.ok(slot)
      assert.equal((await site.starts('2026-10-07')).length, 8)
      site.now += 1
      assert.deepEqual(await site.starts('2026-10-07'), [])
      assert.equal((await site.starts('2026-10-07', ben)).length, 8)
      const { availabilityId, serviceId, providerId, start, end } = slot
      const booking = { availabilityId, serviceId, providerId, start, end, customerId: await site.customer() }
      const outcome = await site.attempt('reservations.add', booking)
      assert.ok('refused' in outcome)
      assert.equal(outcome.refused.code, 'slot_calendar_busy')
      const explained = await explainAvailability(site.storage.db, { serviceId, providerId, start, now: site.now })
      assert.ok('rules' in explained)
      const verdict = explained.rules.find(({ rule }) => rule === 'calendar')
      assert.deepEqual([verdict?.code, verdict?.message.code], ['slot_calendar_busy', 'slot_calendar_unread'])
      server.answer = working
      site.now = (await site.calendar(id)).nextAt
      await site.runDueJobs()
      assert.equal((await site.starts('2026-10-07')).length, 8)
      assert.equal((await site.calendar(id)).fault, null)
      proved(t, `W6 ${kind}`, { 'offered though too old': 0 })
    })

    test('a reading that becomes visible after the previous one was too old makes the provider available', async () => {
      const id = await site.connect(server.url)
      const confirm = () => site.calendar(id).then((read) => site.perform('calendars.confirm', { read: [read] }))
      const store = async () => {
        const { revision, nextAt, content, coveredUntil } = await site.calendar(id)
        assert.ok(content)
        const window = { start: site.now, end: coveredUntil }
        await site.perform('calendars.store', { id, revision, nextAt, content, times: [], opened, window })
      }
      for (const write of [confirm, store]) {
        const tooOldAt = (await site.calendar(id)).readAt + 120 * 60
        site.now = tooOldAt
        assert.deepEqual(await site.starts('2026-10-07'), [])
        // The write has its time from before it waited for locks and the commit, or from a node whose clock is behind.
        site.now = tooOldAt - 10
        await write()
        site.now = tooOldAt + 1
        assert.equal((await site.starts('2026-10-07')).length, 8, write.name)
      }
    })

    test('a calendar that was never read, and days beyond what was read, are not offered', async () => {
      server.answer = (response) => response.writeHead(404).end()
      const id = await site.connect(server.url)
      assert.equal((await site.calendar(id)).fault, 'not_found')
      assert.deepEqual(await site.starts('2026-10-07'), [])
      await site.perform('calendars.remove', { id })
      assert.equal((await site.starts('2026-10-07')).length, 8)
      const { coveredUntil } = await site.calendar(await site.connect((await startedServer()).url))
      assert.ok(coveredUntil >= site.now + 60 * 24 * hour)
      const { id: far } = await site.storage.db.build
        .selectFrom('connected_calendar')
        .select('id')
        .executeTakeFirstOrThrow()
      const connected = await site.calendar(far)
      const times = {
        id: far,
        revision: connected.revision,
        nextAt: connected.nextAt,
        content: connected.content ?? assert.fail(),
        times: [],
        opened,
      }
      await site.perform('calendars.store', { ...times, window: { start: site.now, end: at('2026-10-08T00:00') } })
      assert.equal((await site.starts('2026-10-07')).length, 8)
      assert.deepEqual(await site.starts('2026-10-08'), [])
    })

    test('no day is too far ahead to become unavailable with a calendar, and available again without it', async (t) => {
      const service = await site.service('long')
      const setHorizon = (horizonDays: number) =>
        site.perform('services.set', { id: service, settings: { horizonDays } })
      await setHorizon(3_660)
      t.after(() => setHorizon(60))
      const far = '2029-04-03' // 910 days ahead
      assert.equal((await site.starts(far)).length, 8)
      const id = await site.connect(server.url)
      assert.deepEqual(await site.starts(far), [])
      await site.perform('calendars.remove', { id })
      assert.equal((await site.starts(far)).length, 8)
    })

    const startedServer = async () => {
      server.answer = calendarFile()
      return server
    }

    test('events of our own reservations do not block, others with such an id do', async () => {
      const [slot] = await site.slots('2026-10-07')
      assert.ok(slot)
      const customerId = await site.customer()
      const { availabilityId, serviceId, providerId, start, end } = slot
      const { id } = await site.perform('reservations.add', {
        availabilityId,
        serviceId,
        providerId,
        start,
        end,
        customerId,
      })
      server.answer = calendarFile(
        [`${id}@clinic.example`, '20261007T090000', '20261007T100000'],
        [`r_${'0'.repeat(32)}@clinic.example`, '20261007T110000', '20261007T120000'],
      )
      await site.connect(server.url)
      assert.deepEqual(await site.busy(), ['2026-10-07T11:00 12:00'])
      await site.perform('reservations.edit', { id, start: at('2026-10-07T14:00') })
      assert.deepEqual(await site.starts('2026-10-07'), ['09:00', '10:00', '12:00', '13:00', '15:00', '16:00'])
    })

    test('changed settings and a changed zone are applied by reading again', async () => {
      server.answer = calendarFile([...dentist, 'STATUS:TENTATIVE'])
      const id = await site.connect(server.url)
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      await site.perform('calendars.edit', { id, blocking: { free: false, tentative: false, outOfOffice: true } })
      await site.runDueJobs()
      assert.deepEqual(await site.busy(), [])
      server.answer = calendarFile(dentist).replaceAll(';TZID=Europe/Berlin', '')
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      await site.perform('providers.edit', { id: ana, timezone: 'America/New_York' })
      await site.pass(300)
      assert.deepEqual(await site.busy(), ['2026-10-06T16:00 17:30'])
      await site.perform('providers.edit', { id: ana, timezone: 'Europe/Berlin' })
    })

    test('a removed calendar blocks nothing, and a result that arrives later is not stored', async () => {
      const id = await site.connect(server.url)
      const { revision, content, nextAt } = await site.calendar(id)
      const late = {
        id,
        revision,
        nextAt,
        content: content ?? assert.fail(),
        opened,
        window: { start: site.now, end: site.now + hour * 24 * 90 },
      }
      const times = [at('2026-10-07T09:00'), at('2026-10-07T10:00')]
      await site.perform('calendars.edit', { id, address: site.sealed(id, `${server.url}?other`) })
      await site.perform('calendars.store', { ...late, times })
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
      await site.perform('calendars.remove', { id })
      await site.perform('calendars.store', { ...late, times })
      assert.deepEqual(await site.busy(), [])
      assert.deepEqual(await site.starts('2026-10-06'), allDay)
    })

    test('a calendar that fails unexpectedly prevents the reading of no other', async () => {
      const good = await site.connect(server.url)
      const broken = await site.connect(server.url)
      // The stored secret of this calendar is no JSON.
      const sealed = site.sealedText(broken, 'nonsense')
      await site.perform('calendars.edit', { id: broken, address: { sealed, host: new URL(server.url).host } })
      await site.pass(300)
      assert.equal((await site.calendar(good)).readAt, site.now)
      await site.pass(300)
      assert.equal((await site.calendar(good)).readAt, site.now)
      assert.ok((await site.calendar(broken)).readAt < site.now)
    })

    test('NUL in a file harms neither its reading nor that of others', async () => {
      const good = await site.connect(server.url)
      server.answer = (response, path) => {
        response.writeHead(200, { 'Content-Type': 'text/calendar' })
        const file = calendarFile(dentist)
        response.end(path.includes('other') ? file.replaceAll('Europe/Berlin', 'No\0where') : file)
      }
      const other = await site.connect(server.url.replace('private', 'other'))
      const { fault, faultDetail } = await site.calendar(other)
      assert.deepEqual([fault, faultDetail], ['unknown_zone', 'Nowhere'])
      await site.pass(300)
      assert.equal((await site.calendar(good)).readAt, site.now)
    })

    test('dead calendars delay no other, and are asked less and less often', async () => {
      server.answer = (response) => response.writeHead(503).end()
      const id = await site.connect(server.url)
      const waits: number[] = []
      for (let count = 0; count < 7; count += 1) {
        const { nextAt } = await site.calendar(id)
        waits.push(nextAt - site.now)
        site.now = nextAt
        await site.runDueJobs()
      }
      assert.deepEqual(waits, [300, 600, 1_200, 2_400, 3_600, 3_600, 3_600])
    })

    test('a server that says when to ask again is asked then, but within a day', async () => {
      const id = await site.connect(server.url)
      const date = new Date((site.now + 9_000) * 1_000).toUTCString()
      for (const [header, seconds] of [
        ['5000', 5_000],
        [date, 9_000],
        ['1000000', 86_400],
        ['10', 300],
      ] as const) {
        server.answer = (response) => response.writeHead(429, { 'Retry-After': header }).end()
        await site.perform('calendars.edit', { id, blocking: { ...defaultBlocking } })
        await site.runDueJobs()
        assert.equal((await site.calendar(id)).nextAt - site.now, seconds, header)
      }
    })

    test('what cannot be read says why, and what was read before stays', async () => {
      const id = await site.connect(server.url)
      const after = async (answer: CalendarServer['answer']) => {
        server.answer = answer
        await site.perform('calendars.sync', { id })
        await site.runDueJobs()
        const { fault } = await site.calendar(id)
        assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'], String(fault))
        return fault
      }
      const status =
        (code: number, headers = {}) =>
        (response: ServerResponse) =>
          response.writeHead(code, headers).end()
      assert.equal(await after(status(401)), 'sign_in_refused')
      assert.equal(await after(status(410)), 'not_found')
      assert.equal(await after('<!doctype html>'), 'not_a_calendar')
      assert.equal(await after(calendarFile(dentist).slice(0, -30)), 'malformed')
      assert.equal(await after((response) => response.socket?.destroy()), 'connection_failed')
      assert.equal(await after(status(302, { Location: '/again' })), 'too_many_redirects')
      assert.equal(await after(status(302, { Location: 'http://10.0.0.1/private.ics' })), 'address_not_public')
      assert.equal(await after(status(302, { Location: 'file:///etc/passwd' })), 'url_invalid')
      const endless = ['2', '20261007T100000', '20261007T100001', 'RRULE:FREQ=SECONDLY']
      assert.match(String(await after(calendarFile(endless))), /^too_(?:many_events|complex)$/)
    })

    test('a redirect to another path is followed', async () => {
      server.answer = (response, path) => {
        if (path === '/moved.ics') response.end(calendarFile(dentist))
        else response.writeHead(302, { Location: '/moved.ics' }).end()
      }
      await site.connect(server.url)
      assert.deepEqual(await site.busy(), ['2026-10-06T10:00 11:30'])
    })

    test('an endless file is refused at 50 MB', async () => {
      const text = `BEGIN:VEVENT\r\nATTACH:${'x'.repeat(1_000_000)}\r\nEND:VEVENT\r\n`
      server.answer = (response) => {
        response.write('BEGIN:VCALENDAR\r\n')
        const more = () => {
          while (response.write(text));
        }
        response.on('drain', more)
        more()
      }
      const before = process.memoryUsage().rss
      assert.equal((await site.calendar(await site.connect(server.url))).fault, 'too_large')
      assert.ok(process.memoryUsage().rss - before < 150_000_000)
    })

    test('no calendar is read from an address that is not public', async () => {
      const strict = await CalendarTestSite.open(kind, { networks: '' })
      const id = await strict.connect(server.url.replace('http:', 'https:'))
      assert.equal((await strict.calendar(id)).fault, 'address_not_public')
      assert.equal(server.requests.length, 0)
      await strict.close()
    })
  })
}
