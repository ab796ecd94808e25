import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { defaultBlocking } from '../../src/calendars/calendar.ts'
import { findCalendar } from '../../src/calendars/calendars.sql.ts'
import type { OpeningRule } from '../../src/calendars/openings/opening-rule.ts'
import type { ReadOpenings } from '../../src/calendars/openings/openings.ts'
import type { ReadCalendar } from '../../src/calendars/sync/sync.operations.ts'
import { ana, dayLong, now } from '../support/clinic.ts'
import { InProcessSite, present, resultOf } from '../support/in-process-site.ts'

let site: InProcessSite
before(async () => {
  site = await InProcessSite.open()
})
after(() => site.close())

/** Connects a calendar file of the provider Ana that blocks time by default. */
async function connect(id: string, opening: OpeningRule | null): Promise<void> {
  const given = { id, providerId: ana, kind: 'ics' as const, name: id, host: 'a.example', sealed: '' }
  resultOf(await site.perform('calendars.connect', { ...given, blocking: defaultBlocking, opening }))
}

/** Stores a reading of a calendar whose window begins at `from` (Unix seconds), with these busy times and openings. */
async function store(
  id: string,
  { from = now, times = [], openings = [] }: Partial<Pick<ReadCalendar, 'times'> & ReadOpenings> & { from?: number },
): Promise<void> {
  const { revision, nextAt } = present(await findCalendar(site.connection, id))
  const window = { start: from, end: now + 30 * dayLong }
  const content = { basis: '', digest: `${from} ${openings.length}`, count: times.length / 2 }
  const reading = { content, window, times, opened: { openings, faults: [] } }
  resultOf(await site.perform('calendars.store', { id, revision, nextAt, ...reading }))
}

test('a reading that removes the openings of a removed rule locks the catalogue for writing', async () => {
  const id = 'cal_hours'
  await connect(id, { by: 'title', text: 'Open' })
  await store(id, { openings: [{ start: now + dayLong, end: now + dayLong + 7_200, overrides: {} }] })
  resultOf(await site.perform('calendars.edit', { id, opening: null }))
  site.lockKeys.length = 0
  await store(id, {})
  assert.ok(site.lockKeys.flat().includes('catalogue!'), JSON.stringify(site.lockKeys))
  assert.deepEqual(await site.connection.build.selectFrom('calendar_opening').selectAll().execute(), [])
  // Without openings, bookings need not wait for the reading.
  site.lockKeys.length = 0
  await store(id, {})
  assert.ok(!site.lockKeys.flat().includes('catalogue!'), JSON.stringify(site.lockKeys))
})

test('a busy time that was extended after it had ended replaces the stored one', async () => {
  const id = 'cal_private'
  await connect(id, null)
  const start = now - 3_600
  await store(id, { times: [start, now + 3_600] })
  // The next reading begins after the end of the time, which no sweep has deleted yet.
  await store(id, { from: now + 7_200, times: [start, now + 10_800] })
  const rows = await site.connection.build.selectFrom('busy').selectAll().where('calendar_id', '=', id).execute()
  assert.deepEqual(
    rows.map((row) => [row.start_at, row.end_at]),
    [[start, now + 10_800]],
  )
})
