import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entriesOf, entriesOn, markOf, marksOf } from './date-marks.ts'

const provider = {
  id: 1,
  name: 'Ana',
  email: '',
  timezone: 'America/New_York',
  weekly: {},
  overrides: [
    { from: '2026-12-24', to: '2027-01-02', hours: [] },
    { from: '2026-12-31', to: '2026-12-31', hours: ['10:00-12:00'] },
    { from: '2026-12-30', to: '2026-12-31', slot: { price: 9900 } },
    { from: '2026-06-01', to: '2026-06-01', slot: { price: 100 } },
    { from: '2025-01-01', to: '2025-12-31', hours: [] },
  ],
  holidays: [
    { from: '2026-12-25', to: '2026-12-26' },
    { from: '2026-05-01', to: '2026-05-01' },
  ],
  booking: null,
}
// From 20:00 to midnight on 29 December in New York, which spans two dates in UTC.
const timeOff = { id: 'b_1', providerId: 1, start: 1_798_592_400, end: 1_798_606_800, note: '' }
const entries = entriesOf(provider, [timeOff], 2026)

test('a year lists its own entries only, ordered by first date', () =>
  assert.deepEqual(
    entries.map((entry) => (entry.kind === 'override' ? entry.at : entry.timeOff.id)),
    [3, 0, 'b_1', 2, 1],
  ))

test('a date shows the last entry with hours, time off before all others, and a holiday when there is no entry', () => {
  const marks = marksOf(entries, provider, 2026)
  const shown = ['05-01', '06-01', '12-23', '12-24', '12-25', '12-29', '12-30', '12-31']
  assert.deepEqual(
    shown.map((date) => marks.get(`2026-${date}`)),
    ['holiday', 'slot', undefined, 'closed', 'closed', 'timeOff', 'closed', 'hours'],
  )
  assert.equal(marks.size, 2 + 8)
})

test('the deciding entry of a date comes last', () => {
  const kinds = (date: string) => entriesOn(entries, provider.timezone, date).map(markOf)
  assert.deepEqual(kinds('2026-12-31'), ['closed', 'hours', 'slot'])
  assert.deepEqual(kinds('2026-12-29'), ['closed', 'timeOff'])
})
