import { parseDate } from '../../scheduling/time/date.ts'
import { dayAt, dayOf, toInstant, wallTime } from '../../scheduling/time/zone.ts'

const noon = '12:00'
// Seconds after the agenda's set time during which it is still sent, for example after a downtime.
const usefulSeconds = 6 * 3_600

/** An agenda that is due, with the local day whose appointments it lists. */
export interface DueAgenda {
  /** The date of the day that the agenda lists, `YYYY-MM-DD` in the provider's zone. */
  readonly date: string
  readonly start: number
  readonly end: number
}

/**
 * Returns the agenda that is due at `now`, if agendas are sent at `at` (`HH:MM` in the provider's zone); undefined before
 * that time and more than six hours after it. An agenda sent before noon lists the same day, a later one the next day.
 */
export function dueAgenda(zone: string, at: string, now: number): DueAgenda | undefined {
  const [today = ''] = wallTime(zone, now).split('T')
  const due = toInstant(zone, `${today}T${at}`)
  if (due === undefined || now < due || now >= due + usefulSeconds) return undefined
  const day = dayAt(zone, now) + (at < noon ? 0 : 1)
  const { start, end } = dayOf(zone, day)
  return { date: wallTime(zone, start).slice(0, today.length), start, end }
}

/** Returns the interval of a local date in a zone; undefined for text that is not a date. */
export function dayOfDate(zone: string, date: string): Pick<DueAgenda, 'start' | 'end'> | undefined {
  const day = parseDate(date)
  return day === undefined ? undefined : dayOf(zone, day)
}
