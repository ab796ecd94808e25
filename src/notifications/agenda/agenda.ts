import { parseDate } from '../../scheduling/time/date.ts'
import { dayAt, dayOf, toInstant, wallTime } from '../../scheduling/time/zone.ts'

const noon = '12:00'
// After a longer downtime the agenda no longer helps.
const usefulSeconds = 6 * 3_600

/** The agenda of a provider that is due: the day that it shows. */
export interface DueAgenda {
  /** `YYYY-MM-DD` in the provider's zone. */
  readonly date: string
  readonly start: number
  readonly end: number
}

/**
 * Returns the agenda that is due at `now` for a time of the day (`HH:MM` in the zone of the provider); undefined when
 * none is, or when it is late beyond usefulness. A time before noon shows the same day, a later one the next.
 */
export function dueAgenda(zone: string, at: string, now: number): DueAgenda | undefined {
  const [today = ''] = wallTime(zone, now).split('T')
  const due = toInstant(zone, `${today}T${at}`)
  if (due === undefined || now < due || now >= due + usefulSeconds) return undefined
  const day = dayAt(zone, now) + (at < noon ? 0 : 1)
  const { start, end } = dayOf(zone, day)
  return { date: wallTime(zone, start).slice(0, today.length), start, end }
}

/** Returns the day of a date in a zone; undefined for other text. */
export function dayOfDate(zone: string, date: string): Pick<DueAgenda, 'start' | 'end'> | undefined {
  const day = parseDate(date)
  return day === undefined ? undefined : dayOf(zone, day)
}
