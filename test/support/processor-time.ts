/**
 * Calls a function; returns its result and the milliseconds for which this thread occupied a processor meanwhile, which
 * other programs on the machine do not prolong.
 */
export function withProcessorTime<T>(work: () => T): { readonly result: T; readonly milliseconds: number } {
  const start = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(start)
  return { result, milliseconds: (user + system) / 1_000 }
}
