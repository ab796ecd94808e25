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
