/**
 * The factor by which tests multiply their repetitions, from `DAYBOOK_TEST_SCALE`. The factor is 1 in `npm test`; in
 * `npm run prove`, the scale of the proof divided by its number of parts (see `proofs.ts`).
 */
export const scale = Number(process.env.DAYBOOK_TEST_SCALE ?? 1)

/** Returns a number of repetitions multiplied by the scale, and at least 1. */
export function scaled(count: number): number {
  return Math.max(1, Math.round(count * scale))
}

/**
 * The factor for time limits: 1 when the scale is above 1, as in a proof that has the machine to itself; otherwise 20,
 * because other tests of `npm test` may occupy the processors.
 */
export const timeLimitFactor = scale > 1 ? 1 : 20

/**
 * The timeout of a suite, in milliseconds, which grows with the scale. The timeout is long enough to end only a suite
 * that hangs, because a slow and busy machine may take five times as long as an idle one.
 */
export const suiteTimeout = 600_000 * Math.max(1, scale)

/**
 * The milliseconds after which a loop gives up that waits for the service to reach some state. They are long enough to
 * end only a loop that hangs, because a slow and busy machine may take ten times as long as an idle one.
 */
export const hangLimit = 300_000

/** The random seed of this run; `DAYBOOK_TEST_SEED` repeats a failed run, as far as the order of responses allows. */
export const seed = Number(process.env.DAYBOOK_TEST_SEED ?? Date.now() % 1_000_000)

/** Returns a deterministic generator of numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the median of the values, the larger of the two middle values of an even number; 0 when there are none. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/**
 * Returns the value below which the fraction `share` (from 0 to less than 1) of the values lies; 0 when there are no
 * values.
 */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}
