import type { Interval } from '../../scheduling/time/interval.ts'
import { CalendarFault } from '../calendar-fault.ts'
import type { CalendarZones } from './calendar-zones.ts'
import { isRecurring, type StatedEvent, type StatedTime, type Transparency } from './event.ts'
import { type RepetitionBudget, repetitions } from './repetitions.ts'

/** The parameters for expanding the events of one calendar. */
export interface Expansion {
  readonly zones: CalendarZones
  /** The interval, in Unix seconds; only instances of events that overlap it are returned. */
  readonly window: Interval
}

/** The parameters for computing the busy times of one calendar. */
export interface BusyExpansion extends Expansion {
  /** Whether an event with the given transparency blocks time. */
  readonly blocks: (transparency: Transparency) => boolean
}

/**
 * The maximum number of repetitions computed in one expansion of a calendar, many of which may lie before the window.
 */
const maxRepetitions = 200_000
/** The maximum number of instances within the window in one expansion of a calendar. */
const maxTimes = 20_000
const daySeconds = 86_400
// An upper bound, in seconds, for the difference between a wall time read as UTC and its instant.
const zoneMargin = 2 * daySeconds

/**
 * Returns the times overlapping the window that the events of a calendar block: sorted, and joined where they overlap
 * or touch. Events that open time for booking block no time.
 */
export function busyTimes(events: readonly StatedEvent[], { blocks, ...expansion }: BusyExpansion): Interval[] {
  const isWanted = ({ opening, transparency }: StatedEvent) => opening === undefined && blocks(transparency)
  return united(instancesWithin(events, { ...expansion, isWanted }))
}

/** An instance of an event that opens time for booking. */
export interface OpenTime extends Interval {
  /** Whether the event that opens the time is an all-day event. */
  readonly isDate: boolean
  /** The settings in the title of the event that opens the time, such as `[price=60]` (see `StatedEvent.opening`). */
  readonly settings: string
}

/** Returns the times overlapping the window that the events of a calendar open for booking, ordered by start. */
export function openTimes(events: readonly StatedEvent[], expansion: Expansion): OpenTime[] {
  return instancesWithin(events, { ...expansion, isWanted: ({ opening }) => opening !== undefined })
    .map(({ start, end, event }) => ({ start, end, isDate: event.start.isDate, settings: event.opening ?? '' }))
    .sort((one, other) => one.start - other.start || one.end - other.end)
}

/**
 * The time of an instance of an event, with the event that describes the instance: a single event, a series, an event
 * that replaces the instance, or an event that replaces an earlier instance and all later ones.
 */
interface EventTime extends Interval {
  readonly event: StatedEvent
}

interface Choice extends Expansion {
  readonly isWanted: (event: StatedEvent) => boolean
}

/**
 * Returns the instances that overlap the window and last at least a second, of the events for which `isWanted` is true.
 */
function instancesWithin(events: readonly StatedEvent[], expansion: Choice): EventTime[] {
  const found: EventTime[] = []
  const budget: RepetitionBudget = { repetitions: maxRepetitions }
  const add = ({ start, end }: Interval, event: StatedEvent): void => {
    if (end <= start || end <= expansion.window.start || start >= expansion.window.end) return
    if (found.length >= maxTimes) throw new CalendarFault('too_many_events')
    found.push({ start, end, event })
  }
  const anonymous = events.filter(({ uid }) => uid === '')
  const groups = [...Map.groupBy(events, ({ uid }) => uid)].filter(([uid]) => uid !== '').map(([, group]) => group)
  for (const group of [...groups, ...anonymous.map((event) => [event])]) addGroup(group, { ...expansion, add, budget })
  return found
}

interface Adding extends Choice {
  readonly add: (time: Interval, event: StatedEvent) => void
  readonly budget: RepetitionBudget
}

/**
 * Adds the instances of the events with one `UID`: a single event, or a series and the events that replace instances.
 */
function addGroup(group: readonly StatedEvent[], adding: Adding): void {
  const { zones, isWanted, add } = adding
  const bySequence = group.toSorted((one, other) => one.sequence - other.sequence)
  const replaced = new Map<number, StatedEvent>()
  // Some programs write the date of an instance instead of its time.
  const dates = new Set<number>()
  for (const event of bySequence) {
    if (event.replaces) replaced.set(zones.instantOf(event.replaces), event)
    if (event.replaces?.isDate) dates.add(dayOf(event.replaces))
  }
  const following = [...replaced].filter(([, event]) => event.andFollowing).toSorted(([one], [other]) => one - other)
  const isAdded = (event: StatedEvent) => !event.isCancelled && isWanted(event)
  for (const series of group.filter(({ replaces }) => replaces === undefined)) {
    if (series.isCancelled) continue
    const excluded = exclusionOf(series, zones)
    const instances = [...instancesOf(series, following, adding)]
    const byDate = replacedByDate(instances, dates)
    for (const instance of instances) {
      const { instant } = instance
      if (replaced.has(instant) || byDate.has(dayOf(instance)) || excluded(instance)) continue
      const change = following.findLast(([since]) => since < instant)?.[1]
      if (!isAdded(change ?? series)) continue
      add(change ? movedAlong(change, instance, zones) : timeOf(series, instance, zones), change ?? series)
    }
  }
  for (const event of replaced.values())
    if (isAdded(event))
      add(timeOf(event, { wall: event.start.wall, instant: zones.instantOf(event.start) }, zones), event)
}

/** Returns those of the dates (days since 1970-01-01) on which a series has one instance, so that the date names it. */
function replacedByDate(instances: readonly Instance[], dates: ReadonlySet<number>): ReadonlySet<number> {
  if (dates.size === 0) return dates
  const days = instances.map(dayOf).toSorted((one, other) => one - other)
  const repeated = new Set(days.filter((day, index) => days[index - 1] === day || days[index + 1] === day))
  return dates.difference(repeated)
}

