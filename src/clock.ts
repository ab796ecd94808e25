/**
 * Returns the service's clock in whole Unix seconds. With a start (`DAYBOOK_NOW`), the clock runs on from the start.
 */
export function clock(startAt?: number, began: number = milliseconds()): () => number {
  if (startAt === undefined) return () => Math.floor(Date.now() / 1000)
  return () => startAt + Math.floor((milliseconds() - began) / 1000)
}

/**
 * Returns the milliseconds of the monotonic clock, which are comparable between the threads of this process. Setting
 * the machine's clock does not move a service clock with a start.
 */
export function milliseconds(): number {
  return performance.timeOrigin + performance.now()
}
