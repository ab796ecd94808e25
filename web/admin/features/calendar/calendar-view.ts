import { addDays, isDate, startOfWeek } from '../../data/dates/dates.ts'
import { useRead } from '../../data/queries.ts'
import { useQueryParameters } from '../../data/query-parameters.ts'
import { useUser } from '../../data/session.ts'

/** The views of the calendar. */
export const viewNames = ['day', 'week', 'month'] as const

/** The name of one view of the calendar. */
export type ViewName = (typeof viewNames)[number]

/** What the calendar displays, read from the query parameters, and the function that changes them. */
export interface CalendarView {
  readonly name: ViewName
  readonly date: string
  /**
   * The ids of the displayed providers: the selected ones; the first provider in a week without a selection; the user's
   * own provider for the role `provider`. When empty, the service returns the first 20 providers.
   */
  readonly providers: readonly number[]
  readonly cancelled: boolean
  /**
   * Whether `providers` is known. False while a week without selected providers waits for the list of providers, of
   * which it shows the first.
   */
  readonly ready: boolean
  readonly today: string
  change(values: { readonly [Name in 'view' | 'date' | 'providers' | 'cancelled']?: string }): void
}

/** Returns what the calendar displays, read from the query parameters; `today` is the default date. */
export function useCalendarView(today: string): CalendarView {
  const [parameters, change] = useQueryParameters()
  const { role, providerId } = useUser()
  const name = viewNames.find((one) => one === parameters.view) ?? 'day'
  const { data } = useRead('GET /reservations/filters/', {})
  const chosen = (parameters.providers ?? '').split(',').flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))
  const first = data?.providers[0]
  // A week of many providers would be very wide, so a week shows only the first provider by default.
  const defaultProviders = name === 'week' && first ? [first.id] : []
  const own = role === 'provider' && providerId !== null ? [providerId] : undefined
  return {
    name,
    date: isDate(parameters.date) ? parameters.date : today,
    providers: own ?? (chosen.length > 0 ? chosen : defaultProviders),
    cancelled: parameters.cancelled === '1',
    ready: name !== 'week' || own !== undefined || chosen.length > 0 || data !== undefined,
    today,
    change,
  }
}

/** Returns the dates of a view: one day, a week from Monday, or the five or six such weeks that cover a month. */
export function datesOfView(name: ViewName, date: string): string[] {
  if (name === 'day') return [date]
  if (name === 'week') return datesFrom(startOfWeek(date), 7)
  const first = startOfWeek(`${date.slice(0, 8)}01`)
  const weeks = addDays(first, 35) < addMonths(`${date.slice(0, 8)}01`, 1) ? 6 : 5
  return datesFrom(first, weeks * 7)
}

/**
 * Returns the date to which a view moves, backwards (-1) or forwards (1): one day or one week from `date`, or the first
 * date of the adjacent month.
 */
export function adjacentDate(name: ViewName, date: string, direction: 1 | -1): string {
  if (name === 'month') return addMonths(`${date.slice(0, 8)}01`, direction)
  return addDays(date, direction * (name === 'week' ? 7 : 1))
}

function datesFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, later) => addDays(first, later))
}

function addMonths(first: string, months: 1 | -1): string {
  const [year = 0, month = 0] = first.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}
