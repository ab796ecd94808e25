/** One row of the promises, and what proves it. */
export interface Proof {
  readonly row: string
  readonly promise: string
  /** Test files that read `DAYBOOK_TEST_SCALE` and `DAYBOOK_TEST_SEED` and report by `proved`. */
  readonly files: readonly string[]
  /** How many times as much as `npm test` does of it. */
  readonly scale: number
  /** Into how many runs that is divided, each with a seed of its own: what is kept when a run is cut off. */
  readonly parts: number
}

/** Every promise that `npm run prove` proves at full size, in the order of the page. */
export const proofs: readonly Proof[] = [
  {
    row: 'B1',
    promise: 'A seat is never sold twice, nor left unsold to one who asked.',
    files: ['test/concurrency/seats.test.ts'],
    scale: 40,
    parts: 10,
  },
  {
    row: 'B2',
    promise: 'Confirming, coming back, moving, edited settings and blocked time obey the same check as booking.',
    files: ['test/concurrency/storm.test.ts'],
    scale: 40,
    parts: 20,
  },
  {
    row: 'B3',
    promise: 'What clients were answered can be explained by some order of what they asked, for each provider.',
    files: ['test/concurrency/history.test.ts', 'test/concurrency/linear.test.ts'],
    scale: 150,
    parts: 1,
  },
  {
    row: 'B6',
    promise: 'The lock and the constraint each keep a seat from being sold twice alone.',
    files: ['test/concurrency/defences.test.ts'],
    scale: 10,
    parts: 10,
  },
]
