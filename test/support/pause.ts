import { setTimeout as after } from 'node:timers/promises'

/** The milliseconds between two reads of a loop that polls until the service has reached some state. */
const interval = 10

/**
 * Waits between two reads of a loop that polls until the service has reached some state. Without a pause, the loop
 * would occupy a processor that the service needs to reach the state.
 */
export function pause(): Promise<void> {
  return after(interval)
}
