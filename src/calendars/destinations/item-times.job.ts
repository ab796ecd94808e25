import type { Interval } from '../../scheduling/time/interval.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { CalendarContent } from '../ics/calendar-content.job.ts'
import type { IcsComponent } from '../ics/ics-reader.ts'

const always: Interval = { start: 0, end: 32_503_680_000 }

/**
 * Returns the start and end of a calendar item that is a single event; undefined for a series, a cancelled event, an
 * event of no duration, or an item that cannot be parsed. `home` is the zone of floating times and all-day events.
 */
export function itemTimes(components: readonly IcsComponent[], home: string): Interval | undefined {
  const events = components.filter(({ kind }) => kind === 'VEVENT')
  const isSeries = events.some(({ lines }) => lines.some((line) => /^(?:RRULE|RDATE|RECURRENCE-ID)[;:]/i.test(line)))
  if (events.length !== 1 || isSeries) return undefined
  const content = new CalendarContent()
  content.addFile(components)
  try {
    const times = content.busyTimes({ home, window: always, blocks: () => true, isOwn: () => false })
    return times.length === 1 ? times[0] : undefined
  } catch (error) {
    // An event that cannot be parsed is treated like a series: its reservation is not moved.
    if (error instanceof CalendarFault) return undefined
    throw error
  }
}
