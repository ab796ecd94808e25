import { dateText, parseDate } from '../scheduling/time/date.ts'

/** The first and the last date of a period, as `YYYY-MM-DD`. */
interface Dates {
  readonly from: string
  readonly to: string
}

/** Returns the months of a period, such as `2026-12`, in order. */
export function monthsOf({ from, to }: Dates): string[] {
  const [first, last] = [monthNumber(from), monthNumber(to)]
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => monthText(first + at))
}

/**
 * Moves a period back by the number of calendar months that it touches. A day that does not exist in the earlier month
 * becomes the last day of that month. If the period ends on the last day of a month, so does the result.
 */
export function monthsBefore(period: Dates): Dates {
  const { from, to } = period
  const months = monthsOf(period).length
  const end = dayOfMonth(to) === lastDay(monthNumber(to)) ? 31 : dayOfMonth(to)
  return {
    from: dateIn(monthNumber(from) - months, dayOfMonth(from)),
    to: dateIn(monthNumber(to) - months, end),
  }
}

/** Whether a period begins with the first and ends with the last date of a month. */
export function isWholeMonths({ from, to }: Dates): boolean {
  return dayOfMonth(from) === 1 && dayOfMonth(to) === lastDay(monthNumber(to))
}

function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

function dayOfMonth(date: string): number {
  return Number(date.slice(8))
}

function monthText(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
}

function lastDay(month: number): number {
  const next = parseDate(`${monthText(month + 1)}-01`) ?? 0
  return dayOfMonth(dateText(next - 1))
}

function dateIn(month: number, day: number): string {
  return `${monthText(month)}-${String(Math.min(day, lastDay(month))).padStart(2, '0')}`
}
