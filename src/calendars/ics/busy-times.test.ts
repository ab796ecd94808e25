import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant, wallTime } from '../../scheduling/time/zone.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { CalendarContent } from './calendar-content.job.ts'

const berlin = 'Europe/Berlin'
const at = (text: string, zone = berlin) => toInstant(zone, text) ?? assert.fail(text)
const window = { start: at('2026-01-01T00:00'), end: at('2027-01-01T00:00') }

/** Returns a calendar file with the given events, each given by its content lines. */
function calendar(...events: readonly string[][]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT'])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

function contentOf(text: string, pieceLength = text.length): CalendarContent {
  const content = new CalendarContent()
  const reader = content.reader()
  for (let from = 0; from < text.length; from += pieceLength) reader.push(text.slice(from, from + pieceLength))
  reader.end()
  return content
}

const options = {
  home: berlin,
  window,
  blocks: (transparency: string) => transparency !== 'free',
  isOwn: () => false,
}

/** Returns the busy times of a calendar as wall times in Berlin. */
function busy(text: string, change: Partial<typeof options> = {}): string[] {
  return contentOf(text)
    .busyTimes({ ...options, ...change })
    .map(({ start, end }) => `${wallTime(berlin, start)} ${wallTime(berlin, end)}`)
}

function faultOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof CalendarFault, String(error))
    return error.code
  }
  return 'none'
}

const berlinTime = 'DTSTART;TZID=Europe/Berlin:'

