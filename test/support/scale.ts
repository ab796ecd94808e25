/** How much more than the test command is to be done; the full proof asks for 10 and more. */
export const scale = Number(process.env.DAYBOOK_TEST_SCALE ?? 1)

/** How often to do what is done `count` times by default: `DAYBOOK_TEST_SCALE` times as often, at least once. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale))
}

/**
 * By how much what must be done in a certain time may be late: not at all in a full run, which has the machine for
 * itself; much beside other tests, which may have the processors just then.
 */
export const late = scale > 1 ? 1 : 20

/** Milliseconds after which a suite that grows with the scale is given up. */
export const patience = 100_000 * Math.max(1, scale)

/** Where chance starts in this run; `DAYBOOK_TEST_SEED` repeats one that failed, as far as the order of answers allows. */
export const seed = Number(process.env.DAYBOOK_TEST_SEED ?? Date.now() % 1_000_000)

/** A source of numbers in [0, 1) that gives the same ones for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** What this share of the values stays below. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}
