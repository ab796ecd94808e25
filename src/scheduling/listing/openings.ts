import type { SlotOverrides } from '../../catalogue/providers/provider.ts'
import type { EffectiveSettings } from '../../catalogue/services/service.ts'
import { noOverrides, type Window } from '../opening-hours.ts'
import { type BookingIndex, countsOf } from '../plan/booking-index.ts'
import { seatsOf, type TakenTimes } from '../plan/occupancy.ts'
import type { Plan, SlotWindow } from '../plan/plan.ts'
import { brokenLimit, type LimitedBy } from '../rules/limits.ts'
import type { Interval } from '../time/interval.ts'
import { lowerBound } from '../time/lower-bound.ts'
import { localDay } from '../time/zone.ts'
import { limitCounts, type ProviderTimes, type SlotSource, timesOf, windowsOf } from './slot-source.ts'

/** Starts that rise, and what some of them have beside them. */
interface Starts {
  readonly starts: readonly number[]
  /** What the date changes, by start, where it changes anything. */
  readonly overrides: ReadonlyMap<number, SlotOverrides>
  /** The starts at which every seat is taken; none unless full slots are listed too. */
  readonly full: ReadonlySet<number>
}

/** The starts at which a slot source can be booked. */
export interface Openings extends Starts {
  /** The reservations there are of exactly each slot, by start, where there are any. */
  readonly reserved: ReadonlyMap<number, number>
  /** The last start that only the lead time keeps away, and the first that only the horizon does; infinite if none. */
  readonly tooSoon: number
  readonly tooFar: number
}

const never = Number.POSITIVE_INFINITY

const noneDiffers: ReadonlyMap<number, SlotOverrides> = new Map()
const noneIsFull: ReadonlySet<number> = new Set()

/** Every start of the slot source in the question's window that no rule refuses. */
export function openingsOf(
  slotSource: SlotSource,
  plan: Plan,
  bookingIndex: BookingIndex,
  { from, until, now }: SlotWindow,
): Openings {
  return openingsAt(timelessOpenings(slotSource, plan, bookingIndex, { start: from, end: until }), slotSource.rule, now)
}

/** Every start of the slot source in a stretch that no rule but lead time and horizon can refuse: they do not age. */
export function timelessOpenings(
  slotSource: SlotSource,
  plan: Plan,
  bookingIndex: BookingIndex,
  within: Interval,
): Openings {
  const { rule, members } = slotSource
  const windows = apart(windowsOf(slotSource, plan, within.start, within.end), rule)
  let room = members.map((member) => withRoom(windows, member.rule, timesOf(member, plan), within)).reduce(together)
  if (room.full.size > 0) {
    // Full slots are listed only where asked, and only where there is room for several.
    const fewest = Math.min(...members.map((member) => member.rule.capacity))
    const { full, overrides } = room
    const several = (start: number) => (overrides.get(start)?.capacity ?? fewest) > 1
    room = only(room, (start) => !full.has(start) || (plan.listFullSlots && several(start)))
  }
  const limited = limitCounts(slotSource, bookingIndex)
  if (limited) room = only(room, limitGate(limited, rule))
  const reserved = countsOf(bookingIndex.ofBoth(rule.serviceId, rule.providerId), room.starts, rule.duration)
  const { starts, overrides, full } = room
  return { starts, overrides, full, reserved, tooSoon: -never, tooFar: never }
}

/** Of openings that do not age, those that neither lead time nor horizon keeps away now, and what is next to them. */
export function openingsAt(ever: Openings, { leadTime, horizon }: EffectiveSettings, now: number): Openings {
  const { starts: all, overrides, full, reserved } = ever
  const [soonest, latest] = [now + leadTime, now + horizon]
  // Of most days all or none.
  if (all.length === 0 || ((all[0] ?? 0) >= soonest && (all[all.length - 1] ?? 0) <= latest)) return ever
  const first = lowerBound(all, soonest)
  const after = lowerBound(all, latest + 1)
  const starts = all.slice(first, after)
  return { starts, overrides, full, reserved, tooSoon: all[first - 1] ?? -never, tooFar: all[after] ?? never }
}

/** Those of openings that do not age which lie in a stretch. What some starts have beside them is shared. */
export function openingsWithin(ever: Openings, { start, end }: Interval): Openings {
  return { ...ever, starts: ever.starts.slice(lowerBound(ever.starts, start), lowerBound(ever.starts, end)) }
}

