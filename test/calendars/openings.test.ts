import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { explainAvailability } from '../../src/availability/availability.operations.ts'
import type { OpeningRule } from '../../src/calendars/openings/opening-rule.ts'
import { wallTime } from '../../src/scheduling/time/zone.ts'
import { ana, ben } from '../support/clinic.ts'
import { databasesHere } from '../support/databases.ts'
import { hasRadicale, Radicale } from '../support/radicale.ts'
import { at, type CalendarServer, CalendarTestSite, calendarFile, startCalendarServer } from './calendar-test-site.ts'

const byTitle: OpeningRule = { by: 'title', text: 'Open' }
// Ana does not work on the Saturday, and works from nine to five on the Tuesday.
const [saturday, tuesday] = ['2026-10-10', '2026-10-06']

/** Returns an iCalendar file of events, each given as `title start end [more lines…]` with times in Berlin. */
function titled(...events: readonly (readonly string[])[]): string {
  const files = events.map(([title = '', start = '', end = '', ...more], index) => {
    const file = calendarFile([`e${index}`, start, end, ...more])
    return file.replace('SUMMARY:A secret title', `SUMMARY:${title}`).split('\r\n').slice(3, -2)
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Test//EN', ...files.flat(), 'END:VCALENDAR', ''].join('\r\n')
}

for (const { kind, skip } of await databasesHere()) {
  describe(`opening hours from a calendar on ${kind}`, { skip, timeout: 600_000 }, () => {
    let site: CalendarTestSite
    let server: CalendarServer
    before(async () => {
      site = await CalendarTestSite.open(kind)
      const weekly = Object.fromEntries(
        (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => [day, ['09:00-17:00']]),
      )
      await site.perform('providers.edit', { id: ana, weekly })
    })
    after(() => site.close())
    beforeEach(async () => {
      server = await startCalendarServer()
    })
    afterEach(async () => {
      await server.close()
      await site.clear()
    })

    const connect = (content: string, opening: OpeningRule = byTitle) => {
      server.answer = content
      return site.connect(server.url, { opening })
    }
    const overrides = async (date: string) =>
      Object.fromEntries(
        (await site.slots(date)).map((slot) => [
          wallTime('Europe/Berlin', slot.start).slice(11),
          slot.overrides as object,
        ]),
      )
    const book = async (date: string, time: string) => {
      const slot = (await site.slots(date)).find(({ start }) => start === at(`${date}T${time}`)) ?? assert.fail(time)
      const { availabilityId, serviceId, providerId, start, end } = slot
      const customerId = await site.customer()
      return site.attempt('reservations.add', { availabilityId, serviceId, providerId, start, end, customerId })
    }

    test('an event opens time beside the weekly hours, with the properties of its title, and others block', async () => {
      assert.deepEqual(await site.starts(saturday), [])
      const id = await connect(
        titled(
          ['Open [price=60][location=Room 2]', '20261010T100000', '20261010T130000'],
          ['Dentist', '20261010T120000', '20261010T123000'],
          ['open', '20261006T180000', '20261006T200000', 'TRANSP:TRANSPARENT'],
        ),
      )
      const special = { price: 6_000, location: 'Room 2' }
      assert.deepEqual(await overrides(saturday), { '10:00': special, '11:00': special })
      assert.deepEqual((await site.starts(tuesday)).slice(-3), ['16:00', '18:00', '19:00'])
      assert.equal((await site.starts(saturday, ben)).length, 8)
      assert.deepEqual(await site.busy(), ['2026-10-10T12:00 12:30'])
      const { content, openingFaults } = await site.calendar(id)
      assert.deepEqual([content?.count, content?.openings, openingFaults], [1, 2, []])
    })

    test('a tentative event, such as an invitation that was not answered, blocks instead of opening time', async () => {
      await connect(
        titled(
          ['Open', '20261010T100000', '20261010T110000', 'STATUS:TENTATIVE'],
          ['Open', '20261010T120000', '20261010T130000', 'STATUS:TENTATIVE', 'TRANSP:TRANSPARENT'],
        ),
      )
      assert.deepEqual([await site.starts(saturday), await site.busy()], [[], ['2026-10-10T10:00 11:00']])
    })

    test('a booking takes the price of the event, and explain names the calendar', async () => {
      await connect(titled(['Open [price=60]', '20261010T100000', '20261010T120000']))
      const booked = await book(saturday, '10:00')
      assert.ok('ok' in booked, JSON.stringify(booked))
      const { id } = booked.ok as { id: string }
      const row = await site.storage.db.build
        .selectFrom('reservation')
        .select(['price', 'currency'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      assert.deepEqual(row, { price: 6_000, currency: 'EUR' })
      const serviceId = await site.service('long')
      const start = at(`${saturday}T11:00`)
      const explained = await explainAvailability(site.storage.db, {
        serviceId,
        providerId: ana,
        start,
        now: site.now,
      })
      assert.ok('rules' in explained)
      const hours = explained.rules.find(({ rule }) => rule === 'opening_hours')
      assert.deepEqual([hours?.ok, hours?.setting], [true, 'provider.calendars'])
    })

    test('inside the weekly hours a slot within the event has its properties, and no slot is listed twice', async () => {
      await connect(titled(['Open [capacity=3]', '20261006T100000', '20261006T120000']))
      const found = await overrides(tuesday)
      assert.deepEqual(Object.keys(found), ['09:00', '10:00', '11:00', '12:00', '13:00', '14:00', '15:00', '16:00'])
      assert.deepEqual(
        [found['09:00'], found['10:00'], found['11:00'], found['12:00']],
        [{}, { capacity: 3 }, { capacity: 3 }, {}],
      )
      for (let seat = 0; seat < 3; seat += 1) assert.ok('ok' in (await book(tuesday, '10:00')))
      assert.ok(!(await site.starts(tuesday)).includes('10:00'))
    })

    test('a holiday does not close the event, time off does', async () => {
      await connect(titled(['Open', '20261010T100000', '20261010T120000']))
      const holidays = [{ from: saturday, to: saturday, name: 'Closed' }]
      await site.perform('site.edit', { holidays })
      assert.deepEqual(await site.starts(saturday), ['10:00', '11:00'])
      await site.perform('site.edit', { holidays: [] })
      const range = { start: at(`${saturday}T10:00`), end: at(`${saturday}T11:00`) }
      const { id } = await site.perform('time-off.add', { providerId: ana, note: '', ...range })
      assert.deepEqual(await site.starts(saturday), ['11:00'])
      await site.perform('time-off.remove', { id })
    })

    test('an event that is not understood opens nothing and is named', async () => {
      const id = await connect(
        titled(
          ['Open [price=abc]', '20261010T100000', '20261010T120000'],
          ['Open [prise=60]', '20261011T100000', '20261011T120000'],
          ['Open', '20261012T100000', '20261022T120000'],
        )
          .replace('DTSTART;TZID=Europe/Berlin:20261011T100000', 'DTSTART;VALUE=DATE:20261011')
          .replace('DTEND;TZID=Europe/Berlin:20261011T120000', 'DTEND;VALUE=DATE:20261012'),
      )
      const { openingFaults } = await site.calendar(id)
      assert.deepEqual(
        openingFaults.map(({ start, code, part }) => [wallTime('Europe/Berlin', start), code, part]),
        [
          ['2026-10-10T10:00', 'invalid_value', 'price=abc'],
          ['2026-10-11T00:00', 'all_day', ''],
          ['2026-10-12T10:00', 'too_long', ''],
        ],
      )
      assert.deepEqual(await site.starts(saturday), [])
    })

    test('a series with a moved, a changed and a cancelled instance', async () => {
      const series = ['Open', '20261010T100000', '20261010T110000', 'RRULE:FREQ=WEEKLY;COUNT=4']
      const changed = (date: string, title: string, from: string, more = 'SEQUENCE:1') =>
        [
          title,
          from,
          from.replace('T10', 'T11').replace('T14', 'T15'),
          `RECURRENCE-ID;TZID=Europe/Berlin:${date}T100000`,
          more,
        ] as const
      const file = titled(
        series,
        changed('20261017', 'Open', '20261017T140000'),
        changed('20261024', 'Closed after all', '20261024T100000'),
        changed('20261031', 'Open', '20261031T100000', 'STATUS:CANCELLED'),
      ).replace(/UID:e\d/g, 'UID:series')
      await connect(file)
      const saturdays = ['2026-10-10', '2026-10-17', '2026-10-24', '2026-10-31']
      const starts = await Promise.all(saturdays.map((date) => site.starts(date)))
      assert.deepEqual(starts, [['10:00'], ['14:00'], [], []])
      assert.deepEqual(await site.busy(), ['2026-10-24T10:00 11:00'])
    })

    test('a change and the end of the connection are followed, and an unchanged reading writes nothing', async () => {
      const id = await connect(titled(['Open', '20261010T100000', '20261010T120000']))
      const { content } = await site.calendar(id)
      const versions = async () =>
        (await site.storage.db.build.selectFrom('site').select('catalogue').executeTakeFirstOrThrow()).catalogue
      const before = await versions()
      await site.pass(300)
      server.answer = titled(
        ['Open', '20261010T100000', '20261010T120000'],
        ['Dentist', '20261012T100000', '20261012T120000'],
      )
      await site.pass(300)
      assert.equal(await versions(), before)
      assert.notEqual((await site.calendar(id)).content?.digest, content?.digest)
      server.answer = titled(['Open', '20261010T140000', '20261010T150000'])
      await site.pass(300)
      assert.deepEqual(await site.starts(saturday), ['14:00'])
      assert.notEqual(await versions(), before)
      await site.perform('calendars.edit', { id, opening: { by: 'category', text: 'Consultation' } })
      await site.runDueJobs()
      assert.deepEqual([await site.starts(saturday), await site.busy()], [[], ['2026-10-10T14:00 15:00']])
      await site.perform('calendars.edit', { id, opening: byTitle })
      await site.runDueJobs()
      assert.deepEqual([await site.starts(saturday), await site.busy()], [['14:00'], []])
      await site.perform('calendars.remove', { id })
      assert.deepEqual(await site.starts(saturday), [])
      const left = await site.storage.db.build.selectFrom('calendar_opening').selectAll().execute()
      assert.deepEqual(left, [])
    })

    test('no title is stored, neither of events that open time nor of others', async () => {
      await connect(
        titled(
          ['Open [note=Ring twice]', '20261010T100000', '20261010T120000'],
          ['Secret', '20261011T100000', '20261011T120000'],
        ),
      )
      for (const table of ['busy', 'connected_calendar', 'calendar_opening', 'event', 'calendar_item'] as const) {
        const text = JSON.stringify(await site.storage.db.build.selectFrom(table).selectAll().execute())
        assert.doesNotMatch(text, /Secret|A secret title/)
      }
    })

    test('a calendar that is too old opens nothing', async () => {
      await connect(titled(['Open', '20261010T100000', '20261010T120000']))
      server.answer = (response) => response.writeHead(503).end()
      await site.pass(2 * 3_600)
      assert.deepEqual(await site.starts(saturday), [])
    })

    test('a calendar of an account opens time, also after the rule has changed', {
      skip: hasRadicale() ? false : 'Radicale is not installed',
    }, async (t) => {
      const radicale = await Radicale.start()
      t.after(() => radicale.close())
      const put = (...event: readonly string[]) => radicale.put('work', 'a.ics', titled(event))
      await put('Open [price=60]', '20261010T100000', '20261010T120000', 'CATEGORIES:Intake,Red')
      await site.connectAccount(radicale.url)
      const [account] = await site.storage.db.build.selectFrom('calendar_account').selectAll().execute()
      const { found } = await site.account(account?.id ?? '')
      await site.perform('calendars.accounts.choose', {
        id: account?.id ?? '',
        refs: found.filter(({ name }) => name === 'Work').map(({ ref }) => ref),
      })
      await site.runDueJobs()
      const [{ id } = assert.fail()] = await site.storage.db.build
        .selectFrom('connected_calendar')
        .select('id')
        .execute()
      assert.deepEqual([await site.starts(saturday), await site.busy()], [[], ['2026-10-10T10:00 12:00']])
      for (const opening of [byTitle, { by: 'category', text: 'intake' }] as const) {
        await site.perform('calendars.edit', { id, opening })
        await site.runDueJobs()
        assert.deepEqual(await overrides(saturday), { '10:00': { price: 6_000 }, '11:00': { price: 6_000 } })
        assert.deepEqual(await site.busy(), [])
      }
      await put('Open', '20261010T150000', '20261010T160000')
      await site.pass(300)
      assert.deepEqual([await site.starts(saturday), await site.busy()], [[], ['2026-10-10T15:00 16:00']])
    })
  })
}
