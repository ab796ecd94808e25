import {
  type Provider,
  type SlotOverrides,
  type Weekday,
  type Weekly,
  weekdays,
} from '../catalogue/providers/provider.ts'
import type { Holiday } from '../catalogue/site/site.ts'
import { parseDate, weekdayOf } from './time/date.ts'
import { type Interval, intersection, overlaps } from './time/interval.ts'
import { dayAt, dayStart, instantOfWall, wallStretch } from './time/zone.ts'

/**
 * An opening window of a provider, or of all providers of a collective service; the grid of slots begins at its
 * `start`.
 */
export interface Window extends Interval {
  /**
   * The slot properties set by the calendar event that opens the window, or by the override of the window's local date.
   */
  readonly overrides: SlotOverrides
  /**
   * Whether an event of a connected calendar opens the window, rather than the provider's weekly hours and overrides.
   */
  readonly isCalendar?: true
}

/** The opening hours of one local date in minutes from midnight, with the setting that they come from. */
export interface OpenDay {
  readonly spans: readonly Interval[]
  readonly overrides: SlotOverrides
  readonly setting: string
}

interface Exception {
  readonly first: number
  readonly last: number
  readonly spans: readonly Interval[] | undefined
  readonly slot: SlotOverrides | undefined
}

interface Week {
  readonly days: readonly OpenDay[]
  readonly exceptions: readonly Exception[]
  /**
   * A cache of the windows computed last, for whole blocks of days, since consecutive calls mostly ask for the same
   * days.
   */
  known: KnownWindows | undefined
}

interface KnownWindows {
  readonly holidays: readonly Holiday[]
  readonly firstDay: number
  readonly lastDay: number
  readonly windows: readonly Window[]
}

/** The overrides of a date or slot that has none; all of them share this object. */
export const noOverrides: SlotOverrides = {}

/** Whether overrides set no property of a slot. */
export function isEmpty(overrides: SlotOverrides): boolean {
  for (const _ in overrides) return false
  return true
}

const secondsOfDay = 86_400
const minutesOfDay = 1440
const wholeWeek = 7 * minutesOfDay
const daysCached = 8
const closed = 'site.holidays'

// The provider objects of a cached catalogue stay identical, so each week is compiled once for each loaded version of
// the catalogue.
const weeks = new WeakMap<Provider, Week>()
const closures = new WeakMap<readonly Holiday[], readonly Exception[]>()

/**
 * Parses `HH:MM-HH:MM` into minutes from midnight. An end before the start is on the next day (`22:00-02:00` ends
 * at 1560), and `24:00` is allowed as an end. Undefined for other text and for equal times; a whole day is
 * `00:00-24:00`.
 */
export function parseWindow(text: string): Interval | undefined {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|24:00)$/.exec(text)
  if (!parts) return undefined
  const start = Number(parts[1]) * 60 + Number(parts[2])
  const end = parts[3] === undefined ? minutesOfDay : Number(parts[3]) * 60 + Number(parts[4])
  if (start === end) return undefined
  return { start, end: end > start ? end : end + minutesOfDay }
}

/** Returns the number of minutes that the windows of a week cover; overlapping minutes count once. */
export function minutesOfWeek(weekly: Weekly): number {
  const spans = weekdays.flatMap((day, at) =>
    (weekly[day] ?? []).flatMap((text) => {
      const span = parseWindow(text)
      if (!span) return []
      const [start, end] = [span.start + at * minutesOfDay, span.end + at * minutesOfDay]
      // Sunday's window may extend into Monday and overlap Monday's windows, so each window is also placed one week
      // earlier.
      return [
        { start, end },
        { start: start - wholeWeek, end: end - wholeWeek },
      ]
    }),
  )
  let [minutes, until] = [0, 0]
  for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
    minutes += Math.max(0, Math.min(end, wholeWeek) - Math.max(start, until))
    until = Math.max(until, end)
  }
  return minutes
}

/** Returns all windows of a provider that overlap [from, until), ordered by start. */
export function openWindows(
  provider: Provider,
  holidays: readonly Holiday[],
  from: number,
  until: number,
): readonly Window[] {
  if (from >= until) return []
  const week = weekOf(provider)
  // Windows of up to two dates earlier can overlap the interval: a window may end on the next date, and a zone may skip
  // the date in between.
  const firstDay = dayAt(provider.timezone, from) - 2
  const lastDay = dayAt(provider.timezone, until) + 1
  let { known } = week
  if (known?.holidays !== holidays || firstDay < known.firstDay || lastDay > known.lastDay) {
    const first = Math.floor(firstDay / daysCached) * daysCached
    const last = Math.ceil((lastDay + 1) / daysCached) * daysCached - 1
    known = { holidays, firstDay: first, lastDay: last, windows: windowsOn(provider, holidays, first, last) }
    week.known = known
  }
  return known.windows.filter((window) => window.start < until && window.end > from)
}

/** Whether an interval lies within one opening window of the provider, as an appointment must. */
export function isOpen(provider: Provider, holidays: readonly Holiday[], { start, end }: Interval): boolean {
  return openWindows(provider, holidays, start, end).some((window) => contains(window, { start, end }))
}

/**
 * Returns the windows of the provider's weekly hours and overrides that start on these local dates, and the windows
 * opened by connected calendars that overlap these dates, by start.
 */
