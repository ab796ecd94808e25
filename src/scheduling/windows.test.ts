import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defaultWeekly, type Provider, type Weekly, weekdays } from '../catalogue/providers/provider.ts'
import type { Holiday } from '../catalogue/site/site.ts'
import { noOverrides, openDayAt, openWindows, parseWindow, sharedWindows } from './opening-hours.ts'
import { dateText, dayNumber } from './time/date.ts'
import { toInstant, wallTime } from './time/zone.ts'

const berlin = 'Europe/Berlin'
const instant = (zone: string, wall: string) => toInstant(zone, wall) ?? Number.NaN
const everyDay = (...hours: string[]): Weekly => Object.fromEntries(weekdays.map((weekday) => [weekday, hours]))

// Cached windows are reused only for the same holidays object, so every query of `shown` passes this one.
const noHolidays: readonly Holiday[] = []

function provider(change: Partial<Provider>): Provider {
  return {
    id: 1,
    name: 'Ana',
    email: '',
    timezone: 'UTC',
    restrictServices: false,
    allowedServices: [],
    weekly: defaultWeekly,
    overrides: [],
    services: new Map(),
    ...change,
  }
}

/** Formats windows as wall times, such as `2026-11-23T09:00 17:00`. */
function shown(of: Provider, from: string, until: string): string[] {
  const { timezone: zone } = of
  return openWindows(of, noHolidays, instant(zone, from), instant(zone, until)).map(
    ({ start, end }) => `${wallTime(zone, start)} ${wallTime(zone, end).slice(11)}`,
  )
}

for (const text of ['x09:00-17:00', '09:00-17:000', '09:00-17:00x', '009:00-17:00'])
  test(`'${text}' is no window`, () => assert.equal(parseWindow(text), undefined))

describe('a window is found by a question that shares an instant with it', () => {
  const nine = provider({ weekly: everyDay('09:00-12:00') })
  for (const [from, until, count] of [
    ['09:00', '12:00', 1],
    ['10:00', '10:01', 1],
    ['08:00', '09:01', 1],
    ['11:59', '13:00', 1],
    ['08:00', '09:00', 0],
    ['12:00', '13:00', 0],
    ['10:00', '10:00', 0],
    ['11:00', '10:00', 0],
  ] as const)
    test(`${count ? 'from' : 'not from'} ${from} to ${until}`, () => {
      const found = shown(nine, `2026-11-23T${from}`, `2026-11-23T${until}`)
      assert.deepEqual(found, count ? ['2026-11-23T09:00 12:00'] : [])
    })
})

test('whatever was asked before, a question gets all of its windows', () => {
  // Windows are computed in blocks of 8 days. The queries lie on both sides of a block boundary, in no particular
  // order.
  const seam = Math.ceil(dayNumber(2026, 11, 1) / 32) * 32
  const weekly = everyDay('09:00-10:00', '22:00-02:00')
  const asked = provider({ weekly, timezone: berlin })
  for (const away of [0, -40, 80, 40, -1, 33, 1, -32, 31, 0, 32])
    for (const [from, until] of [
      ['01:00', '01:30'],
      ['08:00', '12:00'],
      ['00:00', '23:00'],
    ] as const) {
      const date = dateText(seam + away)
      const night = `${dateText(seam + away - 1)}T22:00 02:00`
      const expected = [night, `${date}T09:00 10:00`, `${date}T22:00 02:00`]
      const some = { '01:00': expected.slice(0, 1), '08:00': expected.slice(1, 2), '00:00': expected }[from]
      for (const one of [asked, provider({ weekly, timezone: berlin })])
        assert.deepEqual(shown(one, `${date}T${from}`, `${date}T${until}`), some)
    }
})

test('a holiday closes from the moment it is set, and opens when it is taken back', () => {
  const nine = provider({})
  const [from, until] = [instant('UTC', '2026-11-23T00:00'), instant('UTC', '2026-11-24T00:00')]
  const count = (holidays: { from: string; to: string }[]) => openWindows(nine, holidays, from, until).length
  const none: [] = []
  assert.equal(count(none), 1)
  assert.equal(count([{ from: '2026-11-23', to: '2026-11-23' }]), 0)
  assert.equal(count(none), 1)
  assert.equal(count([{ from: '2026-11-22', to: '2026-11-22' }]), 1)
  assert.equal(count([{ from: 'no date', to: '2026-11-30' }]), 1)
})

test('hours and holidays are read once, and windows are made once for questions about the same weeks', () => {
  let read = 0
  const counted = <Value>(value: Value) => {
    read += 1
    return value
  }
  const nine = {
    ...provider({}),
    get weekly() {
      return counted(everyDay('09:00-10:00'))
    },
  }
  const holidays = [
    {
      to: '2026-12-25',
      get from() {
        return counted('2026-12-25')
      },
    },
  ]
  // Windows are cached in blocks of 8 days. A query needs the days from two before to one after its interval.
  const seam = dayNumber(2026, 11, 1) + 32 - (dayNumber(2026, 11, 1) % 32)
  const ask = (firstDay: number, lastDay: number) =>
    openWindows(nine, holidays, (firstDay + 2) * 86_400, (lastDay - 1) * 86_400)[0]
  const made = ask(seam, seam + 31)
  const first = read
  assert.ok(made)
  assert.equal(ask(seam, seam + 31), made)
  assert.equal(ask(seam, seam + 20), made)
  assert.notEqual(ask(seam - 1, seam + 31), made)
  ask(seam + 32, seam + 40)
  assert.equal(read, first)
})

