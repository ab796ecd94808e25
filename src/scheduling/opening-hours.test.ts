import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DateOverride,
  defaultWeekly,
  type Provider,
  type Weekly,
  weekdays,
} from '../catalogue/providers/provider.ts'
import type { Holiday } from '../catalogue/site/site.ts'
import { isOpen, minutesOfWeek, openWindows, overridesOf, parseWindow } from './opening-hours.ts'
import { isZone, localDay, localWeek, toInstant, wallTime } from './time/zone.ts'

for (const [text, start, end] of [
  ['09:00-17:30', 540, 1050],
  ['00:00-24:00', 0, 1440],
  ['22:00-02:00', 1320, 1560],
  ['18:00-00:00', 1080, 1440],
  ['23:59-24:00', 1439, 1440],
] as const)
  test(`the window ${text} is minute ${start} to ${end}`, () => assert.deepEqual(parseWindow(text), { start, end }))

for (const text of [
  '09:00-09:00',
  '00:00-00:00',
  '24:00-02:00',
  '9:00-17:00',
  '09:00-25:00',
  '09:60-10:00',
  '09:00',
  '',
])
  test(`'${text}' is no window`, () => assert.equal(parseWindow(text), undefined))

const weeks: readonly (readonly [what: string, weekly: Weekly, minutes: number])[] = [
  ['without hours', {}, 0],
  ['of two windows of a day', { mon: ['09:00-12:00', '13:00-17:00'] }, 420],
  ['of windows given in any order', { tue: ['13:00-17:00', '09:00-12:00'] }, 420],
  ['of two days', { mon: ['09:00-12:00'], sun: ['09:00-10:00'] }, 240],
  ['of windows that overlap', { mon: ['09:00-12:00', '11:00-13:00'] }, 240],
  ['of one window within another', { mon: ['09:00-17:00', '10:00-11:00', '16:00-18:00'] }, 540],
  ['of the usual hours', defaultWeekly, 5 * 480],
  ['of all hours', everyDay(['00:00-24:00']), 7 * 1440],
  ['of nights', everyDay(['22:00-02:00']), 7 * 240],
  ['of a night that reaches into the next morning’s window', { mon: ['22:00-02:00'], tue: ['01:00-03:00'] }, 300],
  ['of a Sunday night that reaches into Monday’s window', { sun: ['22:00-02:00'], mon: ['01:00-03:00'] }, 300],
  ['with hours that are none', { mon: ['nonsense', '09:00-10:00'] }, 60],
]
for (const [what, weekly, minutes] of weeks)
  test(`a week ${what} has ${minutes} minutes`, () => assert.equal(minutesOfWeek(weekly), minutes))

for (const name of ['Europe/Berlin', 'europe/berlin', 'Asia/Calcutta', 'Europe/Kiev', 'UTC', 'Etc/GMT+5'])
  test(`${name} is a zone`, () => assert.equal(isZone(name), true))

for (const name of ['+02:00', '-0500', '', 'Europe/Nowhere', '2026-01-01T00:00Z[UTC]', 'GMT+5', 'Z'])
  test(`'${name}' is no zone`, () => assert.equal(isZone(name), false))

for (const text of ['2026-02-30T10:00', '2026-02-03T24:00', '2026-02-03', '2026-02-03T10:00Z', '2026-02-03 10:00'])
  test(`'${text}' is no wall time`, () => assert.equal(toInstant('UTC', text), undefined))

test('a wall time shows its seconds only when it has some', () => {
  assert.equal(wallTime('Asia/Kathmandu', 1_800_000_000), '2027-01-15T13:45')
  assert.equal(wallTime('UTC', 1_800_000_001), '2027-01-15T08:00:01')
})

test('a local week runs from Monday to Monday and is an hour short when summer time begins', () => {
  const { start, end } = localWeek('Europe/Berlin', instant('Europe/Berlin', '2026-03-27T12:00'))
  assert.equal(wallTime('Europe/Berlin', start), '2026-03-23T00:00')
  assert.equal(wallTime('Europe/Berlin', end), '2026-03-30T00:00')
  assert.equal(end - start, (7 * 24 - 1) * 3600)
})