function windowsOn(
  provider: Provider,
  holidays: readonly Holiday[],
  firstDay: number,
  lastDay: number,
): readonly Window[] {
  const zone = provider.timezone
  const week = weekOf(provider)
  const closures = closuresOf(holidays)
  const windows: Window[] = []
  let stretch = wallStretch(zone, firstDay * secondsOfDay)
  for (let day = firstDay; day <= lastDay; day += 1) {
    const midnight = day * secondsOfDay
    if (midnight >= stretch.end) stretch = wallStretch(zone, midnight)
    const { spans, overrides } = openDay(week, closures, day)
    const validity = midnight + 2 * secondsOfDay < stretch.end
    if (spans.length === 0 || (!validity && dayStart(zone, day) >= dayStart(zone, day + 1))) continue
    for (const span of spans) {
      const opens = midnight + span.start * 60
      const closes = midnight + span.end * 60
      const start = validity ? opens - stretch.offset : instantOfWall(zone, opens)
      const end = validity ? closes - stretch.offset : instantOfWall(zone, closes)
      if (start < end) windows.push({ start, end, overrides })
    }
  }
  const days = { start: dayStart(zone, firstDay), end: dayStart(zone, lastDay + 1) }
  for (const opening of provider.openings ?? [])
    if (overlaps(opening, days)) windows.push({ ...opening, isCalendar: true })
  return windows.sort((one, other) => one.start - other.start)
}

/** Returns the intersections of two lists of windows, by start; each has the overrides of the window in `first`. */
export function sharedWindows(first: readonly Window[], second: readonly Interval[]): readonly Window[] {
  const shared = first.flatMap((window) =>
    second.filter((other) => overlaps(window, other)).map((other) => ({ ...window, ...intersection(window, other) })),
  )
  return shared.sort((one, other) => one.start - other.start)
}

/**
 * Returns the overrides of a slot: those of the calendar window that contains the whole slot, otherwise those of `own`,
 * the window on whose grid the slot lies.
 */
export function overridesWithin(windows: readonly Window[], slot: Interval, own: Window | undefined): SlotOverrides {
  return (windows.find((window) => window.isCalendar && contains(window, slot)) ?? own)?.overrides ?? noOverrides
}

/**
 * Returns the overrides of slot properties that apply to an interval of a provider's time: those of a calendar window
 * that contains it, otherwise those of the opening window that contains it, which may have started on the previous
 * local date. Outside of the opening hours, the overrides of the local date of its start apply.
 */
export function overridesOf(provider: Provider, holidays: readonly Holiday[], slot: Interval): SlotOverrides {
  const windows = openWindows(provider, holidays, slot.start, slot.end)
  const own = windows.find((window) => contains(window, slot))
  return own ? overridesWithin(windows, slot, own) : openDayAt(provider, holidays, slot.start).overrides
}

function contains({ start, end }: Interval, slot: Interval): boolean {
  return start <= slot.start && slot.end <= end
}

/**
 * Returns the hours that the provider's weekly hours and overrides set on the local date at an instant, with the
 * setting that they come from.
 */
export function openDayAt(provider: Provider, holidays: readonly Holiday[], instant: number): OpenDay {
  return openDay(weekOf(provider), closuresOf(holidays), dayAt(provider.timezone, instant))
}

/**
 * Returns the opening hours of a date. The last matching override with `hours` takes precedence over a holiday, and a
 * holiday over the weekly hours. Slot properties come from the last matching override with `slot`, unless an override
 * with `hours` follows it. See docs/decisions/0014.
 */
function openDay(week: Week, closures: readonly Exception[], day: number): OpenDay {
  const usual = week.days[weekdayOf(day)] ?? { spans: [], overrides: noOverrides, setting: 'provider.weekly' }
  let hours = week.exceptions.length - 1
  while (hours >= 0 && !(covers(week.exceptions[hours], day) && week.exceptions[hours]?.spans)) hours -= 1
  let slot = week.exceptions.length - 1
  while (slot >= Math.max(hours, 0) && !(covers(week.exceptions[slot], day) && week.exceptions[slot]?.slot)) slot -= 1
  const overrides = slot < hours ? noOverrides : (week.exceptions[slot]?.slot ?? noOverrides)
  const spans = week.exceptions[hours]?.spans
  if (spans) return { spans, overrides, setting: `provider.overrides[${hours}].hours` }
  if (closures.some((closure) => covers(closure, day))) return { spans: [], overrides, setting: closed }
  return isEmpty(overrides) ? usual : { ...usual, overrides }
}

function covers(exception: Exception | undefined, day: number): boolean {
  return exception !== undefined && exception.first <= day && day <= exception.last
}

function weekOf(provider: Provider): Week {
  const known = weeks.get(provider)
  if (known) return known
  const exceptions = provider.overrides.map((entry) => ({
    ...daysOf(entry),
    spans: entry.hours && spansOf(entry.hours),
    slot: entry.slot,
  }))
  const week = { days: weekdays.map((weekday) => usualDay(provider, weekday)), exceptions, known: undefined }
  weeks.set(provider, week)
  return week
}

function usualDay(provider: Provider, weekday: Weekday): OpenDay {
  const spans = spansOf(provider.weekly[weekday] ?? [])
  return { spans, overrides: noOverrides, setting: `provider.weekly.${weekday}` }
}

function closuresOf(holidays: readonly Holiday[]): readonly Exception[] {
  const known = closures.get(holidays)
  if (known) return known
  const compiled = holidays.map((holiday) => ({ ...daysOf(holiday), spans: [], slot: undefined }))
  closures.set(holidays, compiled)
  return compiled
}

function spansOf(hours: readonly string[]): readonly Interval[] {
  return hours.map(parseWindow).filter((span) => span !== undefined)
}

// Dates are validated when they are entered; an invalid date matches nothing.
function daysOf(range: { readonly from: string; readonly to: string }): { first: number; last: number } {
  return {
    first: parseDate(range.from) ?? Number.POSITIVE_INFINITY,
    last: parseDate(range.to) ?? Number.NEGATIVE_INFINITY,
  }
}
