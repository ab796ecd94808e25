import ICAL from 'ical.js'
import { dateText, dayNumber } from '../../scheduling/time/date.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { icalTime } from './calendar-zones.ts'
import type { StatedRule, StatedTime } from './event.ts'

/** How many repetitions of recurrence rules may still be computed for one calendar. */
export interface RepetitionBudget {
  repetitions: number
}

interface Limits {
  /** The wall time, in seconds since 1970-01-01T00:00, after which no repetition is computed. */
  readonly last: number
  readonly budget: RepetitionBudget
}

/**
 * Yields the wall times of a recurrence rule in order, up to `last`; the caller applies the rule's `UNTIL`. A start
 * that does not match the rule is not a repetition and does not count towards `COUNT`.
 */
export function* repetitions({ parts }: StatedRule, start: StatedTime, limits: Limits): Generator<number> {
  const { count, ...endless } = parts
  let left = typeof count === 'number' ? count : Number.POSITIVE_INFINITY
  // ical.js yields and counts the start even when a part of the rule, such as `BYDAY` or `BYSETPOS`, excludes it.
  // Therefore the computation begins at least one interval before the start, and repetitions before the start are
  // dropped.
  const isRestricted = Object.keys(parts).some((name) => name.startsWith('by'))
  const from = isRestricted ? oneIntervalBefore(parts, start.wall) : start.wall
  for (const wall of wallTimes(endless, { from, isDate: start.isDate }, limits)) {
    if (wall < start.wall) continue
    yield wall
    left -= 1
    if (left === 0) return
  }
}

type Parts = StatedRule['parts']

function* wallTimes(
  parts: Parts,
  { from, isDate }: { readonly from: number; readonly isDate: boolean },
  { last, budget }: Limits,
): Generator<number> {
  const iterator = ICAL.Recur.fromData(parts as never).iterator(icalTime(from, isDate))
  for (let next = iterator.next(); next; next = iterator.next()) {
    budget.repetitions -= 1
    if (budget.repetitions < 0) throw new CalendarFault('too_many_events')
    // Without a zone, ical.js computes the Unix time as if the wall time were UTC.
    const wall = next.toUnixTime()
    if (wall > last) return
    yield wall
  }
}

const unitSeconds: Readonly<Record<string, number>> = {
  SECONDLY: 1,
  MINUTELY: 60,
  HOURLY: 3_600,
  DAILY: 86_400,
  WEEKLY: 7 * 86_400,
}

/**
 * Returns a wall time before `wall` at which the computation can begin without changing the repetitions from `wall` on.
 * For a frequency of weeks or less, this is one interval before `wall`. For a monthly or yearly rule that names days,
 * it is in the month or year one interval earlier, on the first day. For a monthly or yearly rule that names no days,
 * it is on the same day of the month, as few intervals earlier as possible; `wall` if no such day is found.
 */
function oneIntervalBefore(parts: Parts, wall: number): number {
  const interval = typeof parts.interval === 'number' ? parts.interval : 1
  const unit = unitSeconds[String(parts.freq)]
  if (unit !== undefined) return wall - interval * unit
  const days = Math.floor(wall / 86_400)
  const [year = 0, month = 0, day = 0] = dateText(days).split('-').map(Number)
  const isMonthly = parts.freq === 'MONTHLY'
  // Only a rule that names no day takes the day of the month from the start.
  const namesDay = ['bymonthday', 'byday', 'byyearday', 'byweekno'].some((name) => name in parts)
  const months = isMonthly ? interval : interval * 12
  for (let back = months; back <= months * 60; back += months) {
    const first = year * 12 + month - 1 - back
    const [toYear, toMonth] = [Math.floor(first / 12), (first % 12) + 1]
    const wanted = namesDay ? dayNumber(toYear, isMonthly ? toMonth : 1, 1) : dayNumber(toYear, toMonth, day)
    // A month that does not have the day of the start, such as day 31, is skipped.
    if (namesDay || Number(dateText(wanted).slice(8)) === day) return wall + (wanted - days) * 86_400
  }
  return wall
}
