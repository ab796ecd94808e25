import { median } from '../test/support/scale.ts'
import { quick } from './quick.ts'

/** The CPU time of one call in microseconds, over rounds that alternate with those of the other measured functions. */
export interface Figure {
  readonly median: number
  /** The first and the third quartile of the rounds, in microseconds. */
  readonly spread: readonly [number, number]
}

/**
 * Measures the functions alternately, so that a slow minute of the machine affects all alike. Each round calls a
 * function for about 200 ms of CPU time or more. In such a round, collecting the garbage of another function matters
 * little, and so does the resolution of thread times, which is 4 ms on some systems.
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

/** Formats a measurement as a line: name, median and spread. */
export function line(name: string, { median, spread: [low, high] }: Figure): string {
  return `${name.padEnd(34)} ${median.toFixed(2).padStart(10)} µs   (${low.toFixed(2)} to ${high.toFixed(2)})`
}

/** Formats values as one text without decimals: the median, then the minimum and the maximum in parentheses. */
export function medianLine(values: readonly number[]): string {
  return `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`
}

function timesToFill(call: () => unknown, milliseconds: number): number {
  // The first calls are not counted, since their code is compiled while they run.
  for (let warm = performance.now(); performance.now() - warm < 300; ) call()
  let times = 1
  while (timed(call, times) < milliseconds) times *= 2
  return times
}

/**
 * Returns the milliseconds of CPU time that this thread takes for `times` calls. Thread times exclude other load on the
 * machine.
 */
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
