import { dateText, dayNumber, weekdayOf } from '../../scheduling/time/date.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { StatedRule, StatedTime } from './event.ts'

/** A day with its number since 1970-01-01, its date, and the length of its month in days. */
export interface Day {
  readonly number: number
  readonly year: number
  readonly month: number
  readonly date: number
  readonly length: number
}

/** A weekday, from 0 for Monday. `nth` counts from 1, from the end from -1, or is 0 for every such weekday. */
interface NthWeekday {
  readonly weekday: number
  readonly nth: number
}

/** The parts of a recurrence rule (RFC 5545, 3.3.10); parts that the rule needs but lacks are those of the start. */
export interface RuleParts {
  readonly freq: string
  readonly interval: number
  /** The maximum number of repetitions; infinite when the rule has no `COUNT`. */
  readonly count: number
  /** The first day of the week, from 0 for Monday. */
  readonly wkst: number
  readonly bymonth: readonly number[] | undefined
  readonly byweekno: readonly number[] | undefined
  readonly byyearday: readonly number[] | undefined
  readonly bymonthday: readonly number[] | undefined
  readonly byday: readonly NthWeekday[] | undefined
  readonly byhour: readonly number[]
  readonly byminute: readonly number[]
  readonly bysecond: readonly number[]
  readonly bysetpos: readonly number[] | undefined
  /** The times of day that the rule names, to which a rule with shorter periods is limited. */
  readonly limits: Readonly<Record<'hours' | 'minutes' | 'seconds', readonly number[] | undefined>>
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const supported = new Set([
  ...['freq', 'interval', 'count', 'wkst', 'rscale', 'skip', 'bymonth', 'byweekno', 'byyearday', 'bymonthday', 'byday'],
  ...['byhour', 'byminute', 'bysecond', 'bysetpos'],
])

/**
 * Returns the parts of a recurrence rule of a series with the given start. Throws a `CalendarFault` for parts of other
 * calendars than the Gregorian one, and for unknown parts.
 */
export function rulePartsOf({ parts }: StatedRule, start: StatedTime): RuleParts {
  if (Object.keys(parts).some((name) => !supported.has(name))) throw new CalendarFault('malformed')
  if (parts.rscale !== undefined && String(parts.rscale).toUpperCase() !== 'GREGORIAN')
    throw new CalendarFault('malformed')
  const numbers = (name: string): number[] | undefined =>
    parts[name] === undefined ? undefined : distinct([parts[name]].flat().map(Number))
  const freq = String(parts.freq)
  const first = dayOf(Math.floor(start.wall / 86_400))
  const second = start.wall - first.number * 86_400
  const named = {
    bymonth: numbers('bymonth'),
    byweekno: numbers('byweekno'),
    byyearday: numbers('byyearday'),
    bymonthday: numbers('bymonthday'),
    byday: parts.byday === undefined ? undefined : [parts.byday].flat().map((text) => nthWeekdayOf(String(text))),
  }
  // An all-day event has no time of day that a rule could name.
  const of = (name: string) => (start.isDate ? undefined : numbers(name))
  const limits = { hours: of('byhour'), minutes: of('byminute'), seconds: of('bysecond') }
  return {
    ...{ freq, interval: Number(parts.interval ?? 1), count: Number(parts.count ?? Number.POSITIVE_INFINITY) },
    // ical.js counts weekdays from 1 for Sunday.
    wkst: (Number(parts.wkst ?? 2) + 5) % 7,
    ...named,
    ...daysOfStart(freq, named, first),
    byhour: limits.hours ?? [Math.floor(second / 3_600)],
    byminute: limits.minutes ?? [Math.floor(second / 60) % 60],
    bysecond: limits.seconds ?? [second % 60],
    bysetpos: numbers('bysetpos'),
    limits,
  }
}

type NamedDays = Pick<RuleParts, 'bymonth' | 'byweekno' | 'byyearday' | 'bymonthday' | 'byday'>

/** Returns the parts that a rule without days takes from the first day of its series. */
function daysOfStart(freq: string, { bymonth, byweekno, ...days }: NamedDays, first: Day): Partial<NamedDays> {
  if (Object.values(days).some((part) => part !== undefined)) return {}
  const byday = [{ weekday: weekdayOf(first.number), nth: 0 }]
  if (byweekno || freq === 'WEEKLY') return { byday }
  if (freq === 'MONTHLY') return { bymonthday: [first.date] }
  return freq === 'YEARLY' ? { bymonth: bymonth ?? [first.month], bymonthday: [first.date] } : {}
}

function nthWeekdayOf(text: string): NthWeekday {
  const [, nth = '', name = ''] = /^([+-]?\d{0,2})([A-Z]{2})$/.exec(text) ?? []
  return { weekday: weekdays.indexOf(name), nth: Number(nth) }
}

/** Returns a function that tells whether a day matches every part of the rule that names days. */
export function dayTest(rule: RuleParts): (day: Day) => boolean {
  const { bymonth, byweekno, byyearday, bymonthday, byday } = rule
  return (day) =>
    (!bymonth || bymonth.includes(day.month)) &&
    (!bymonthday || bymonthday.includes(day.date) || bymonthday.includes(day.date - day.length - 1)) &&
    (!byday || byday.some((wanted) => isNthWeekday(rule, day, wanted))) &&
    (!byyearday || isYearDay(byyearday, day)) &&
    (!byweekno || isInWeek(byweekno, day, rule.wkst))
}

/**
 * Whether a day is the given weekday, counted within its month, or within its year for a yearly rule that names no
 * months; in rules of shorter periods, each such weekday matches.
 */
function isNthWeekday(
  { freq, bymonth }: RuleParts,
  { number, date, length, year }: Day,
  { weekday, nth }: NthWeekday,
): boolean {
  if (weekdayOf(number) !== weekday) return false
  if (nth === 0 || (freq !== 'MONTHLY' && freq !== 'YEARLY')) return true
  const isOfYear = freq === 'YEARLY' && !bymonth
  const before = isOfYear ? number - dayNumber(year, 1, 1) : date - 1
  const after = isOfYear ? dayNumber(year + 1, 1, 1) - 1 - number : length - date
  return nth > 0 ? Math.floor(before / 7) + 1 === nth : Math.floor(after / 7) + 1 === -nth
}

function isYearDay(days: readonly number[], { number, year }: Day): boolean {
  return days.includes(number - dayNumber(year, 1, 1) + 1) || days.includes(number - dayNumber(year + 1, 1, 1))
}

/** Whether a day is in one of the weeks; the first week of a year is the first one with four days in that year. */
function isInWeek(weeks: readonly number[], { number }: Day, wkst: number): boolean {
  const start = weekStart(number, wkst)
  const { year } = dayOf(start + 3)
  const [first, next] = [year, year + 1].map((of) => weekStart(dayNumber(of, 1, 4), wkst))
  return weeks.includes((start - (first ?? 0)) / 7 + 1) || weeks.includes((start - (next ?? 0)) / 7)
}

/** Returns the first day of the week of a day, if weeks begin with the weekday `wkst`, from 0 for Monday. */
export function weekStart(number: number, wkst: number): number {
  return number - ((weekdayOf(number) - wkst + 7) % 7)
}

/** Returns the day with a number since 1970-01-01. */
export function dayOf(number: number): Day {
  const [year = 0, month = 0, date = 0] = dateText(number).split('-').map(Number)
  return { number, year, month, date, length: monthLength(year, month) }
}

/** Returns the number of days of a month. */
export function monthLength(year: number, month: number): number {
  const next = month === 12 ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1)
  return next - dayNumber(year, month, 1)
}

function distinct(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other)
}
