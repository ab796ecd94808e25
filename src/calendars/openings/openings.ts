import type { CalendarOpening } from '../../catalogue/providers/provider.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { OpenTime } from '../recurrence/busy-times.ts'
import { type OpeningFault, type OpeningFaultCode, overridesFrom } from './opening-settings.ts'

/** The maximum number of openings of one calendar: times that its events open for booking. */
const maxOpenings = 2_000
/**
 * The maximum number of events that are stored for one calendar because they should open time for booking but have a
 * fault.
 */
const maxFaults = 20
const longest = 7 * 86_400

/** The times that a calendar's events open for booking, and the events that should open time but have a fault. */
export interface ReadOpenings {
  readonly openings: readonly CalendarOpening[]
  readonly faults: readonly OpeningFault[]
}

/**
 * Converts the times that a calendar's events open for booking to openings, which also contain the slot properties that
 * the titles specify; prices in titles are in `currency`. Throws a `CalendarFault` when there are more than
 * `maxOpenings` openings.
 */
export function openingsFrom(times: readonly OpenTime[], currency: string): ReadOpenings {
  const openings: CalendarOpening[] = []
  const faults: OpeningFault[] = []
  for (const { start, end, isDate, settings } of times) {
    const fault = (code: OpeningFaultCode, part = '') => faults.push({ start, code, part })
    const read = overridesFrom(settings, currency)
    if (isDate) fault('all_day')
    else if (end - start > longest) fault('too_long')
    else if ('code' in read) fault(read.code, read.part)
    else openings.push({ start, end, overrides: read.overrides })
  }
  if (openings.length > maxOpenings) throw new CalendarFault('too_many_events')
  return { openings, faults: faults.slice(0, maxFaults) }
}
