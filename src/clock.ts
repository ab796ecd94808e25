/** Returns the service's clock in whole Unix seconds; with a start (`DAYBOOK_NOW`), a clock that runs on from there. */
export function clock(startAt?: number, began: number = milliseconds()): () => number {
  if (startAt === undefined) return () => Math.floor(Date.now() / 1000)
  return () => startAt + Math.floor((milliseconds() - began) / 1000)
}

/**
 * Milliseconds of the monotonic clock, comparable between the threads of this process: setting the machine's clock does
 * not move a clock with a start.
 */
export function milliseconds(): number {
  return performance.timeOrigin + performance.now()
}