for (const [zone, date, hours] of [
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  ['Africa/Cairo', '2026-10-29', 25],
  ['Africa/Cairo', '2026-04-24', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['Pacific/Apia', '2011-12-31', 24],
] as const)
  test(`${date} has ${hours} hours in ${zone}`, () => {
    const day = localDay(zone, instant(zone, `${date}T12:00`))
    assert.equal(day.date, date)
    assert.equal((day.end - day.start) / 3600, hours)
  })

for (const [zone, wall, shown] of [
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-04T02:45'],
  ['Antarctica/Troll', '2026-03-29T02:30', '2026-03-29T04:30'],
  ['Asia/Beirut', '2026-03-29T00:00', '2026-03-29T01:00'],
  ['Africa/Cairo', '2026-04-24T00:00', '2026-04-24T01:00'],
  ['America/Santiago', '2026-09-06T00:00', '2026-09-06T01:00'],
  ['America/Havana', '2026-03-08T00:00', '2026-03-08T01:00'],
] as const)
  test(`${wall} does not exist in ${zone} and becomes ${shown}`, () =>
    assert.equal(wallTime(zone, instant(zone, wall)), shown))

for (const [zone, wall, utc] of [
  ['Asia/Kathmandu', '2026-06-01T09:00', '2026-06-01T03:15'],
  ['Pacific/Chatham', '2026-06-01T09:00', '2026-05-31T20:15'],
  ['Pacific/Chatham', '2026-12-01T09:00', '2026-11-30T19:15'],
  ['Pacific/Kiritimati', '2026-06-01T09:00', '2026-05-31T19:00'],
  ['America/Vancouver', '2026-12-01T09:00', '2026-12-01T16:00'],
  ['Africa/Casablanca', '2026-02-10T09:00', '2026-02-10T08:00'],
  ['Africa/Casablanca', '2026-03-01T09:00', '2026-03-01T09:00'],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
] as const)
  test(`${wall} in ${zone} is ${utc} UTC`, () => assert.equal(instant(zone, wall), instant('UTC', utc)))

test('13:00 to 18:00 in New York on 8 March 2026 is 17:00 to 22:00 UTC', () => {
  assert.deepEqual(utcWindows({ zone: 'America/New_York', hours: ['13:00-18:00'], date: '2026-03-08' }), [
    '2026-03-08T17:00 2026-03-08T22:00',
  ])
})

test('a date that the zone skips has no windows, and a window before it goes on over it', () => {
  assert.deepEqual(utcWindows({ zone: 'Pacific/Apia', hours: ['09:00-12:00'], date: '2011-12-30' }), [])
  const night = { zone: 'Pacific/Apia', hours: ['22:00-02:00'], date: '2011-12-29' }
  assert.deepEqual(utcWindows(night), ['2011-12-30T08:00 2011-12-30T12:00'])
})

for (const [zone, date] of [
  ['Asia/Beirut', '2026-03-29'],
  ['Africa/Cairo', '2026-04-24'],
  ['America/Santiago', '2026-09-06'],
  ['America/Havana', '2026-03-08'],
] as const)
  test(`a whole day in ${zone} begins at 01:00 on ${date}`, () => {
    const [window] = windows({ zone, hours: ['00:00-24:00'], date })
    assert.ok(window)
    assert.equal(wallTime(zone, window.start), `${date}T01:00`)
    assert.equal(window.end - window.start, 23 * 3600)
  })

const friday = '2026-12-25'
const holidays = [{ from: friday, to: '2026-12-26' }]

test('a holiday closes the windows that start on it; last night goes on', () => {
  const weekly = everyDay(['22:00-02:00'])
  assert.deepEqual(openOn(friday, { weekly, holidays }), ['2026-12-24T22:00'])
})

test('an override beats the week and a holiday', () => {
  const overrides = [{ from: friday, to: friday, hours: ['10:00-11:00'] }]
  assert.deepEqual(openOn(friday, { overrides, holidays }), [`${friday}T10:00`])
})

test('the last override that matches gives the hours; one without hours leaves them', () => {
  const overrides = [
    { from: '2026-12-20', to: '2026-12-31', hours: ['08:00-09:00'] },
    { from: friday, to: friday, hours: ['10:00-11:00'] },
    { from: friday, to: friday, slot: { price: 5 } },
  ]
  assert.deepEqual(openOn(friday, { overrides }), [`${friday}T10:00`])
  assert.deepEqual(openOn('2026-12-26', { overrides }), ['2026-12-26T08:00'])
})

test('an override that only changes slots leaves a holiday closed', () => {
  assert.deepEqual(openOn(friday, { overrides: [{ from: friday, to: friday, slot: { price: 5 } }], holidays }), [])
})

test('an override with hours takes over the date, the slot part of earlier ones too', () => {
  const week = [{ from: '2026-12-20', to: '2026-12-31', hours: ['08:00-09:00'], slot: { price: 5 } }]
  const special = { from: friday, to: friday, hours: ['10:00-11:00'] }
  const priced = { from: friday, to: friday, slot: { price: 9 } }
  const slotOf = (overrides: DateOverride[]) => {
    const open = provider({ overrides })
    const [start, end] = [instant('UTC', `${friday}T00:00`), instant('UTC', `${friday}T23:00`)]
    return openWindows(open, [], start, end).map((window) => window.overrides)
  }
  assert.deepEqual(slotOf(week), [{ price: 5 }])
  assert.deepEqual(slotOf([...week, special]), [{}])
  assert.deepEqual(slotOf([...week, special, priced]), [{ price: 9 }])
  assert.deepEqual(slotOf([priced, ...week]), [{ price: 5 }])
  assert.deepEqual(slotOf([priced, special]), [{}])
})

test('slots of a window past midnight have what the date of its start changes', () => {
  const overrides = [{ from: friday, to: friday, slot: { price: 5 } }]
  const open = provider({ weekly: everyDay(['22:00-02:00']), overrides })
  const [start, end] = [instant('UTC', `${friday}T21:00`), instant('UTC', '2026-12-26T23:00')]
  assert.deepEqual(
    openWindows(open, [], start, end).map((window) => window.overrides),
    [{ price: 5 }, {}],
  )
})

for (const [start, end, price] of [
  [`${friday}T22:00`, `${friday}T23:00`, 5],
  ['2026-12-26T00:30', '2026-12-26T01:30', 5],
  ['2026-12-26T22:00', '2026-12-26T23:00', undefined],
  [`${friday}T00:30`, `${friday}T01:30`, undefined],
  [`${friday}T12:00`, `${friday}T13:00`, 5],
  ['2026-12-26T01:30', '2026-12-26T02:30', undefined],
] as const)
  test(`the price of an appointment from ${start} to ${end} is ${price ?? 'that of the service'}`, () => {
    const overrides = [{ from: friday, to: friday, slot: { price: 5 } }]
    const open = provider({ weekly: everyDay(['22:00-02:00']), overrides })
    const slot = { start: instant('UTC', start), end: instant('UTC', end) }
    assert.equal(overridesOf(open, [], slot).price, price)
  })

test('an empty week is closed', () => assert.deepEqual(openOn(friday, { weekly: {} }), []))

test('windows come by start, also when they overlap and are given in any order', () => {
  const weekly = everyDay(['13:00-17:00', '09:00-14:00'])
  assert.deepEqual(openOn(friday, { weekly }), [`${friday}T09:00`, `${friday}T13:00`])
})

for (const [from, until, within] of [
  ['09:00', '12:00', true],
  ['09:30', '10:00', true],
  ['08:59', '10:00', false],
  ['11:00', '12:01', false],
  ['08:00', '13:00', false],
  ['11:00', '14:00', false],
  ['07:00', '08:00', false],
] as const)
  test(`an appointment from ${from} to ${until} is ${within ? '' : 'not '}within the hours of 9 to 12 and 13 to 15`, () => {
    const [start, end] = [instant('UTC', `${friday}T${from}`), instant('UTC', `${friday}T${until}`)]
    const open = provider({ weekly: everyDay(['09:00-12:00', '13:00-15:00']) })
    assert.equal(isOpen(open, [], { start, end }), within)
  })

interface Days {
  readonly weekly?: Weekly
  readonly overrides?: readonly DateOverride[]
  readonly holidays?: readonly Holiday[]
}

function provider({ weekly = defaultWeekly, overrides = [] }: Days, timezone = 'UTC'): Provider {
  return {
    id: 1,
    name: 'Ana',
    email: 'ana@clinic.example',
    timezone,
    restrictServices: false,
    allowedServices: [],
    weekly,
    overrides,
    services: new Map(),
  }
}

function everyDay(hours: readonly string[]): Weekly {
  return Object.fromEntries(weekdays.map((day) => [day, hours]))
}

/** Returns the starts in UTC of the windows that overlap a date. */
function openOn(date: string, days: Days): string[] {
  const start = instant('UTC', `${date}T00:00`)
  const open = openWindows(provider(days), days.holidays ?? [], start, start + 86_400)
  return open.map((window) => wallTime('UTC', window.start))
}

/** Returns the opening windows of a provider who works on one date only, by an override. */
function windows({ zone, hours, date }: { zone: string; hours: readonly string[]; date: string }) {
  const only = provider({ weekly: {}, overrides: [{ from: date, to: date, hours }] }, zone)
  const noon = instant(zone, `${date}T12:00`)
  return openWindows(only, [], noon - 3 * 86_400, noon + 3 * 86_400)
}

function utcWindows(of: { zone: string; hours: readonly string[]; date: string }): string[] {
  return windows(of).map(({ start, end }) => `${wallTime('UTC', start)} ${wallTime('UTC', end)}`)
}

function instant(zone: string, wall: string): number {
  return toInstant(zone, wall) ?? Number.NaN
}
