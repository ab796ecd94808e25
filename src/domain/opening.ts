import type { Interval } from './interval.ts'
import { type Calendar, calendarOf, type Lane, windowsOf } from './lane.ts'
import { brokenLimit, type LimitedBy } from './limits.ts'
import { isSlot, type Occupied } from './occupancy.ts'
import type { Plan, Question } from './plan.ts'
import type { SlotOverrides } from './provider.ts'
import type { Window } from './schedule.ts'
import type { Rule } from './service.ts'
import { localDay } from './zone.ts'

/** The starts at which a lane can be booked, rising, with what each has beside it, index by index. */
export interface Openings {
  readonly starts: readonly number[]
  readonly overrides: readonly SlotOverrides[]
  /** Whether every seat is taken; only there when full slots are listed too. */
  readonly full: readonly boolean[]
}

const nothing: Interval = { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY }
const none: Openings = { starts: [], overrides: [], full: [] }

/** Every start of the lane in the question's window that no rule refuses. */
export function openingsOf(
  lane: Lane,
  plan: Plan,
  { from, until, now }: Question,
  limited: LimitedBy | undefined,
): Openings {
  const { rule, members } = lane
  const earliest = Math.max(from, now + rule.leadTime)
  const before = Math.min(until, now + rule.horizon + 1)
  const windows = apart(windowsOf(lane, plan, earliest, before), rule)
  const [first = none, ...others] = members.map((member) =>
    withRoom(windows, member.rule, calendarOf(member, plan), { start: earliest, end: before }),
  )
  let openings = others.reduce(together, first)
  if (openings.full.includes(true)) {
    // Full slots are listed only where asked, and only where there is room for several.
    const fewest = Math.min(...members.map((member) => member.rule.capacity))
    const { full, overrides } = openings
    openings = only(openings, (_, n) => !full[n] || (plan.listFullSlots && (overrides[n]?.capacity ?? fewest) > 1))
  }
  return limited ? only(openings, limitGate(limited, rule)) : openings
}

/**
 * Windows of which none begins before the one before has ended. Where some do, each start of their grids becomes a window
 * of its own, and one that two of them reach belongs to the one that begins first.
 */
function apart(windows: readonly Window[], { interval, duration }: Rule): readonly Window[] {
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
function withRoom(windows: readonly Window[], rule: Rule, { occupied, blocked }: Calendar, asked: Interval): Openings {
  const { interval, duration, bufferBefore, bufferAfter } = rule
  const starts: number[] = []
  const overrides: SlotOverrides[] = []
  const full: boolean[] = []
  // The next of each that has not ended before the start looked at, kept in locals: this loop is the whole speed of it.
  let block = 0
  let taken = 0
  let { start: blockStart, end: blockEnd } = blocked[0] ?? nothing
  let { start: takenStart, end: takenEnd } = occupied[0] ?? nothing
  for (const window of windows) {
    const capacity = window.overrides.capacity ?? rule.capacity
    const last = Math.min(window.end - duration, asked.end - 1)
    const skipped = window.start < asked.start ? Math.ceil((asked.start - window.start) / interval) : 0
    for (let start = window.start + skipped * interval; start <= last; start += interval) {
      const from = start - bufferBefore
      const until = start + duration + bufferAfter
      while (blockEnd <= from) ({ start: blockStart, end: blockEnd } = next(blocked, ++block))
      if (blockStart < until) continue
      while (takenEnd <= from) ({ start: takenStart, end: takenEnd } = next(occupied, ++taken))
      const seats = takenStart < until ? seatsTaken(occupied, taken, rule, start) : 0
      if (takenStart < until && seats === 0) continue
      starts.push(start)
      overrides.push(window.overrides)
      full.push(seats >= capacity)
    }
  }
  return { starts, overrides, full }
}

function next(sorted: readonly Interval[], index: number): Interval {
  return index < sorted.length ? (sorted[index] ?? nothing) : nothing
}

/** Seats taken of the very slot at `start`, looking on from one taken time; 0 when only others are in the way. */
function seatsTaken(occupied: readonly Occupied[], first: number, rule: Rule, start: number): number {
  const end = start + rule.duration
  const until = end + rule.bufferAfter
  for (let index = first; index < occupied.length; index += 1) {
    const taken = occupied[index]
    if (!taken || taken.start >= until) return 0
    if (isSlot(taken, rule.serviceId, start, end)) return taken.taken
  }
  return 0
}

/** The openings that both have: full when either is. */
function together(one: Openings, other: Openings): Openings {
  const fullOfOther = new Map(other.starts.map((start, index) => [start, other.full[index] === true]))
  const both = only(one, (start) => fullOfOther.has(start))
  return { ...both, full: both.full.map((full, index) => full || fullOfOther.get(both.starts[index] ?? 0) === true) }
}

function only({ starts, overrides, full }: Openings, keeps: (start: number, index: number) => boolean): Openings {
  const kept = starts.map(keeps)
  return {
    starts: starts.filter((_, index) => kept[index]),
    overrides: overrides.filter((_, index) => kept[index]),
    full: full.filter((_, index) => kept[index]),
  }
}

/** Whether the limits allow one more at a start; all starts of one local day have one answer. */
function limitGate(limited: LimitedBy, rule: Rule): (start: number) => boolean {
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
