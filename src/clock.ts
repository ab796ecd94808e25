/** Returns the service's clock in whole Unix seconds; with a start (`DAYBOOK_NOW`), a clock that runs on from there. */
export function clock(startAt?: number): () => number {
  if (startAt === undefined) return () => Math.floor(Date.now() / 1000)
  // Uses the monotonic clock, so that setting the machine's clock does not move a clock with a start.
  const began = performance.now()
  return () => startAt + Math.floor((performance.now() - began) / 1000)
}
