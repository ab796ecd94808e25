import { useAddress } from '../../data/address.ts'
import { datePlus, isDate, mondayOf } from '../../data/dates/dates.ts'
import { useRead } from '../../data/queries.ts'
import { useUser } from '../../data/session.ts'

/** The views of the calendar. */
export const viewNames = ['day', 'week', 'month'] as const

/** The name of one view of the calendar. */
export type ViewName = (typeof viewNames)[number]

/** The displayed part of the calendar, stored in query parameters. */
export interface CalendarView {
  readonly name: ViewName
  readonly date: string
  /** The ids of the selected providers; empty for the first providers of the site. */
  readonly providers: readonly number[]
  readonly cancelled: boolean
  /** Whether the providers have loaded. */
  readonly ready: boolean
  readonly today: string
  change(values: { readonly [Name in 'view' | 'date' | 'providers' | 'cancelled']?: string }): void
}

/** Returns the view that the query parameters select. */
export function useCalendarView(today: string): CalendarView {
  const [address, change] = useAddress()
  const { role, providerId } = useUser()
  const name = viewNames.find((one) => one === address.view) ?? 'day'
  const { data } = useRead('GET /reservations/filters/', {})
  const chosen = (address.providers ?? '').split(',').flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))
  const first = data?.providers[0]
  // A week of many providers is wide, so it shows only the first by default.
  const unlessChosen = name === 'week' && first ? [first.id] : []
  const own = role === 'provider' && providerId !== null ? [providerId] : undefined
  return {
    name,
    date: isDate(address.date) ? address.date : today,
    providers: own ?? (chosen.length > 0 ? chosen : unlessChosen),
    cancelled: address.cancelled === '1',
    ready: name !== 'week' || own !== undefined || chosen.length > 0 || data !== undefined,
    today,
    change,
  }
}

/** Returns the dates of a view: one day, a week from Monday, or the weeks that cover a month. */
export function shownDates(name: ViewName, date: string): string[] {
  if (name === 'day') return [date]
  if (name === 'week') return datesFrom(mondayOf(date), 7)
  const first = mondayOf(`${date.slice(0, 8)}01`)
  const weeks = datePlus(first, 35) < monthLater(`${date.slice(0, 8)}01`, 1) ? 6 : 5
  return datesFrom(first, weeks * 7)
}

/** Returns the date of the previous or the next view. */
export function beside(name: ViewName, date: string, direction: 1 | -1): string {
  if (name === 'month') return monthLater(`${date.slice(0, 8)}01`, direction)
  return datePlus(date, direction * (name === 'week' ? 7 : 1))
}

function datesFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, later) => datePlus(first, later))
}

function monthLater(first: string, months: 1 | -1): string {
  const [year = 0, month = 0] = first.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10)
}
