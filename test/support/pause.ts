import { setTimeout as after } from 'node:timers/promises'

/** The milliseconds between two reads of a loop that ends once the service has reached a state. */
const interval = 10

/**
 * Waits before the next read of such a loop. A loop without a pause occupies a processor that the service needs to reach
 * the state.
 */
export function pause(): Promise<void> {
  return after(interval)
}
