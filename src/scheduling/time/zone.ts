import { dateText, dayNumber, digits, parseDate, weekdayOf } from './date.ts'
import type { Interval } from './interval.ts'

/**
 * The cached UTC offsets (in seconds) of a zone over some years. Period `i` lies between transitions `at[i - 1]` and
 * `at[i]` and has `offset[i]`. A conversion by Temporal takes about 4,000 ns and a search in this table about 10 ns, so
 * only this file uses Temporal.
 */
interface Offsets {
  readonly from: number
  readonly until: number
  readonly at: readonly number[]
  readonly offset: readonly number[]
  /** The first wall time after period `i` and after the gap, if any, that follows the period. */
  readonly wallEnd: readonly number[]
}

const year = 31_557_600
const day = 86_400
// Before 1900, the offset at the beginning of 1900 applies; from 2200 on, the offset at the end of 2199.
const earliest = dayNumber(1900, 1, 1) * day
const latest = dayNumber(2200, 1, 1) * day
const maxZones = 1000
const zones = new Map<string, Offsets>()

/** Whether `name` is an IANA time zone or an alias, in upper or lower case; an offset like `+02:00` is not. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Temporal.ZonedDateTime(0n, name)
    return true
  } catch {
    return false
  }
}

/** Returns the seconds to add to Unix time to get the wall time of a zone. */
export function offsetAt(zone: string, instant: number): number {
  const { at, offset } = offsetsNear(zone, instant)
  return offset[countUpTo(at, instant)] ?? 0
}

/**
 * Returns the instant of a wall time, given in seconds since 1970-01-01T00:00 in that zone, with Temporal's
 * disambiguation `compatible`: the earlier of two instants; a wall time in a DST gap moves forward by the length of the
 * gap.
 */
export function instantOfWall(zone: string, wall: number): number {
  const { offset, wallEnd } = offsetsNear(zone, wall)
  return wall - (offset[countUpTo(wallEnd, wall)] ?? 0)
}

/**
 * Returns the offset that converts a wall time to its instant, and the first later wall time for which it may no longer
 * apply.
 */
export function wallStretch(zone: string, wall: number): { readonly offset: number; readonly end: number } {
  const { offset, wallEnd, until } = offsetsNear(zone, wall)
  const stretch = countUpTo(wallEnd, wall)
  return { offset: offset[stretch] ?? 0, end: Math.min(wallEnd[stretch] ?? until, until - 2 * day) }
}

/**
 * Returns the first instant of a local date, given as a day number; if the zone skips the date, the first instant of
 * the next.
 */
export function dayStart(zone: string, dayOf1970: number): number {
  const wall = dayOf1970 * day
  const { at, offset, wallEnd } = offsetsNear(zone, wall)
  const stretch = countUpTo(wallEnd, wall)
  return Math.min(wall - (offset[stretch] ?? 0), at[stretch] ?? Number.POSITIVE_INFINITY)
}

/** Returns the day number of the local date at an instant. */
export function dayAt(zone: string, instant: number): number {
  return Math.floor((instant + offsetAt(zone, instant)) / day)
}

/** Returns the local day at an instant: its date, its first instant, and the first instant of the next day. */
export function localDay(zone: string, instant: number): Interval & { readonly date: string } {
  let number = dayAt(zone, instant)
  // When the clock is set back over midnight, a date occurs twice; time after the first midnight counts as the new day.
  while (dayStart(zone, number + 1) <= instant) number += 1
  return { date: dateText(number), start: dayStart(zone, number), end: dayStart(zone, number + 1) }
}

/** Returns the local day of a day number, from its first instant to the first instant of the next day. */
export function dayOf(zone: string, dayOf1970: number): Interval {
  return { start: dayStart(zone, dayOf1970), end: dayStart(zone, dayOf1970 + 1) }
}

/** Returns the local week at an instant, from the first instant of Monday to that of the next Monday. */
export function localWeek(zone: string, instant: number): Interval {
  let number = dayAt(zone, instant)
  while (dayStart(zone, number + 1) <= instant) number += 1
  const monday = number - weekdayOf(number)
  return { start: dayStart(zone, monday), end: dayStart(zone, monday + 7) }
}

/**
 * Returns the instant of a wall time `YYYY-MM-DDTHH:MM` or `…:SS` in a zone, with disambiguation `compatible`;
 * undefined for other text.
 */
export function toInstant(zone: string, text: string): number | undefined {
  const [, date, hour, minute, second] = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? []
  const number = date === undefined ? undefined : parseDate(date)
  if (number === undefined) return undefined
  return instantOfWall(zone, number * day + Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? 0))
}

/**
 * Formats an instant as wall time of a zone: `YYYY-MM-DDTHH:MM`, with `:SS` only for a time that is not a whole minute.
 */
export function wallTime(zone: string, instant: number): string {
  const wall = instant + offsetAt(zone, instant)
  const number = Math.floor(wall / day)
  const second = wall - number * day
  const minute = Math.floor(second / 60)
  const time = `${dateText(number)}T${digits(Math.floor(minute / 60), 2)}:${digits(minute % 60, 2)}`
  return second % 60 === 0 ? time : `${time}:${digits(second % 60, 2)}`
}

/** Returns the local date at an instant, `YYYY-MM-DD`. */
export function dateAt(zone: string, instant: number): string {
  return wallTime(zone, instant).slice(0, 10)
}

/** Formats an instant for messages as date, time and zone: `2026-11-23 09:00 (Europe/Berlin)`. */
export function readableWallTime(zone: string, instant: number): string {
  return `${wallTime(zone, instant).replace('T', ' ')} (${zone})`
}

/** Returns the number of elements of `ascending` that are at most `value`. */
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
  // The margin is two days, since a wall time and its instant differ by at most one day, and a zone may skip a day.
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
