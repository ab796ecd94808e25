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
    row: 'B4',
    promise: 'A slot id is good for nothing but what was shown.',
    files: ['test/api/slot-ids.test.ts', 'test/api/nodes.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'B5',
    promise: 'A write that is sent again is one write, whatever died between.',
    files: ['test/crash/repeated-write.test.ts', 'test/concurrency/idempotency.test.ts'],
    scale: 50,
    parts: 25,
  },
  {
    row: 'B6',
    promise: 'The lock and the constraint each keep a seat from being sold twice alone.',
    files: ['test/concurrency/defences.test.ts'],
    scale: 10,
    parts: 10,
  },
  {
    row: 'S1',
    promise: 'What was answered survives kill -9, and no booking is kept by half.',
    files: ['test/crash/kill.test.ts'],
    scale: 50,
    parts: 25,
  },
  {
    row: 'S2',
    promise: 'What was answered survives the loss of power; without full syncing it does not.',
    files: ['test/crash/power.test.ts'],
    scale: 40,
    parts: 20,
  },
  {
    row: 'S3',
    promise: 'A full disk is a clean refusal.',
    files: ['test/crash/full-disk.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'S4',
    promise: 'Backups are taken while it works, restore whole, and are refused when damaged.',
    files: ['test/cli/backup.test.ts'],
    scale: 10,
    parts: 5,
  },
  {
    row: 'S5',
    promise: 'One server a file, commands beside it, and a log of writes that does not grow without end.',
    files: ['test/crash/one-server.test.ts', 'test/api/connections.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'A1',
    promise: 'A revoked token is refused by every node a second later.',
    files: ['test/api/nodes.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'A2',
    promise: 'Every oddity of credentials has its answer on every route.',
    files: ['test/hostile/headers.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'A3',
    promise: 'Every route asks for its scope.',
    files: ['test/api/matrix.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'A4',
    promise: 'Any request gets a documented answer, and what it says is so.',
    files: ['test/fuzz/api.test.ts'],
    scale: 250,
    parts: 10,
  },
  {
    row: 'A5',
    promise: 'Hostile bodies are refused and change nothing.',
    files: ['test/hostile/bodies.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'A6',
    promise: 'Slow and hostile connections end, and nobody else waits for them.',
    files: ['test/api/connections.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'A7',
    promise: 'Overload is refused at once, and what is let in is answered in time.',
    files: ['test/api/saturation.test.ts', 'test/api/overload.test.ts'],
    scale: 5,
    parts: 1,
  },
  {
    row: 'A8',
    promise: 'Stopping under load loses nothing.',
    files: ['test/crash/restart.test.ts'],
    scale: 10,
    parts: 2,
  },
  {
    row: 'T1',
    promise: 'Windows add up, and answers are the same in every zone and locale of the server.',
    files: ['test/api/time.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'T2',
    promise: 'The slots on offer are those of a minute-by-minute reading of the rules, in every zone.',
    files: ['test/properties/availability.test.ts'],
    scale: 125,
    parts: 25,
  },
  {
    row: 'M',
    promise: 'The tests notice at least 85 of 100 small faults put into the files that decide.',
    files: ['test/mutation/score.ts'],
    // One part, whatever the scale: it only gives it time.
    scale: 100,
    parts: 1,
  },
]
