import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayNumber } from './date.ts'
import {
  dayAt,
  dayOf,
  dayStart,
  instantOfWall,
  isZone,
  localDay,
  localWeek,
  offsetAt,
  toInstant,
  wallStretch,
} from './zone.ts'

const day = 86_400
const hour = 3_600
const zones = [
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Africa/Casablanca',
  'Europe/London',
  'UTC',
]
// The years are not ascending, so that the cached range of the zone grows at both ends and cached years are read again.
const years = [2026, 2031, 1999, 2150, 1930, 2026, 2199, 1970, 1911, 2000, 2100]

const utc = (year: number, month = 1, date = 1) => dayNumber(year, month, date) * day
const temporal = (zone: string, instant: number) =>
  Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone)
const offset = (zone: string, instant: number) => temporal(zone, instant).offsetNanoseconds / 1e9
const plain = (wall: number) =>
  Temporal.Instant.fromEpochMilliseconds(wall * 1000)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
const compatible = (zone: string, wall: number) => plain(wall).toZonedDateTime(zone).epochMilliseconds / 1000

/**
 * Returns the instants of a year at which the offset of a zone changes; one instant of the year when it does not
 * change.
 */
function changes(zone: string, year: number): number[] {
  const found: number[] = []
  let next = temporal(zone, utc(year)).getTimeZoneTransition('next')
  for (; next && next.epochMilliseconds / 1000 < utc(year + 1); next = next.getTimeZoneTransition('next'))
    found.push(next.epochMilliseconds / 1000)
  return found.length > 0 ? found : [utc(year, 7)]
}

for (const zone of zones)
  test(`around the changes of its clock ${zone} is as Temporal has it, whatever was asked before`, () => {
    for (const year of years)
      for (const change of changes(zone, year))
        for (const step of [-2 * day, -hour, -1, 0, 1, 900, hour, 2 * day]) {
          const instant = change + step
          assert.equal(offsetAt(zone, instant), offset(zone, instant), `offset at ${instant}`)
          const wall = instant + offset(zone, change - 1)
          assert.equal(instantOfWall(zone, wall), compatible(zone, wall), `wall ${wall}`)
          const date = Math.floor(wall / day)
          assert.equal(
            dayStart(zone, date),
            plain(date * day)
              .toPlainDate()
              .toZonedDateTime(zone).epochMilliseconds / 1000,
          )
          assert.equal(dayAt(zone, instant), Math.floor((instant + offset(zone, instant)) / day))
        }
  })

test('before 1900 and after 2199 a clock goes on as it did', () => {
  assert.equal(offsetAt('Asia/Kolkata', utc(1850)), offset('Asia/Kolkata', utc(1900)))
  assert.equal(offsetAt('Asia/Kolkata', utc(1906)), offset('Asia/Kolkata', utc(1907) - 1))
  assert.equal(offsetAt('Asia/Kolkata', utc(1907)), offset('Asia/Kolkata', utc(1907)))
  const summer = offset('Europe/London', utc(2199, 7))
  assert.equal(offsetAt('Europe/London', utc(2199, 7)), summer)
  assert.equal(offsetAt('Europe/London', utc(2300, 7)), offset('Europe/London', utc(2200) - 1))
  assert.equal(offsetAt('Europe/London', utc(2026, 7)), hour)
})

test('one offset turns wall times into instants up to the next change', () => {
  const change = utc(2026, 3, 29) + hour
  const zone = 'Europe/Berlin'
  // Wall times that the clock skips are resolved with the offset before the change.
  assert.deepEqual(wallStretch(zone, utc(2026, 3, 28)), { offset: hour, end: change + 2 * hour })
  assert.deepEqual(wallStretch(zone, change + 2 * hour - 1), { offset: hour, end: change + 2 * hour })
  const summer = wallStretch(zone, change + 2 * hour)
  assert.deepEqual(summer, { offset: 2 * hour, end: utc(2026, 10, 25) + 3 * hour })
  const { offset, end } = wallStretch('UTC', utc(2026))
  assert.equal(offset, 0)
  assert.ok(end > utc(2030) && end < utc(2200), 'what lies near the end of what is known is asked again')
})

