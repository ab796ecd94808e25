import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallTime } from '../../scheduling/time/zone.ts'
import { CalendarContent } from '../ics/calendar-content.job.ts'

/** Returns the dates on which an event with a rule takes place, from 2024 to 2026, in the order of time. */
function dates(start: string, rule: string): string[] {
  const content = new CalendarContent()
  const reader = content.reader()
  const event = ['BEGIN:VEVENT', 'UID:1', `DTSTART:${start}T090000Z`, 'DURATION:PT1H', `RRULE:${rule}`, 'END:VEVENT']
  reader.push(['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR', ''].join('\r\n'))
  reader.end()
  const window = { start: Date.UTC(2024, 0) / 1_000, end: Date.UTC(2027, 0) / 1_000 }
  return content
    .busyTimes({ home: 'UTC', window, blocks: () => true, isOwn: () => false })
    .map((time) => wallTime('UTC', time.start).slice(0, 10))
}

// The start is always one of the dates.
for (const [start, rule, expected] of [
  ['20240229', 'FREQ=YEARLY', ['2024-02-29']],
  ['20240131', 'FREQ=YEARLY;BYMONTH=1,2', ['2024-01-31', '2025-01-31', '2026-01-31']],
  ['20240129', 'FREQ=YEARLY;BYMONTHDAY=29;COUNT=3', ['2024-01-29', '2024-02-29', '2024-03-29']],
  ['20240202', 'FREQ=YEARLY;BYMONTHDAY=-28;COUNT=3', ['2024-02-02', '2024-03-04', '2024-04-03']],
  ['20240516', 'FREQ=YEARLY;BYDAY=20TH', ['2024-05-16', '2025-05-15', '2026-05-14']],
  ['20240516', 'FREQ=YEARLY;BYWEEKNO=20', ['2024-05-16', '2025-05-15', '2026-05-14']],
  ['20241230', 'FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO', ['2024-12-30', '2025-12-29']],
  ['20241231', 'FREQ=YEARLY;BYYEARDAY=-1', ['2024-12-31', '2025-12-31', '2026-12-31']],
  ['20240228', 'FREQ=MONTHLY;BYMONTH=2,6;COUNT=4', ['2024-02-28', '2024-06-28', '2025-02-28', '2025-06-28']],
  ['20240131', 'FREQ=MONTHLY;INTERVAL=2;BYMONTH=1,3;COUNT=3', ['2024-01-31', '2024-03-31', '2025-01-31']],
  ['20240430', 'FREQ=DAILY;BYMONTHDAY=-1;COUNT=3', ['2024-04-30', '2024-05-31', '2024-06-30']],
  ['20240101', 'FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=-1;COUNT=2', ['2024-01-01', '2024-01-05', '2024-01-12']],
  ['20240304', 'FREQ=YEARLY;BYMONTH=3,5;BYDAY=MO;BYSETPOS=1', ['2024-03-04', '2025-03-03', '2026-03-02']],
] as const)
  test(`${rule} from ${start} takes place on ${expected.join(', ')}`, () =>
    assert.deepEqual(dates(start, rule), expected))

test('the last working day of the month is found for hundreds of series', () => {
  const rule = 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'
  const events = Array.from({ length: 1_000 }, (_, index) => [
    ...['BEGIN:VEVENT', `UID:${index}`, 'DTSTART:20150130T090000Z', 'DURATION:PT1H', rule, 'END:VEVENT'],
  ])
  const content = new CalendarContent()
  const reader = content.reader()
  reader.push(['BEGIN:VCALENDAR', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n'))
  reader.end()
  const window = { start: Date.UTC(2026, 0) / 1_000, end: Date.UTC(2026, 1) / 1_000 }
  const times = content.busyTimes({ home: 'UTC', window, blocks: () => true, isOwn: () => false })
  assert.deepEqual(
    times.map((time) => wallTime('UTC', time.start)),
    ['2026-01-30T09:00'],
  )
})