/** Returns the day of a wall time, in days since 1970-01-01. */
function dayOf({ wall }: Pick<StatedTime, 'wall'>): number {
  return Math.floor(wall / daySeconds)
}

/** One instance of a series: its wall time in the zone of the series, and its instant. */
interface Instance {
  readonly wall: number
  readonly instant: number
  /** The length of the instance in seconds if a `PERIOD` value defines it; undefined otherwise. */
  readonly seconds?: number | undefined
}

/**
 * Returns the instances of a series, each once; its rules are evaluated up to the last time that can affect the window.
 * The start of the series is always an instance (RFC 5545, 3.8.5.3), even if it does not match the rules or if they end
 * before it.
 */
function instancesOf(
  series: StatedEvent,
  following: readonly (readonly [number, StatedEvent])[],
  { zones, window, budget }: Adding,
): Iterable<Instance> {
  const { start } = series
  const first: Instance = { wall: start.wall, instant: zones.instantOf(start) }
  const found = new Map<number, Instance>([[first.instant, first]])
  // An event may replace an instance and all later ones, and move them to earlier times. Instances after the window can
  // thus be moved into it, so they are computed up to the largest such move beyond the window.
  const shift = Math.max(0, ...following.map(([since, event]) => since - zones.instantOf(event.start)))
  const last = window.end + shift + zoneMargin
  for (const rule of series.rules) {
    for (const wall of repetitions(rule, start, { last, budget })) {
      const instant = zones.instantOf({ ...start, wall })
      if (!isBefore({ wall, instant }, rule.until, { start, zones })) break
      found.set(instant, { wall, instant })
    }
  }
  for (const { start: date, seconds } of series.dates) {
    const instant =
      start.isDate === date.isDate ? zones.instantOf(date) : zones.instantOf({ ...date, isDate: start.isDate })
    found.set(instant, { wall: zones.wallOf(instant, start), instant, seconds })
  }
  return found.values()
}

/**
 * Whether an instance is not after `until`, the end of its recurrence rule; an end that is a date includes that day.
 */
function isBefore(
  { wall, instant }: Instance,
  until: StatedTime | undefined,
  { start, zones }: { readonly start: StatedTime; readonly zones: CalendarZones },
): boolean {
  if (!until) return true
  // The end of an all-day series must be a date. Some programs write the date as midnight UTC instead, which is a time
  // of the day before in zones west of UTC.
  const isDate = until.isDate || (start.isDate && until.zone === 'UTC' && until.wall % daySeconds === 0)
  if (isDate) return wall < until.wall + daySeconds
  return until.zone === 'UTC' ? instant <= zones.instantOf(until) : wall <= until.wall
}

/**
 * Returns a function that tells whether an instance of a series is excluded by an `EXDATE`; an `EXDATE` that is a date,
 * or that belongs to an all-day series, excludes all instances of that day.
 */
function exclusionOf({ exceptions, start }: StatedEvent, zones: CalendarZones): (instance: Instance) => boolean {
  const instants = new Set<number>()
  const days = new Set<number>()
  for (const exception of exceptions) {
    if (exception.isDate || start.isDate) days.add(dayOf(exception))
    else instants.add(zones.instantOf(exception))
  }
  return ({ wall, instant }) => instants.has(instant) || days.has(dayOf({ wall }))
}

/**
 * Returns the new time of an instance of a series when an earlier instance was changed together with all later ones:
 * the instance is shifted by the same difference in wall time, and gets the length of the changed instance.
 */
function movedAlong(change: StatedEvent, { instant }: Instance, zones: CalendarZones): Interval {
  const { start, replaces = start } = change
  const shift = start.wall - zones.wallOf(zones.instantOf(replaces), start)
  const wall = zones.wallOf(instant, start) + shift
  return timeOf(change, { wall, instant: zones.instantOf({ ...start, wall }) }, zones)
}

/**
 * Returns the time of an instance. The end of an all-day event, a `DTEND` in the zone of the start and the days of a
 * `DURATION` are computed in wall time, as calendar programs show them; any other end is a fixed time after the start.
 */
function timeOf(event: StatedEvent, { wall, instant, seconds }: Instance, zones: CalendarZones): Interval {
  const { start, end, duration } = event
  if (seconds !== undefined) return { start: instant, end: instant + seconds }
  if (start.isDate) {
    const length = end ? end.wall - start.wall : duration ? duration.days * daySeconds + duration.seconds : daySeconds
    const days = Math.max(1, Math.ceil(length / daySeconds))
    return { start: instant, end: zones.instantOf({ ...start, wall: wall + days * daySeconds }) }
  }
  if (end && end.zone === start.zone && !end.isDate)
    return { start: instant, end: zones.instantOf({ ...start, wall: wall + end.wall - start.wall }) }
  if (end) return { start: instant, end: instant + zones.instantOf(end) - zones.instantOf(start) }
  if (duration)
    return {
      start: instant,
      end: zones.instantOf({ ...start, wall: wall + duration.days * daySeconds }) + duration.seconds,
    }
  return { start: instant, end: instant }
}

/** Returns the union of intervals: sorted, with those that overlap or touch joined. */
function united(times: readonly Interval[]): Interval[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of times.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}

/** Whether an event cannot overlap the window, whatever its time zone is; always false for a recurring event. */
export function isOutside(event: StatedEvent, { start, end }: Interval): boolean {
  if (isRecurring(event)) return false
  const { duration } = event
  const length = duration ? duration.days * daySeconds + duration.seconds : daySeconds
  const last = event.end?.wall ?? event.start.wall + length
  return last < start - zoneMargin || event.start.wall > end + zoneMargin
}