for (const [what, lines, expected] of [
  ['an event in UTC', ['DTSTART:20260701T070000Z', 'DTEND:20260701T080000Z'], ['2026-07-01T09:00 2026-07-01T10:00']],
  [
    'a floating event in the zone of the provider',
    ['DTSTART:20260701T070000', 'DURATION:PT1H'],
    ['2026-07-01T07:00 2026-07-01T08:00'],
  ],
  [
    'an all-day event',
    ['DTSTART;VALUE=DATE:20260329', 'DTEND;VALUE=DATE:20260330'],
    ['2026-03-29T00:00 2026-03-30T00:00'],
  ],
  ['an all-day event without an end', ['DTSTART;VALUE=DATE:20260329'], ['2026-03-29T00:00 2026-03-30T00:00']],
  [
    'an event of another zone',
    ['DTSTART;TZID=America/New_York:20260701T070000', 'DURATION:PT1H'],
    ['2026-07-01T13:00 2026-07-01T14:00'],
  ],
  ['no time for an event without a length', ['DTSTART:20260701T070000Z'], []],
  ['no time for a free event', ['DTSTART:20260701T070000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT'], []],
  ['no time for a cancelled event', ['DTSTART:20260701T070000Z', 'DURATION:PT1H', 'STATUS:CANCELLED'], []],
  [
    'a weekly event at the same wall time across a clock change',
    [`${berlinTime}20260323T090000`, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3'],
    ['2026-03-23T09:00 2026-03-23T10:00', '2026-03-30T09:00 2026-03-30T10:00', '2026-04-06T09:00 2026-04-06T10:00'],
  ],
  [
    'instances but those excluded, and additional dates',
    [
      ...[`${berlinTime}20260302T090000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20260305T080000Z'],
      ...['EXDATE;TZID=Europe/Berlin:20260303T090000', 'EXDATE:20260304T080000Z'],
      'RDATE;VALUE=PERIOD:20260310T080000Z/PT30M',
    ],
    ['2026-03-02T09:00 2026-03-02T10:00', '2026-03-05T09:00 2026-03-05T10:00', '2026-03-10T09:00 2026-03-10T09:30'],
  ],
  [
    'instances until a date, that day included',
    [`${berlinTime}20260302T220000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20260303'],
    ['2026-03-02T22:00 2026-03-02T23:00', '2026-03-03T22:00 2026-03-03T23:00'],
  ],
  [
    'the start of a series whose rule ends before it',
    [`${berlinTime}20260302T090000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;UNTIL=20260302T030000Z'],
    ['2026-03-02T09:00 2026-03-02T10:00'],
  ],
] as const)
  test(`a calendar blocks ${what}`, () => {
    assert.deepEqual(busy(calendar(['UID:1', ...lines])), expected)
  })

test('a changed instance replaces the one it names, and a cancelled one removes it', () => {
  const series = ['UID:1', `${berlinTime}20260302T090000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=4']
  const moved = ['UID:1', 'RECURRENCE-ID:20260303T080000Z', `${berlinTime}20260303T150000`, 'DURATION:PT2H']
  const cancelled = [
    'UID:1',
    'RECURRENCE-ID;TZID=Europe/Berlin:20260304T090000',
    `${berlinTime}20260304T090000`,
    'DURATION:PT1H',
    'STATUS:CANCELLED',
  ]
  const expected = [
    '2026-03-02T09:00 2026-03-02T10:00',
    '2026-03-03T15:00 2026-03-03T17:00',
    '2026-03-05T09:00 2026-03-05T10:00',
  ]
  assert.deepEqual(busy(calendar(series, moved, cancelled)), expected)
  assert.deepEqual(busy(calendar(cancelled, moved, series)), expected)
})

test('a change names the instance of a timed series by its date', () => {
  const series = ['UID:1', `${berlinTime}20260302T003000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=3']
  const moved = ['UID:1', 'RECURRENCE-ID;VALUE=DATE:20260303', `${berlinTime}20260303T150000`, 'DURATION:PT2H']
  const cancelled = ['UID:1', 'RECURRENCE-ID;VALUE=DATE:20260304', `${berlinTime}20260304T003000`, 'STATUS:CANCELLED']
  assert.deepEqual(busy(calendar(series, moved, cancelled)), [
    '2026-03-02T00:30 2026-03-02T01:30',
    '2026-03-03T15:00 2026-03-03T17:00',
  ])
  const twice = ['UID:1', `${berlinTime}20260302T090000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2;BYHOUR=9,11']
  const vague = ['UID:1', 'RECURRENCE-ID;VALUE=DATE:20260302', `${berlinTime}20260302T090000`, 'STATUS:CANCELLED']
  assert.deepEqual(busy(calendar(twice, vague)), [
    '2026-03-02T09:00 2026-03-02T10:00',
    '2026-03-02T11:00 2026-03-02T12:00',
  ])
})

test('THISANDFUTURE moves an instance and all later ones, across a clock change', () => {
  const series = ['UID:1', `${berlinTime}20260326T090000`, 'DURATION:PT1H', 'RRULE:FREQ=DAILY;INTERVAL=2;COUNT=4']
  const later = [
    'UID:1',
    'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20260328T090000',
    `${berlinTime}20260328T103000`,
    'DURATION:PT30M',
  ]
  assert.deepEqual(busy(calendar(series, later)), [
    '2026-03-26T09:00 2026-03-26T10:00',
    '2026-03-28T10:30 2026-03-28T11:00',
    '2026-03-30T10:30 2026-03-30T11:00',
    '2026-04-01T10:30 2026-04-01T11:00',
  ])
})

test('the zone database prevails over the definition in the file, which applies to other zones', () => {
  const zone = (id: string) => [
    ...[
      'BEGIN:VTIMEZONE',
      `TZID:${id}`,
      'BEGIN:STANDARD',
      'DTSTART:16010101T000000',
      'TZOFFSETFROM:+0500',
      'TZOFFSETTO:+0500',
    ],
    ...['END:STANDARD', 'END:VTIMEZONE'],
  ]
  const event = (id: string) => [
    'BEGIN:VEVENT',
    'UID:1',
    `DTSTART;TZID=${id}:20260701T120000`,
    'DURATION:PT1H',
    'END:VEVENT',
  ]
  const file = (id: string) => ['BEGIN:VCALENDAR', ...zone(id), ...event(id), 'END:VCALENDAR'].join('\n')
  assert.deepEqual(busy(file('Europe/Berlin')), ['2026-07-01T12:00 2026-07-01T13:00'])
  assert.deepEqual(busy(file('Our office')), ['2026-07-01T09:00 2026-07-01T10:00'])
  assert.equal(
    faultOf(() => busy(file('Our office').replace('TZID:Our', 'TZID:Another'))),
    'unknown_zone',
  )
})

for (const [home, until, last] of [
  ['America/New_York', '20260703', '2026-07-03'],
  ['America/New_York', '20260703T000000Z', '2026-07-03'],
  ['America/New_York', '20260704T035959Z', '2026-07-03'],
  ['Asia/Tokyo', '20260703T000000Z', '2026-07-03'],
  ['Asia/Tokyo', '20260702T150000Z', '2026-07-03'],
  ['Europe/Berlin', '20260702T220000Z', '2026-07-03'],
] as const)
  test(`an all-day series until ${until} ends on ${last} in ${home}`, () => {
    const lines = ['UID:1', 'DTSTART;VALUE=DATE:20260701', `RRULE:FREQ=DAILY;UNTIL=${until}`]
    const times = contentOf(calendar(lines)).busyTimes({ ...options, home })
    assert.deepEqual(
      times.map(({ start, end }) => [wallTime(home, start), wallTime(home, end - 86_400)]),
      [['2026-07-01T00:00', `${last}T00:00`]],
    )
  })

/** Returns a calendar file with one event at ten o'clock in a zone that the file defines by its offset from UTC. */
const inDefinedZone = (tzid: string, parameter: string, offset: string) =>
  calendar(['UID:1', `DTSTART;TZID="${parameter}":20260701T100000`, 'DURATION:PT1H']).replace(
    'VERSION:2.0\r\n',
    [
      ...['VERSION:2.0', 'BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'DTSTART:16010101T000000'],
      ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE', ''],
    ].join('\r\n'),
  )

test('a zone whose name has escaped commas in its definition is found', () => {
  const text = inDefinedZone('(UTC-03:00) Cayenne\\, Fortaleza', '(UTC-03:00) Cayenne, Fortaleza', '-0300')
  assert.deepEqual(busy(text), ['2026-07-01T15:00 2026-07-01T16:00'])
})

test('files that define different zones with one name do not change the events of each other', () => {
  const content = new CalendarContent()
  for (const offset of ['-0500', '+0300', '-0500']) {
    const reader = content.reader()
    reader.push(inDefinedZone('Customized Time Zone', 'Customized Time Zone', offset).replace('UID:1', `UID:${offset}`))
    reader.end()
  }
  assert.deepEqual(
    content.busyTimes(options).map(({ start }) => wallTime('UTC', start)),
    ['2026-07-01T07:00', '2026-07-01T15:00'],
  )
})

test('free, tentative and out-of-office events block as configured', () => {
  const event = (uid: string, day: string, more: string) => [
    `UID:${uid}`,
    `DTSTART:202607${day}T070000Z`,
    'DURATION:PT1H',
    more,
  ]
  const text = calendar(
    event('1', '01', 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'),
    event('2', '02', 'STATUS:TENTATIVE'),
    event('3', '03', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
  )
  for (const [kind, day] of [
    ['out_of_office', '01'],
    ['tentative', '02'],
    ['free', '03'],
  ] as const)
    assert.deepEqual(busy(text, { blocks: (transparency) => transparency === kind }), [
      `2026-07-${day}T09:00 2026-07-${day}T10:00`,
    ])
})

test('events that overlap or touch become one busy time, and our own are left out', () => {
  const event = (uid: string, from: string, until: string) => [
    `UID:${uid}`,
    `DTSTART:20260701T${from}00Z`,
    `DTEND:20260701T${until}00Z`,
  ]
  const text = calendar(
    event('a', '0700', '0800'),
    event('b', '0730', '0900'),
    event('c', '0900', '0930'),
    event('own', '1200', '1300'),
  )
  assert.deepEqual(busy(text, { isOwn: ((uid: string) => uid === 'own') as never }), [
    '2026-07-01T09:00 2026-07-01T11:30',
  ])
})

test('a file is read alike in pieces of any size, with folded lines and attachments', () => {
  const long = `ATTACH;ENCODING=BASE64:${'A'.repeat(600_000)}`
  const text = calendar([
    'UID:1',
    'SUMMARY:Secret',
    long,
    'DTSTART;TZID=Europe/',
    ' Berlin:20260701T09',
    '\t0000',
    'DURATION:PT1H',
    'BEGIN:VALARM',
    'DURATION:P9D',
    'END:VALARM',
  ])
  const whole = contentOf(text)
  for (const length of [1_000, 7, 65_536]) {
    const content = contentOf(text, length)
    assert.deepEqual(content.busyTimes(options), whole.busyTimes(options))
    assert.equal(content.digest(), whole.digest())
  }
  assert.deepEqual(busy(text), ['2026-07-01T09:00 2026-07-01T10:00'])
})

test('the digest depends on times alone, not on titles and time stamps', () => {
  const text = (title: string, start: string) =>
    calendar(['UID:1', `DTSTAMP:${start}`, `SUMMARY:${title}`, `DTSTART:${start}`, 'DURATION:PT1H'])
  assert.equal(
    contentOf(text('Dentist', '20260701T070000Z')).digest(),
    contentOf(text('Lunch', '20260701T070000Z').replace('DTSTAMP:2026', 'DTSTAMP:2025')).digest(),
  )
  assert.notEqual(
    contentOf(text('Dentist', '20260701T070000Z')).digest(),
    contentOf(text('Dentist', '20260701T080000Z')).digest(),
  )
})

for (const [what, text, code] of [
  ['a page instead of a calendar', '<!doctype html><title>Sign in</title>', 'not_a_calendar'],
  ['an empty file', '', 'not_a_calendar'],
  ['a file that was cut off', calendar(['UID:1', 'DTSTART:20260701T070000Z']).slice(0, -20), 'malformed'],
  ['components that overlap', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\nEND:VEVENT\n', 'malformed'],
  ['a start that is no date', calendar(['UID:1', 'DTSTART:20260231T070000Z']), 'malformed'],
  ['a rule that is none', calendar(['UID:1', 'DTSTART:20260201T070000Z', 'RRULE:FREQ=OFTEN']), 'malformed'],
  [
    'a repetition every second since 1970',
    calendar(['UID:1', 'DTSTART:19700201T070000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY']),
    /^too_(?:many_events|complex)$/,
  ],
  [
    'a rule whose date never comes',
    calendar(['UID:1', 'DTSTART:20260201T070000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30']),
    'too_complex',
  ],
] as const)
  test(`${what} is refused`, () => {
    assert.match(
      faultOf(() => busy(text)),
      typeof code === 'string' ? new RegExp(`^${code}$`) : code,
    )
  })
