import { dateText, parseDate } from '../../scheduling/time/date.ts'
import { dayAt, dayOf, toInstant } from '../../scheduling/time/zone.ts'

const noon = '12:00'
// The number of seconds for which an agenda (a provider's appointments of one day) can still be queued after the time
// at which it was to be sent, such as after a downtime.
const usefulSeconds = 6 * 3_600

/** A due agenda, the mail that lists a provider's appointments of one day, with the local day that it lists. */
export interface DueAgenda {
  /** The date of the day that the agenda lists, `YYYY-MM-DD` in the provider's zone. */
  readonly date: string
  readonly start: number
  readonly end: number
}

/**
 * Returns the agenda that is due at `now`, if agendas are sent at `at` (`HH:MM` in the provider's zone). An agenda is
 * due for six hours from that time, also beyond midnight; undefined when none is due. It lists the day on which it
 * becomes due if `at` is before noon, otherwise the next day.
 */
export function dueAgenda(zone: string, at: string, now: number): DueAgenda | undefined {
  const today = dayAt(zone, now)
  const dueDay = [today, today - 1].find((day) => {
    const due = toInstant(zone, `${dateText(day)}T${at}`)
    return due !== undefined && now >= due && now < due + usefulSeconds
  })
  if (dueDay === undefined) return undefined
  const listed = at < noon ? dueDay : dueDay + 1
  return { date: dateText(listed), ...dayOf(zone, listed) }
}

/** Returns the interval of a local date in a zone; undefined for text that is not a date. */
export function dayOfDate(zone: string, date: string): Pick<DueAgenda, 'start' | 'end'> | undefined {
  const day = parseDate(date)
  return day === undefined ? undefined : dayOf(zone, day)
}
