import type { Interval } from './interval.ts'
import type { Rule } from './service.ts'

/** Names one slot of one service; seats of the same slot share their provider's time. */
export function slotKey(serviceId: string, start: number, end: number): string {
  return `${serviceId}:${start}:${end}`
}

/** A provider's time taken by one slot, buffers included; `taken` counts its seats, holds that have not expired too. */
export interface Occupied extends Interval {
  readonly slot: string
  readonly taken: number
}

/** A provider's time blocked by something that is no reservation. */
export interface Blocked extends Interval {
  readonly source: 'time_off' | 'calendar'
}

/** What one slot finds in a provider's time: room, its own seats all taken, or something else in its way. */
export type Room = 'free' | 'full' | 'busy'

/** One provider's taken time, walked beside slots of one service whose starts rise. */
export interface Calendar {
  readonly occupied: readonly Occupied[]
  /** Without overlaps, by start. */
  readonly blocked: readonly Interval[]
  /** The first of each that has not ended before the slot last asked for. */
  nextOccupied: number
  nextBlocked: number
}

/**
 * The room for an appointment of the rule at `start`. A slot that has seats already shares the time its first seat took,
 * so it only needs a free seat; anything else in the time of appointment and buffers is in its way.
 */
export function roomFor(calendar: Calendar, rule: Rule, start: number, capacity: number): Room {
  const end = start + rule.duration
  const from = start - rule.bufferBefore
  const until = end + rule.bufferAfter
  const { blocked, occupied } = calendar
  while ((blocked[calendar.nextBlocked]?.end ?? until) <= from) calendar.nextBlocked += 1
  if ((blocked[calendar.nextBlocked]?.start ?? until) < until) return 'busy'
  while ((occupied[calendar.nextOccupied]?.end ?? until) <= from) calendar.nextOccupied += 1
  let index = calendar.nextOccupied
  let other = false
  for (let taken = occupied[index]; taken && taken.start < until; taken = occupied[++index]) {
    if (isSlot(taken, rule.serviceId, start, end)) return taken.taken < capacity ? 'free' : 'full'
    other = true
  }
  if (other) return 'busy'
  return capacity > 0 ? 'free' : 'full'
}

/** Whether the time was taken by exactly this slot; it is then at least the appointment. */
export function isSlot(taken: Occupied, serviceId: string, start: number, end: number): boolean {
  // The cheap half first: most of what is in the way is another slot, and naming a slot makes a string.
  return taken.start <= start && taken.end >= end && taken.slot === slotKey(serviceId, start, end)
}
