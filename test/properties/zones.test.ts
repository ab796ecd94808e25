import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateText } from '../../src/scheduling/time/date.ts'
import { dayStart, instantOfWall, localDay, offsetAt, toInstant, wallTime } from '../../src/scheduling/time/zone.ts'
import { zones } from './generated-plan.ts'

const from = Temporal.Instant.from('1970-01-01T00:00Z').epochMilliseconds / 1000
const until = Temporal.Instant.from('2100-01-01T00:00Z').epochMilliseconds / 1000
const hour = 3600
const quarters = Array.from({ length: 17 }, (_, index) => (index - 8) * 900)
const around = [...quarters, -1, 1]

test('at every clock change, instants and wall times agree with Temporal', () => {
  let changes = 0
  for (const zone of zones)
    for (const change of changesOf(zone)) {
      changes += 1
      for (const step of around) {
        const before = offset(zone, change - 1)
        const [instant, wall] = [change + step, change + step + before]
        if (offsetAt(zone, instant) !== offset(zone, instant)) assert.fail(`offset in ${zone} at ${instant}`)
        if (instantOfWall(zone, wall) !== compatible(zone, wall)) assert.fail(`wall in ${zone}: ${wall}`)
      }
    }
  assert.ok(changes > 30_000, `${changes} changes were compared`)
})

test('at every clock change, local days begin where Temporal begins them', () => {
  for (const zone of zones)
    for (const change of changesOf(zone)) {
      const today = Math.floor((change + offset(zone, change)) / 86_400)
      for (const day of [today - 1, today, today + 1]) {
        const date = Temporal.PlainDate.from(dateText(day))
        // On a date that the zone skips, Temporal returns the first instant of the next date.
        const first = date.toZonedDateTime(zone)
        if (dayStart(zone, day) !== first.epochMilliseconds / 1000) assert.fail(`${zone} on ${date}`)
      }
    }
})

test('local days are contiguous and disjoint, and contain their instants', () => {
  for (const zone of zones) {
    let next = toInstant(zone, '2026-01-01T00:00') ?? Number.NaN
    for (let count = 0; count < 366; count += 1) {
      const day = localDay(zone, next + 7 * hour)
      assert.equal(day.start, next, zone)
      assert.ok(day.end > day.start, zone)
      next = day.end
    }
  }
})

test('a wall time is parsed as it is formatted', () => {
  for (const zone of zones)
    for (let instant = 1_500_000_000; instant < 2_000_000_000; instant += 9_876_543) {
      const shown = wallTime(zone, instant)
      const text = Temporal.Instant.fromEpochMilliseconds(instant * 1000)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
        .toString()
      assert.equal(shown, text.replace(/^(.{16}):00$/, '$1'), zone)
      assert.equal(wallTime(zone, toInstant(zone, shown) ?? 0), shown, zone)
    }
})

const known = new Map<string, number[]>()

function changesOf(zone: string): number[] {
  const found = known.get(zone)
  if (found) return found
  const changes: number[] = []
  let next = new Temporal.ZonedDateTime(BigInt(from) * 1_000_000_000n, zone).getTimeZoneTransition('next')
  for (; next && next.epochMilliseconds < until * 1000; next = next.getTimeZoneTransition('next'))
    changes.push(next.epochMilliseconds / 1000)
  known.set(zone, changes)
  return changes
}

function offset(zone: string, instant: number): number {
  return Temporal.Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone).offsetNanoseconds / 1e9
}

function compatible(zone: string, wall: number): number {
  const time = Temporal.Instant.fromEpochMilliseconds(wall * 1000)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
  return time.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds / 1000
}
