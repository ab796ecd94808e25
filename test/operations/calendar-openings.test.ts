import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defaultBlocking } from '../../src/calendars/calendar.ts'
import { findCalendar } from '../../src/calendars/calendars.sql.ts'
import { ana, dayLong, now } from '../support/clinic.ts'
import { InProcessSite, present, resultOf } from '../support/in-process-site.ts'

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

const opening = { by: 'title' as const, text: 'Open' }

test('a reading that removes the openings of a removed rule locks the catalogue for writing', async () => {
  const calendar = { providerId: ana, kind: 'ics' as const, name: 'Hours', host: 'a.example', sealed: '' }
  const given = { id: 'cal_hours', ...calendar, blocking: defaultBlocking }
  resultOf(await site.perform('calendars.connect', { ...given, opening }))
  const times = { start: now + dayLong, end: now + dayLong + 7_200, overrides: {} }
  await store({ openings: [times], faults: [] })
  resultOf(await site.perform('calendars.edit', { id: given.id, opening: null }))
  site.lockKeys.length = 0
  await store({ openings: [], faults: [] })
  assert.ok(site.lockKeys.flat().includes('catalogue!'), JSON.stringify(site.lockKeys))
  assert.deepEqual(await site.connection.build.selectFrom('calendar_opening').selectAll().execute(), [])
  // Without openings, bookings need not wait for the reading.
  site.lockKeys.length = 0
  await store({ openings: [], faults: [] })
  assert.ok(!site.lockKeys.flat().includes('catalogue!'), JSON.stringify(site.lockKeys))

  async function store(opened: Parameters<typeof site.perform<'calendars.store'>>[1]['opened']): Promise<void> {
    const { revision, nextAt } = present(await findCalendar(site.connection, given.id))
    const window = { start: now, end: now + 30 * dayLong }
    const content = { basis: '', digest: String(opened.openings.length), count: 0 }
    resultOf(
      await site.perform('calendars.store', { id: given.id, revision, nextAt, content, window, times: [], opened }),
    )
  }
})

test('a busy time that was extended after it had ended replaces the stored one', async () => {
  const id = 'cal_private'
  const given = { id, providerId: ana, kind: 'ics' as const, name: 'Private', host: 'a.example', sealed: '' }
  resultOf(await site.perform('calendars.connect', { ...given, blocking: defaultBlocking, opening: null }))
  const start = now - 3_600
  await store(now, [start, now + 3_600])
  // The next reading begins after the end of the time, which no sweep has deleted yet.
  await store(now + 7_200, [start, now + 10_800])
  const rows = await site.connection.build.selectFrom('busy').selectAll().where('calendar_id', '=', id).execute()
  assert.deepEqual(
    rows.map((row) => [row.start_at, row.end_at]),
    [[start, now + 10_800]],
  )

  async function store(from: number, times: readonly number[]): Promise<void> {
    const { revision, nextAt } = present(await findCalendar(site.connection, id))
    const window = { start: from, end: now + 30 * dayLong }
    const reading = { content: { basis: '', digest: String(from), count: 1 }, window, times }
    const opened = { openings: [], faults: [] }
    resultOf(await site.perform('calendars.store', { id, revision, nextAt, ...reading, opened }))
  }
})
