import type { RuleName } from '../scheduling/plan/plan.ts'
import { dateText, dayNumber, parseDate, weekdayOf } from '../scheduling/time/date.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { dateAt, dayStart, wallTime } from '../scheduling/time/zone.ts'

/** A free time of a service, which can be booked on the booking page. */
export interface BookableTime extends Interval {
  /** The providers that the time can be booked with at `price`, in order of preference. */
  readonly providerIds: readonly number[]
  /**
   * The number of seats without a reservation; seats that other forms hold temporarily count as free. When several
   * providers are free, the largest of their numbers. Null for a time with one seat per provider.
   */
  readonly seatsLeft: number | null
  /** The price of one seat in the smallest unit of `currency`; null when no price is set. */
  readonly price: number | null
  readonly currency: string | null
}

/**
 * Why a service has no free times: the rule that excludes most of the times, or `none` when no rule excludes a time,
 * such as when there are no opening hours.
 */
export type NoTimesReason = RuleName | 'none'

/** A month as `YYYY-MM`. */
export type Month = string

/** Returns the month of a date `YYYY-MM-DD`. */
export function monthOf(date: string): Month {
  return date.slice(0, 7)
}

// The month after the last one still has a year of four digits.
const [firstMonth, lastMonth] = ['1970-01', '9999-11']

/** Returns `text` if it is a month from 1970-01 to 9999-11; otherwise undefined. */
export function parseMonth(text: string): Month | undefined {
  const valid = /^\d{4}-\d\d$/.test(text) && parseDate(`${text}-01`) !== undefined
  return valid && text >= firstMonth && text <= lastMonth ? text : undefined
}

/** Returns the month `count` months after `month`, or before it if `count` is negative. */
export function monthAfter(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const index = year * 12 + number - 1 + count
  return dateText(dayNumber(Math.floor(index / 12), (index % 12) + 1, 1)).slice(0, 7)
}

/** Returns the interval of a month in a time zone, in Unix seconds. */
export function monthInterval(month: Month, zone: string): Interval {
  const firstOf = (of: Month) => dayStart(zone, parseDate(`${of}-01`) ?? 0)
  return { start: firstOf(month), end: firstOf(monthAfter(month, 1)) }
}

/** Returns the weeks of a month, Monday first, as dates; undefined for days of other months. */
export function weeksOf(month: Month): (string | undefined)[][] {
  const first = parseDate(`${month}-01`) ?? 0
  const after = parseDate(`${monthAfter(month, 1)}-01`) ?? 0
  const weeks: (string | undefined)[][] = []
  for (let monday = first - weekdayOf(first); monday < after; monday += 7)
    weeks.push(
      Array.from({ length: 7 }, (_, index) => {
        const day = monday + index
        return day >= first && day < after ? dateText(day) : undefined
      }),
    )
  return weeks
}

/** Groups times by their local date in a time zone. */
export function byDate(times: readonly BookableTime[], zone: string): Map<string, BookableTime[]> {
  return Map.groupBy(times, ({ start }) => dateAt(zone, start))
}

/** A part of the day, by the hour of the start: before 12, before 17, or later. */
export type DayPart = 'morning' | 'afternoon' | 'evening'

/** Groups the times of a day by part of the day. */
export function byDayPart(times: readonly BookableTime[], zone: string): Map<DayPart, BookableTime[]> {
  return Map.groupBy(times, ({ start }): DayPart => {
    const hour = Number(wallTime(zone, start).slice(11, 13))
    if (hour < 12) return 'morning'
    return hour < 17 ? 'afternoon' : 'evening'
  })
}

/** Returns the `count` free times whose starts are closest to an instant, ordered by start. */
export function nearestTimes(times: readonly BookableTime[], at: number, count: number): BookableTime[] {
  return times
    .toSorted((one, other) => Math.abs(one.start - at) - Math.abs(other.start - at) || one.start - other.start)
    .slice(0, count)
    .sort((one, other) => one.start - other.start)
}