test('hours that are none open nothing', () =>
  assert.deepEqual(
    shown(provider({ weekly: everyDay('nonsense', '09:00-10:00') }), '2026-11-23T00:00', '2026-11-23T23:00'),
    ['2026-11-23T09:00 10:00'],
  ))

for (const zone of [berlin, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Tokyo'])
  test(`in ${zone} windows open by the wall all through the year`, () => {
    const nine = provider({ weekly: everyDay('09:00-10:00', '23:00-01:30'), timezone: zone })
    const expected = Array.from({ length: 365 }, (_, index) => {
      const date = dateText(dayNumber(2026, 1, 1) + index)
      return [`${date}T09:00 10:00`, `${date}T23:00 01:30`]
    }).flat()
    assert.deepEqual(shown(nine, '2026-01-01T02:00', '2026-12-31T23:30'), expected)
  })

describe('while summer time begins in Berlin', () => {
  for (const [hours, windows] of [
    ['02:30-03:15', []],
    ['02:30-03:30', []],
    ['02:30-03:31', ['2026-03-29T03:30 03:31']],
    ['01:30-03:30', ['2026-03-29T01:30 03:30']],
    ['02:10-02:40', ['2026-03-29T03:10 03:40']],
  ] as const)
    test(`${hours} opens ${windows.join() || 'nothing'}`, () => {
      const early = provider({ weekly: { sun: [hours] }, timezone: berlin })
      assert.deepEqual(shown(early, '2026-03-29T00:00', '2026-03-30T00:00'), windows)
    })

  test('windows come by start, though the clock jumps over one', () => {
    const two = provider({ weekly: { sun: ['02:30-05:00', '03:00-04:00'] }, timezone: berlin })
    const windows = ['2026-03-29T03:00 04:00', '2026-03-29T03:30 05:00']
    assert.deepEqual(shown(two, '2026-03-29T00:00', '2026-03-30T00:00'), windows)
  })
})

describe('the setting that decides about a date', () => {
  const slot = { price: 5 }
  const overrides = [
    { from: '2026-11-23', to: '2026-11-24', hours: ['10:00-11:00'] },
    { from: '2026-11-25', to: '2026-11-26', slot },
    { from: '2026-11-24', to: '2026-11-24', hours: [] },
  ]
  const holidays = [{ from: '2026-11-26', to: '2026-11-27' }]
  const open = provider({ overrides })
  for (const [date, setting, spans, changes] of [
    ['2026-11-22', 'provider.weekly.sun', [], {}],
    ['2026-11-23', 'provider.overrides[0].hours', [{ start: 600, end: 660 }], {}],
    ['2026-11-24', 'provider.overrides[2].hours', [], {}],
    ['2026-11-25', 'provider.weekly.wed', [{ start: 540, end: 1_020 }], slot],
    ['2026-11-26', 'site.holidays', [], slot],
    ['2026-11-27', 'site.holidays', [], {}],
    ['2026-11-28', 'provider.weekly.sat', [], {}],
    ['2026-11-30', 'provider.weekly.mon', [{ start: 540, end: 1_020 }], {}],
  ] as const)
    test(`${date} is decided by ${setting}`, () => {
      const found = openDayAt(open, holidays, instant('UTC', `${date}T12:00`))
      assert.deepEqual(found, { spans, overrides: changes, setting })
      // Dates without overrides share the object `noOverrides`.
      if (changes !== slot) assert.equal(found.overrides, noOverrides)
    })
})

const spans = (text: string) =>
  text.split(' ').flatMap((part) => {
    const [start = 0, end = 0] = part.split('-').map(Number)
    return part ? [{ start, end, overrides: { price: start } }] : []
  })
for (const [first, second, shared] of [
  ['0-10 20-30', '5-25', '5-10/0 20-25/20'],
  ['5-25', '0-10 20-30', '5-10/5 20-25/5'],
  ['0-10', '10-20', ''],
  ['10-20', '0-10', ''],
  ['0-30', '5-10', '5-10/0'],
  ['5-10', '0-30', '5-10/5'],
  ['0-20 4-9', '12-15 6-8', '6-8/0 6-8/4 12-15/0'],
  ['0-10', '', ''],
] as const)
  test(`${first} and ${second} share ${shared || 'nothing'}, with what the first changes`, () =>
    assert.equal(
      sharedWindows(spans(first), spans(second))
        .map(({ start, end, overrides }) => `${start}-${end}/${overrides.price}`)
        .join(' '),
      shared,
    ))
