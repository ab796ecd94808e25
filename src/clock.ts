/**
 * Returns a function that reads the service's clock in whole Unix seconds. With `startAt` (Unix seconds, from the
 * setting `DAYBOOK_NOW`), the clock shows `startAt` at the monotonic time `began`, in milliseconds, and advances with
 * the monotonic clock.
 */
export function clock(startAt?: number, began: number = milliseconds()): () => number {
  if (startAt === undefined) return () => Math.floor(Date.now() / 1000)
  return () => startAt + Math.floor((milliseconds() - began) / 1000)
}

/** Returns the machine's clock in Unix seconds, with fraction. */
export function machineClock(): number {
  return Date.now() / 1000
}

/**
 * Returns the monotonic clock in milliseconds, which is comparable between the threads of a process and not affected
 * when the machine's clock is set.
 */
export function milliseconds(): number {
  return performance.timeOrigin + performance.now()
}
