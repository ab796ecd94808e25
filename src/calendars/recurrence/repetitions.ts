import { dayNumber } from '../../scheduling/time/date.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { StatedRule, StatedTime } from './event.ts'
import { type Day, dayOf, dayTest, monthLength, type RuleParts, rulePartsOf, weekStart } from './rule-parts.ts'

/** How many repetitions of recurrence rules may still be computed for one calendar. */
export interface RepetitionBudget {
  repetitions: number
}

interface Limits {
  /** The wall time, in seconds since 1970-01-01T00:00, after which no repetition is computed. */
  readonly last: number
  readonly budget: RepetitionBudget
}

const daySeconds = 86_400
/** The maximum number of periods (such as months of a monthly rule) of one rule in which repetitions are searched. */
const maxPeriods = 5_000_000

/**
 * Yields the wall times of a recurrence rule (RFC 5545, 3.3.10) in order, up to `last`; the caller applies the rule's
 * `UNTIL`. A start that does not match the rule is not a repetition and does not count towards `COUNT`.
 */
export function* repetitions(rule: StatedRule, start: StatedTime, { last, budget }: Limits): Generator<number> {
  const parts = rulePartsOf(rule, start)
  let left = parts.count
  let count = 0
  for (const period of periodsOf(parts, start.wall)) {
    count += 1
    if (count > maxPeriods) throw new CalendarFault('too_complex')
    if (period.from > last) return
    for (const wall of atPositions(period.walls(), parts.bysetpos)) {
      if (wall < start.wall) continue
      budget.repetitions -= 1
      if (budget.repetitions < 0) throw new CalendarFault('too_many_events')
      if (wall > last) return
      yield wall
      left -= 1
      if (left === 0) return
    }
  }
}

/** An interval in which a rule is evaluated, such as a month of a monthly rule. */
interface Period {
  /** The wall time at which the period begins. */
  readonly from: number
  /** Returns the wall times in the period that match the rule, in order. */
  walls(): number[]
}

function periodsOf(parts: RuleParts, start: number): Generator<Period> {
  const unit = unitSeconds[parts.freq]
  return unit === undefined ? periodsOfDays(parts, start) : shortPeriods(parts, start, unit)
}

const unitSeconds: Readonly<Record<string, number>> = { HOURLY: 3_600, MINUTELY: 60, SECONDLY: 1 }

/** Yields the periods of a rule that is evaluated in periods of a day or more. */
function* periodsOfDays(parts: RuleParts, start: number): Generator<Period> {
  const { freq, interval, byhour, byminute, bysecond } = parts
  const isMatch = dayTest(parts)
  const times = byhour.flatMap((hour) =>
    byminute.flatMap((minute) => bysecond.map((second) => hour * 3_600 + minute * 60 + second)),
  )
  const first = dayOf(Math.floor(start / daySeconds))
  for (let step = 0; ; step += interval) {
    const days = daysOf(parts, first, step)
    const from = (freq === 'YEARLY' ? dayNumber(first.year + step, 1, 1) : (days[0]?.number ?? 0)) * daySeconds
    const walls = () => {
      const found: number[] = []
      for (const day of days) if (isMatch(day)) for (const time of times) found.push(day.number * daySeconds + time)
      return found
    }
    yield { from, walls }
  }
}

/**
 * Returns the days of the period that is `step` years, months, weeks or days after that of the first day; of a year,
 * only the days of the months that the rule names, if any.
 */
function daysOf({ freq, bymonth, wkst }: RuleParts, first: Day, step: number): Day[] {
  if (freq === 'YEARLY') return (bymonth ?? allMonths).flatMap((month) => daysOfMonth(first.year + step, month))
  if (freq === 'MONTHLY') {
    const months = first.year * 12 + first.month - 1 + step
    return daysOfMonth(Math.floor(months / 12), (months % 12) + 1)
  }
  if (freq === 'DAILY') return [dayOf(first.number + step)]
  const start = weekStart(first.number, wkst) + step * 7
  return [0, 1, 2, 3, 4, 5, 6].map((offset) => dayOf(start + offset))
}

const allMonths = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

function daysOfMonth(year: number, month: number): Day[] {
  const number = dayNumber(year, month, 1)
  const length = monthLength(year, month)
  const days: Day[] = []
  // A loop takes a fraction of the time of `Array.from`, which counts for calendars with hundreds of old series.
  for (let date = 1; date <= length; date += 1) days.push({ number: number + date - 1, year, month, date, length })
  return days
}

/** Yields the periods of a rule that is evaluated in periods of an hour, a minute or a second. */
function* shortPeriods(parts: RuleParts, start: number, unit: number): Generator<Period> {
  const { interval, limits, byminute, bysecond } = parts
  const isMatch = dayTest(parts)
  const minutes = unit === 3_600 ? byminute : [0]
  const seconds = unit >= 60 ? bysecond : [0]
  const offsets = minutes.flatMap((minute) => seconds.map((second) => minute * 60 + second))
  for (let from = Math.floor(start / unit) * unit; ; from += interval * unit) {
    const walls = () => {
      const second = from - Math.floor(from / daySeconds) * daySeconds
      const isAtTime =
        (limits.hours?.includes(Math.floor(second / 3_600)) ?? true) &&
        (unit === 3_600 || (limits.minutes?.includes(Math.floor(second / 60) % 60) ?? true)) &&
        (unit >= 60 || (limits.seconds?.includes(second % 60) ?? true))
      return isAtTime && isMatch(dayOf(Math.floor(from / daySeconds))) ? offsets.map((offset) => from + offset) : []
    }
    yield { from, walls }
  }
}

/** Returns the elements at the positions of `BYSETPOS`, from 1 or, from the end, from -1; all without `BYSETPOS`. */
function atPositions(walls: readonly number[], positions: readonly number[] | undefined): readonly number[] {
  if (!positions) return walls
  const indexes = positions.map((position) => (position > 0 ? position - 1 : walls.length + position))
  return walls.filter((_, index) => indexes.includes(index))
}
