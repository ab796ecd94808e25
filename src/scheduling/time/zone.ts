import { dateText, dayNumber, digits, parseDate, weekdayOf } from './date.ts'
import type { Interval } from './interval.ts'

/**
 * A zone's offsets over some years. Period `i` lies between transitions `at[i - 1]` and `at[i]` and has `offset[i]`.
 * Temporal costs some 4,000 ns a conversion, a search in here some 10; this is the only file that asks Temporal.
 */
interface Offsets {
  readonly from: number
  readonly until: number
  readonly at: readonly number[]
  readonly offset: readonly number[]
  /** The first wall time after period `i`, with the gap that follows it. */
  readonly wallEnd: readonly number[]
}

const year = 31_557_600
const day = 86_400
// Outside these years a zone keeps the offset it has at their end.
const earliest = dayNumber(1900, 1, 1) * day
const latest = dayNumber(2200, 1, 1) * day
const maxZones = 1000
const zones = new Map<string, Offsets>()

/** Whether `name` is an IANA zone or an alias of one, in any case; an offset like `+02:00` is none. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Temporal.ZonedDateTime(0n, name)
    return true
  } catch {
    return false
  }
}

/** Seconds to add to Unix time to get the wall time of a zone. */
export function offsetAt(zone: string, instant: number): number {
  const { at, offset } = offsetsNear(zone, instant)
  return offset[countUpTo(at, instant)] ?? 0
}

/**
 * The instant of a wall time given in seconds since 1970-01-01T00:00 on that wall, as Temporal's `compatible` has it:
 * of two the earlier; one skipped by the clock is as much later as the clock jumps.
 */
export function instantOfWall(zone: string, wall: number): number {
  const { offset, wallEnd } = offsetsNear(zone, wall)
  return wall - (offset[countUpTo(wallEnd, wall)] ?? 0)
}

/** Which offset turns a wall time into its instant, and until which wall time (excluded) that goes on. */
export function wallStretch(zone: string, wall: number): { readonly offset: number; readonly end: number } {
  const { offset, wallEnd, until } = offsetsNear(zone, wall)
  const stretch = countUpTo(wallEnd, wall)
  return { offset: offset[stretch] ?? 0, end: Math.min(wallEnd[stretch] ?? until, until - 2 * day) }
}

/** The first instant of a local date, given as a day number; for a date the zone skips, that of the next. */
export function dayStart(zone: string, dayOf1970: number): number {
  const wall = dayOf1970 * day
  const { at, offset, wallEnd } = offsetsNear(zone, wall)
  const stretch = countUpTo(wallEnd, wall)
  return Math.min(wall - (offset[stretch] ?? 0), at[stretch] ?? Number.POSITIVE_INFINITY)
}

/** The day number of the local date at an instant. */
export function dayAt(zone: string, instant: number): number {
  return Math.floor((instant + offsetAt(zone, instant)) / day)
}

/** The local day around an instant: its date, and its first instant and that of the day after. */
export function localDay(zone: string, instant: number): Interval & { readonly date: string } {
  let number = dayAt(zone, instant)
  // A clock set back over midnight shows a date twice; what comes after the first midnight is the new day.
  while (dayStart(zone, number + 1) <= instant) number += 1
  return { date: dateText(number), start: dayStart(zone, number), end: dayStart(zone, number + 1) }
}

/** The local day of a date given as a day number, from its first instant to that of the day after. */
export function dayOf(zone: string, dayOf1970: number): Interval {
  return { start: dayStart(zone, dayOf1970), end: dayStart(zone, dayOf1970 + 1) }
}

/** The local week around an instant, from the first instant of Monday to that of the Monday after. */
export function localWeek(zone: string, instant: number): Interval {
  let number = dayAt(zone, instant)
  while (dayStart(zone, number + 1) <= instant) number += 1
  const monday = number - weekdayOf(number)
  return { start: dayStart(zone, monday), end: dayStart(zone, monday + 7) }
}

/** The instant of `YYYY-MM-DDTHH:MM` or `…:SS` on the wall of a zone (`compatible`); undefined for anything else. */
export function toInstant(zone: string, text: string): number | undefined {
  const [, date, hour, minute, second] = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? []
  const number = date === undefined ? undefined : parseDate(date)
  if (number === undefined) return undefined
  return instantOfWall(zone, number * day + Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? 0))
}

/** The wall time of a zone at an instant: `YYYY-MM-DDTHH:MM`, with `:SS` only when it is not a whole minute. */
export function wallTime(zone: string, instant: number): string {
  const wall = instant + offsetAt(zone, instant)
  const number = Math.floor(wall / day)
  const second = wall - number * day
  const minute = Math.floor(second / 60)
  const time = `${dateText(number)}T${digits(Math.floor(minute / 60), 2)}:${digits(minute % 60, 2)}`
  return second % 60 === 0 ? time : `${time}:${digits(second % 60, 2)}`
}

/** The same for a sentence: date, time and zone, `2026-11-23 09:00 (Europe/Berlin)`. */
export function readableWallTime(zone: string, instant: number): string {
  return `${wallTime(zone, instant).replace('T', ' ')} (${zone})`
}

/** How many of `ascending` are at most `value`. */
function countUpTo(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

function offsetsNear(zone: string, near: number): Offsets {
  const known = zones.get(zone)
  // Two days of margin: a wall time is at most one away from its instant, a skipped day included.
  if (known && near - 2 * day >= known.from && near + 2 * day < known.until) return known
  const from = Math.max(earliest, Math.min(near - 2 * year, known?.from ?? latest))
  const until = Math.min(latest, Math.max(near + 5 * year, known?.until ?? earliest))
  if (known && from === known.from && until === known.until) return known
  if (zones.size >= maxZones) zones.clear()
  const built = readOffsets(zone, Math.min(from, latest - year), Math.max(until, earliest + year))
  zones.set(zone, built)
  return built
}

function readOffsets(zone: string, from: number, until: number): Offsets {
  const at: number[] = []
  const offset: number[] = []
  let next: Temporal.ZonedDateTime | null = new Temporal.ZonedDateTime(BigInt(Math.floor(from)) * 1_000_000_000n, zone)
  while (next && next.epochMilliseconds / 1000 < until) {
    if (offset.length > 0) at.push(next.epochMilliseconds / 1000)
    offset.push(next.offsetNanoseconds / 1e9)
    next = next.getTimeZoneTransition('next')
  }
  const wallEnd = at.map((instant, index) => instant + Math.max(offset[index] ?? 0, offset[index + 1] ?? 0))
  return { from, until, at, offset, wallEnd }
}
