/** The service's clock in whole Unix seconds; with a start, it begins there and runs at the pace of real time. */
export function clock(startAt?: number): () => number {
  if (startAt === undefined) return () => Math.floor(Date.now() / 1000)
  // Measured by the monotonic clock, so that setting the machine's clock does not move a chosen one.
  const began = performance.now()
  return () => startAt + Math.floor((performance.now() - began) / 1000)
}
