import { calendarOf, type Lane, windowsOf } from './lane.ts'
import { brokenLimit, type LimitedBy } from './limits.ts'
import { type Calendar, type Room, roomFor } from './occupancy.ts'
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

interface Walk {
  readonly rules: readonly Rule[]
  readonly calendars: readonly Calendar[]
}

/** Every start of the lane in the question's window that no rule refuses. */
export function openingsOf(
  lane: Lane,
  plan: Plan,
  { from, until, now }: Question,
  limited: LimitedBy | undefined,
): Openings {
  const { rule } = lane
  const earliest = Math.max(from, now + rule.leadTime)
  const before = Math.min(until, now + rule.horizon + 1)
  const windows = windowsOf(lane, plan, earliest, before)
  const walk = {
    rules: lane.members.map((member) => member.rule),
    calendars: lane.members.map((member) => calendarOf(member, plan)),
  }
  const withinLimits = limited ? limitGate(limited, rule) : undefined
  const starts: number[] = []
  const overrides: SlotOverrides[] = []
  const full: boolean[] = []
  const visit = (start: number, own: SlotOverrides) => {
    const room = roomOf(walk, start, own.capacity)
    if (room === 'busy' || (room === 'full' && !(plan.listFullSlots && seats(walk, own.capacity) > 1))) return
    if (withinLimits && !withinLimits(start)) return
    starts.push(start)
    overrides.push(own)
    full.push(room === 'full')
  }
  if (windows.some((next, index) => next.start < (windows[index - 1]?.end ?? next.start)))
    for (const [start, own] of overlappingGrid(windows, rule, earliest, before)) visit(start, own)
  else for (const window of windows) eachStart(window, rule, earliest, before, visit)
  return { starts, overrides, full }
}

/** Calls `visit` with each start of one window's grid in [earliest, before), rising. */
function eachStart(
  window: Window,
  { interval, duration }: Rule,
  earliest: number,
  before: number,
  visit: (start: number, overrides: SlotOverrides) => void,
): void {
  const skipped = Math.max(0, Math.ceil((earliest - window.start) / interval))
  const last = Math.min(window.end - duration, before - 1)
  for (let start = window.start + skipped * interval; start <= last; start += interval) visit(start, window.overrides)
}

/** The grids of windows that overlap, as one: a start that two reach belongs to the window that begins first. */
function overlappingGrid(
  windows: readonly Window[],
  rule: Rule,
  earliest: number,
  before: number,
): (readonly [number, SlotOverrides])[] {
  const grid = new Map<number, SlotOverrides>()
  for (const window of windows)
    eachStart(window, rule, earliest, before, (start, overrides) => {
      if (!grid.has(start)) grid.set(start, overrides)
    })
  return [...grid].sort(([one], [other]) => one - other)
}

/** The room that all members have: what is in one's way is in everyone's. */
function roomOf({ calendars, rules }: Walk, start: number, capacity: number | undefined): Room {
  let all: Room = 'free'
  for (let index = 0; index < calendars.length; index += 1) {
    const calendar = calendars[index]
    const rule = rules[index]
    if (!calendar || !rule) continue
    const room = roomFor(calendar, rule, start, capacity ?? rule.capacity)
    if (room === 'busy') return room
    if (room === 'full') all = room
  }
  return all
}

function seats({ rules }: Walk, capacity: number | undefined): number {
  return Math.min(...rules.map((rule) => capacity ?? rule.capacity))
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