// The first conversion in a zone caches the offsets from two years before to five years after its instant; conversions
// outside of this range extend it. Each of the next three tests uses a zone that no other test in this file uses, so
// that nothing is cached for it.
const julian = 31_557_600
const changeOf = (zone: string, near: number) =>
  (temporal(zone, near).getTimeZoneTransition('next')?.epochMilliseconds ?? Number.NaN) / 1000

test('one offset goes on no further than to a change that has not been read yet', () => {
  const zone = 'America/Caracas'
  const change = changeOf(zone, utc(2007, 12, 1))
  const { end } = wallStretch(zone, change - 5 * julian)
  assert.ok(end <= change + offset(zone, change - 1), 'the clock is set back in December 2007')
})

test('a wall time before what is known of a zone is not taken for one within', () => {
  const zone = 'Pacific/Auckland'
  const change = changeOf(zone, utc(2026, 3, 1))
  const wall = change + 2 * hour
  assert.equal(offsetAt(zone, change + hour + 2 * julian), offset(zone, change + hour + 2 * julian))
  assert.equal(instantOfWall(zone, wall), compatible(zone, wall))
})

test('a wall time behind what is known of a zone is not taken for one within', () => {
  const zone = 'America/Los_Angeles'
  const change = changeOf(zone, utc(2026, 3, 1))
  const wall = change - 2 * hour
  assert.equal(offsetAt(zone, change - hour - 5 * julian), offset(zone, change - hour - 5 * julian))
  assert.equal(instantOfWall(zone, wall), compatible(zone, wall))
})

test('a local day lies between two midnights, 25 hours where summer time ends', () => {
  const zone = 'Europe/Berlin'
  const start = utc(2026, 10, 25) - 2 * hour
  assert.deepEqual(dayOf(zone, dayNumber(2026, 10, 25)), { start, end: start + 25 * hour })
  assert.deepEqual(dayOf(zone, dayNumber(2026, 10, 26)), { start: start + 25 * hour, end: start + 49 * hour })
})

test('a date that a clock set back shows twice ends with the first midnight', () => {
  const zone = 'America/St_Johns'
  // In St John's, the clock was set back from 00:01 on 7 November 2010 to 23:01 on 6 November.
  const midnight = compatible(zone, utc(2010, 11, 7))
  const { start, end, date } = localDay(zone, midnight + 30 * 60)
  assert.deepEqual([start, date], [midnight, '2010-11-07'])
  assert.equal(end, compatible(zone, utc(2010, 11, 8)))
  assert.deepEqual([localDay(zone, midnight).date, localDay(zone, midnight - 1).date], ['2010-11-07', '2010-11-06'])
  assert.equal(localDay(zone, midnight - 1).end, midnight)
  const week = { start: compatible(zone, utc(2010, 11, 1)), end: compatible(zone, utc(2010, 11, 8)) }
  assert.deepEqual(localWeek(zone, midnight + 30 * 60), week)
})

test('a local week begins on Monday at midnight', () => {
  for (const [zone, monday] of [
    ['Asia/Tokyo', utc(2026, 11, 23) - 9 * hour],
    ['America/New_York', utc(2026, 11, 23) + 5 * hour],
  ] as const)
    for (const [instant, weeks] of [
      [monday, 0],
      [monday + 7 * day - 1, 0],
      [monday - 1, -1],
      [monday + 7 * day, 1],
    ] as const) {
      const start = monday + weeks * 7 * day
      assert.deepEqual(localWeek(zone, instant), { start, end: start + 7 * day })
    }
})

for (const [text, seconds] of [
  ['2026-11-23T10:00', 10 * hour],
  ['2026-11-23T10:00:59', 10 * hour + 59],
  ['2026-11-23T23:59:07', 24 * hour - 53],
] as const)
  test(`${text} is an instant`, () => assert.equal(toInstant('UTC', text), utc(2026, 11, 23) + seconds))

for (const text of [
  'x2026-11-23T10:00',
  '2026-11-23T10:00:60',
  '2026-11-23T10:00:5',
  '2026-11-23T10:00:590',
  'T10:00',
  '',
])
  test(`'${text}' is no instant`, () => assert.equal(toInstant('UTC', text), undefined))

test('a zone is named by letters', () => {
  for (const name of ['UTC', 'utc', 'Etc/GMT-14']) assert.equal(isZone(name), true)
  for (const name of ['+00:00', '[UTC]', 'Mars/Olympus', '1UTC']) assert.equal(isZone(name), false)
})
