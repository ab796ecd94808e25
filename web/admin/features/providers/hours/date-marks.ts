import { clockOf, formatMinuteOfDay } from '../../../data/dates/clock.ts'
import { addDays } from '../../../data/dates/dates.ts'
import type { Item } from '../../../data/request.ts'

type Provider = Item<'GET /providers/one/'>
/** One time off of a provider. */
export type DateMarkTimeOff = Item<'GET /time-off/'>['items'][number]
/** An override: other opening hours, or other slot properties such as the price, on particular dates. */
export type DateMarkOverride = Provider['overrides'][number]

/**
 * An entry in the calendar of a provider's year: time off, or an override of hours on particular dates; `at` is the
 * index of the override in the provider's list.
 */
export type DateMark =
  | { readonly kind: 'override'; readonly at: number; readonly override: DateMarkOverride }
  | { readonly kind: 'timeOff'; readonly timeOff: DateMarkTimeOff }

/**
 * The mark of a date in the year grid. When several entries or holidays cover a date, the one with the highest
 * precedence determines the mark.
 */
export type Mark = 'timeOff' | 'closed' | 'hours' | 'slot' | 'holiday'

/** Returns the first and the last date (inclusive) of an override or time off, in the provider's time zone. */
export function datesOf(entry: DateMark, zone: string): { readonly from: string; readonly to: string } {
  if (entry.kind === 'override') return { from: entry.override.from, to: entry.override.to }
  const { start, end } = entry.timeOff
  const clock = clockOf(zone)
  return { from: clock.dateOf(start), to: clock.dateOf(end - 1) }
}

/** Returns the entries of a year, ordered by first date: the overrides and times off that overlap the year. */
export function entriesOf(provider: Provider, timesOff: readonly DateMarkTimeOff[], year: number): readonly DateMark[] {
  const entries: DateMark[] = [
    ...provider.overrides.map((override, at): DateMark => ({ kind: 'override', at, override })),
    ...timesOff.map((timeOff): DateMark => ({ kind: 'timeOff', timeOff })),
  ]
  const dated = entries.map((entry) => ({ entry, ...datesOf(entry, provider.timezone) }))
  return dated
    .filter(({ from, to }) => from <= `${year}-12-31` && to >= `${year}-01-01`)
    .sort((one, other) => (one.from < other.from ? -1 : one.from > other.from ? 1 : 0))
    .map(({ entry }) => entry)
}

/**
 * Returns the overrides and times off of a date in ascending order of precedence: the overrides in their stored order,
 * then the times off.
 */
export function entriesOn(entries: readonly DateMark[], zone: string, date: string): readonly DateMark[] {
  const rank = (entry: DateMark): number => (entry.kind === 'timeOff' ? Number.POSITIVE_INFINITY : entry.at)
  return entries
    .filter((entry) => {
      const { from, to } = datesOf(entry, zone)
      return from <= date && date <= to
    })
    .sort((one, other) => rank(one) - rank(other))
}

/** Returns the mark that the dates of an override or time off have in the year grid. */
export function markOf(entry: DateMark): Mark {
  if (entry.kind === 'timeOff') return 'timeOff'
  const { hours } = entry.override
  if (hours === undefined) return 'slot'
  return hours.length === 0 ? 'closed' : 'hours'
}

/** Returns the marks of the year grid by date, `YYYY-MM-DD`; dates without override, time off or holiday are absent. */
export function marksOf(
  entries: readonly DateMark[],
  { timezone, holidays }: Pick<Provider, 'timezone' | 'holidays'>,
  year: number,
): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  const mark = (range: { readonly from: string; readonly to: string }, as: Mark): void => {
    for (const date of datesBetween(range, year)) marks.set(date, as)
  }
  for (const holiday of holidays) mark(holiday, 'holiday')
  const overrides = entries.flatMap((entry) => (entry.kind === 'override' ? [entry] : []))
  for (const entry of overrides.sort((one, other) => one.at - other.at)) {
    const as = markOf(entry)
    // An override of slot properties alone, such as the price, neither opens nor closes a date, so it replaces no other
    // mark.
    if (as !== 'slot') mark(entry.override, as)
    else for (const date of datesBetween(entry.override, year)) if (!marks.has(date)) marks.set(date, as)
  }
  for (const entry of entries) if (entry.kind === 'timeOff') mark(datesOf(entry, timezone), 'timeOff')
  return marks
}

function datesBetween({ from, to }: { readonly from: string; readonly to: string }, year: number): string[] {
  const dates: string[] = []
  const first = from < `${year}-01-01` ? `${year}-01-01` : from
  for (let date = first; date <= to && date <= `${year}-12-31`; date = addDays(date, 1)) dates.push(date)
  return dates
}

/**
 * Returns the local start time of a time off, and its end time, which is `24:00` when the time off ends at midnight.
 */
export function timesOf(
  { start, end }: DateMarkTimeOff,
  zone: string,
): { readonly start: string; readonly end: string } {
  const clock = clockOf(zone)
  const last = formatMinuteOfDay(clock.minuteOf(end))
  return { start: formatMinuteOfDay(clock.minuteOf(start)), end: last === '00:00' ? '24:00' : last }
}
