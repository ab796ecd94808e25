import { quick } from './quick.ts'

/** How long one call of each takes, in microseconds, over interleaved rounds. */
export interface Figure {
  readonly median: number
  /** The middle half of all rounds. */
  readonly spread: readonly [number, number]
}

/**
 * Times every function in turns, so that a slow minute of the machine hurts all alike. Each round calls a function as
 * often as fills 200 ms: what one leaves to be collected is then little beside the time of the next, and so are the 4 ms
 * in steps of which some systems count a thread's time.
 */
export function measure<Name extends string>(
  calls: Readonly<Record<Name, () => unknown>>,
  rounds = 21,
): Record<Name, Figure> {
  const entries = Object.entries<() => unknown>(calls).map(([name, call]) => ({
    name,
    call,
    times: timesToFill(call, quick ? 10 : 200),
    taken: [] as number[],
  }))
  for (let round = 0; round < rounds; round += 1)
    for (const { call, times, taken } of entries) taken.push((timed(call, times) * 1000) / times)
  return Object.fromEntries(entries.map(({ name, taken }) => [name, figureOf(taken)])) as Record<Name, Figure>
}

/** A line for a person: name, median and spread. */
export function line(name: string, { median, spread: [low, high] }: Figure): string {
  return `${name.padEnd(34)} ${median.toFixed(2).padStart(10)} µs   (${low.toFixed(2)} to ${high.toFixed(2)})`
}

function timesToFill(call: () => unknown, milliseconds: number): number {
  // Warm first: the first calls are compiled while they run.
  for (let warm = performance.now(); performance.now() - warm < 300; ) call()
  let times = 1
  while (timed(call, times) < milliseconds) times *= 2
  return times
}

/** Milliseconds of this thread's own time: what others do on the machine meanwhile does not count. */
function timed(call: () => unknown, times: number): number {
  const begun = process.threadCpuUsage()
  for (let index = 0; index < times; index += 1) call()
  const { user, system } = process.threadCpuUsage(begun)
  return (user + system) / 1000
}

function figureOf(taken: readonly number[]): Figure {
  const sorted = [...taken].sort((one, other) => one - other)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { median: at(0.5), spread: [at(0.25), at(0.75)] }
}
