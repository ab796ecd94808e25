import { utcDayOf } from '../../scheduling/invalidation.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import type { SourceUnits, UnitRange } from './units.ts'

// The maximum number of units (the slots of a source on one day) computed in one turn of the event loop, so that a turn
// takes about 5 ms on the machine of docs/performance. One source is never split, so a source with more days than this
// exceeds the maximum.
const maxStep = 128

/** A range of UTC days (day numbers since 1970-01-01), including the last; empty if the last day precedes the first. */
export interface DayRange {
  readonly firstDay: number
  readonly lastDay: number
}

/** Returns the UTC days that an interval touches. */
export function daysOf({ start, end }: Interval): DayRange {
  return { firstDay: utcDayOf(start), lastDay: start < end ? utcDayOf(end - 1) : utcDayOf(start) - 1 }
}

/**
 * Returns the smallest range with all days for which `days` (cached slots by UTC day) has no entry that `isUsable`
 * accepts; undefined when there is no such day.
 */
export function daysWithout<Entry>(
  { days }: { readonly days: ReadonlyMap<number, Entry> },
  { firstDay, lastDay }: DayRange,
  isUsable: (entry: Entry) => boolean,
): DayRange | undefined {
  let found: DayRange | undefined
  for (let day = firstDay; day <= lastDay; day += 1) {
    const entry = days.get(day)
    if (entry !== undefined && isUsable(entry)) continue
    found = { firstDay: found?.firstDay ?? day, lastDay: day }
  }
  return found
}

/**
 * Groups the sources that lack units (cached slots of one day) for the same days, and splits each group into steps of
 * at most `maxStep` units, or of one source if its days exceed that.
 */
export function stepsOf(
  missing: readonly { readonly source: SourceUnits; readonly firstDay: number; readonly lastDay: number }[],
): UnitRange[] {
  const steps: UnitRange[] = []
  for (const alike of Map.groupBy(missing, ({ firstDay, lastDay }) => `${firstDay} ${lastDay}`).values()) {
    const [{ firstDay, lastDay } = { firstDay: 0, lastDay: 0 }] = alike
    const sources = alike.map(({ source }) => source)
    const each = Math.max(1, Math.floor(maxStep / (lastDay - firstDay + 1)))
    for (let from = 0; from < sources.length; from += each)
      steps.push({ sources: sources.slice(from, from + each), firstDay, lastDay })
  }
  return steps
}
