import type { Interval } from './interval.ts'

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

/** Whether the time was taken by exactly this slot; it is then at least the appointment. */
export function isSlot(taken: Occupied, serviceId: string, start: number, end: number): boolean {
  // The cheap half first: most of what is in the way is another slot, and naming a slot makes a string.
  return taken.start <= start && taken.end >= end && taken.slot === slotKey(serviceId, start, end)
}