/**
 * Windows of which none begins before the one before has ended. Where some do, each start of their grids becomes a window
 * of its own, and one that two of them reach belongs to the one that begins first.
 */
function apart(windows: readonly Window[], { interval, duration }: EffectiveSettings): readonly Window[] {
  let previous = Number.NEGATIVE_INFINITY
  let overlap = false
  for (const { start, end } of windows) {
    overlap ||= start < previous
    previous = end
  }
  if (!overlap) return windows
  const starts = new Map<number, Window>()
  for (const { start: opens, end: closes, overrides } of windows)
    for (let start = opens; start + duration <= closes; start += interval)
      if (!starts.has(start)) starts.set(start, { start, end: start + duration, overrides })
  return [...starts.values()].sort((one, other) => one.start - other.start)
}

/**
 * The starts within `asked` that meet nothing in one calendar but seats of their own slot. A slot that has seats already
 * shares the time its first seat took, so it only needs a free seat.
 */
function withRoom(
  windows: readonly Window[],
  rule: EffectiveSettings,
  { occupied, blocked }: ProviderTimes,
  asked: Interval,
): Starts {
  const { interval, duration, bufferBefore, bufferAfter } = rule
  const starts: number[] = []
  // Made when something goes in: mostly nothing does.
  let overrides: Map<number, SlotOverrides> | undefined
  let full: Set<number> | undefined
  // The first of each, by start, that has not ended before the start looked at: if that one begins too late to be in the
  // way, so do all after it. Kept in locals, as this loop is the engine's speed.
  let block = blocked.first
  let taken = occupied.first
  let blockStart = edge(blocked.starts, block, blocked.after)
  let blockEnd = edge(blocked.ends, block, blocked.after)
  let takenStart = edge(occupied.starts, taken, occupied.after)
  let takenEnd = edge(occupied.ends, taken, occupied.after)
  for (const window of windows) {
    const own = window.overrides
    const capacity = own.capacity ?? rule.capacity
    const last = Math.min(window.end - duration, asked.end - 1)
    const skipped = window.start < asked.start ? Math.ceil((asked.start - window.start) / interval) : 0
    for (let start = window.start + skipped * interval; start <= last; start += interval) {
      const from = start - bufferBefore
      const until = start + duration + bufferAfter
      while (blockEnd <= from) {
        block += 1
        blockStart = edge(blocked.starts, block, blocked.after)
        blockEnd = edge(blocked.ends, block, blocked.after)
      }
      if (blockStart < until) continue
      while (takenEnd <= from) {
        taken += 1
        takenStart = edge(occupied.starts, taken, occupied.after)
        takenEnd = edge(occupied.ends, taken, occupied.after)
      }
      const seats = takenStart < until ? seatsTaken(occupied, taken, rule, start) : 0
      if (takenStart < until && seats === 0) continue
      starts.push(start)
      if (own !== noOverrides) overrides = (overrides ?? new Map()).set(start, own)
      if (seats >= capacity) full = (full ?? new Set()).add(start)
    }
  }
  return { starts, overrides: overrides ?? noneDiffers, full: full ?? noneIsFull }
}

/** The start or the end of a row; behind the last one, what never comes. */
function edge(column: Float64Array, row: number, after: number): number {
  return row < after ? (column[row] ?? never) : never
}

/** Seats taken of the very slot at `start`, looking on from one taken time; 0 when only others are in the way. */
function seatsTaken(
  occupied: TakenTimes,
  from: number,
  { serviceId, duration }: EffectiveSettings,
  start: number,
): number {
  return seatsOf(occupied, { serviceId, start, end: start + duration }, from)
}

/** The starts that both have room for: full when either is. */
function together(one: Starts, other: Starts): Starts {
  const others = new Set(other.starts)
  return only({ ...one, full: one.full.union(other.full) }, (start) => others.has(start))
}

function only({ starts, overrides, full }: Starts, keeps: (start: number) => boolean): Starts {
  return { starts: starts.filter(keeps), overrides, full }
}

/** Whether the limits allow one more at a start; all starts of one local day have one answer. */
function limitGate(limited: LimitedBy, rule: EffectiveSettings): (start: number) => boolean {
  let day = { start: 0, end: 0 }
  let allowed = false
  return (start) => {
    if (start < day.start || start >= day.end) {
      day = localDay(limited.zone, start)
      allowed = brokenLimit(limited, rule, start) === undefined
    }
    return allowed
  }
}
