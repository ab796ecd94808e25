import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holidaysOf } from './holiday-file.ts'

const span = { from: '2026-11-01', to: '2028-12-31' }
const file = (...events: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    ...events.flatMap((event) => ['BEGIN:VEVENT', ...event.split('|'), 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n')

for (const [name, event, expected] of [
  ['one day without an end', 'DTSTART;VALUE=DATE:20261225|SUMMARY:Christmas', ['2026-12-25 2026-12-25 Christmas']],
  [
    'an exclusive end',
    'DTSTART;VALUE=DATE:20261224|DTEND;VALUE=DATE:20261227|SUMMARY:Days',
    ['2026-12-24 2026-12-26 Days'],
  ],
  [
    'an escaped and folded name',
    'DTSTART;VALUE=DATE:20261225|SUMMARY;LANGUAGE=en:St Ste\r\n phen\\, observed',
    ['2026-12-25 2026-12-25 St Stephen, observed'],
  ],
  [
    'a date every year',
    'DTSTART;VALUE=DATE:20001003|RRULE:FREQ=YEARLY|SUMMARY:Unity',
    ['2027-10-03 2027-10-03 Unity', '2028-10-03 2028-10-03 Unity'],
  ],
  [
    'a weekday every year',
    'DTSTART;VALUE=DATE:20201126|RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH|SUMMARY:Thanks',
    ['2026-11-26 2026-11-26 Thanks', '2027-11-25 2027-11-25 Thanks', '2028-11-23 2028-11-23 Thanks'],
  ],
  [
    'the last weekday',
    'DTSTART;VALUE=DATE:20200525|RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO|SUMMARY:Memorial',
    ['2027-05-31 2027-05-31 Memorial', '2028-05-29 2028-05-29 Memorial'],
  ],
  ['a leap day', 'DTSTART;VALUE=DATE:20240229|RRULE:FREQ=YEARLY|SUMMARY:Leap', ['2028-02-29 2028-02-29 Leap']],
  ['a rule that has ended', 'DTSTART;VALUE=DATE:20200101|RRULE:FREQ=YEARLY;UNTIL=20250101|SUMMARY:Past', []],
  [
    'a counted rule',
    'DTSTART;VALUE=DATE:20260101|RRULE:FREQ=YEARLY;COUNT=2|SUMMARY:New',
    ['2027-01-01 2027-01-01 New'],
  ],
  [
    'an event with an alarm that has a text of its own',
    'DTSTART;VALUE=DATE:20261225|SUMMARY:Christmas|BEGIN:VALARM|ACTION:EMAIL|SUMMARY:Alarm notification|END:VALARM',
    ['2026-12-25 2026-12-25 Christmas'],
  ],
  [
    'a yearly date with excluded years',
    'DTSTART;VALUE=DATE:20001003|RRULE:FREQ=YEARLY|EXDATE;VALUE=DATE:20271003|EXDATE:20291003,20301003|SUMMARY:Unity',
    ['2028-10-03 2028-10-03 Unity'],
  ],
  ['a past or cancelled event', 'DTSTART;VALUE=DATE:20270101|STATUS:CANCELLED|SUMMARY:No', []],
] as const)
  test(`${name} is listed between the dates`, () => {
    const { holidays = [], leftOut } = holidaysOf(file(event), span) ?? {}
    assert.deepEqual([holidays.map(({ from, to, name: of }) => `${from} ${to} ${of}`), leftOut], [expected, 0])
  })

test('a moved instance of a yearly event is listed on its new day alone, and a cancelled one not at all', () => {
  const series = 'UID:1|DTSTART;VALUE=DATE:20001225|RRULE:FREQ=YEARLY|SUMMARY:Party'
  const moved = 'UID:1|RECURRENCE-ID;VALUE=DATE:20261225|DTSTART;VALUE=DATE:20261223|SUMMARY:Party'
  const cancelled = 'UID:1|RECURRENCE-ID;VALUE=DATE:20271225|DTSTART;VALUE=DATE:20271225|STATUS:CANCELLED'
  const { holidays = [], leftOut } = holidaysOf(file(series, moved, cancelled), span) ?? {}
  assert.deepEqual([holidays.map(({ from }) => from), leftOut], [['2026-12-23', '2028-12-25'], 0])
})

test('events with a time or another rule are counted as left out, and other text is no calendar', () => {
  const timed = 'DTSTART:20261225T100000Z|SUMMARY:Timed'
  const monthly = 'DTSTART;VALUE=DATE:20261225|RRULE:FREQ=MONTHLY|SUMMARY:Monthly'
  assert.deepEqual(holidaysOf(file(timed, monthly), span), { holidays: [], leftOut: 2 })
  for (const text of ['', '<!doctype html>', '{}', 'BEGIN:VCARD']) assert.equal(holidaysOf(text, span), undefined)
})

test('no text makes it fail', () => {
  const word = fc.constantFrom(
    'BEGIN:VEVENT',
    'END:VEVENT',
    'DTSTART:',
    '20261225',
    'RRULE:FREQ=YEARLY;',
    'BYDAY=-9MO',
    'INTERVAL=0',
    '\n',
    ';',
    ':',
    '99999999',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string())), (words) => {
      holidaysOf(`BEGIN:VCALENDAR\n${words.join('')}`, span)
    }),
  )
})
