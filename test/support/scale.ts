/** The multiple of the test command's work; a full proof uses 10 and more. */
export const scale = Number(process.env.DAYBOOK_TEST_SCALE ?? 1)

/** Returns how often to repeat what is done `count` times by default, at least once. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale))
}

/**
 * A factor for time limits: 1 in a full run, which has the machine for itself; large beside other tests, which may
 * occupy the processors.
 */
export const late = scale > 1 ? 1 : 20

/**
 * The timeout of a suite that grows with the scale, in milliseconds. It ends a suite that hangs, and bounds no figure: a
 * slow machine that is busy besides takes five times as long as an idle one.
 */
export const patience = 600_000 * Math.max(1, scale)

/** The random seed of this run; `DAYBOOK_TEST_SEED` repeats a failed run, as far as the order of responses allows. */
export const seed = Number(process.env.DAYBOOK_TEST_SEED ?? Date.now() % 1_000_000)

/** Returns a deterministic generator of numbers in [0, 1) (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the median. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** Returns a percentile. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}
