/** A promise of the documentation, with the test files that prove it. */
export interface ProofDefinition {
  readonly row: string
  readonly promise: string
  /**
   * The test files, most of which read `DAYBOOK_TEST_SCALE` and `DAYBOOK_TEST_SEED`; at least one of them reports
   * figures with `proved`.
   */
  readonly files: readonly string[]
  /** The factor by which repetitions of the tests are multiplied compared with `npm test`. */
  readonly scale: number
  /**
   * The number of runs among which the scale is divided, each with its own seed; an interrupted proof continues at
   * the next run.
   */
  readonly parts: number
}

/** Every promise that `npm run prove` proves at full size, in the order of the report. */
export const proofs: readonly ProofDefinition[] = [
  {
    row: 'B1',
    promise: 'No seat is booked twice, and no request for a free seat is refused.',
    files: ['test/concurrency/seats.test.ts'],
    scale: 40,
    parts: 10,
  },
  {
    row: 'B2',
    promise:
      'Confirming, restoring, moving, edited settings and blocked time pass the same check as booking; only deliberate double bookings overlap.',
    files: ['test/concurrency/storm.test.ts'],
    scale: 40,
    parts: 20,
  },
  {
    row: 'B3',
    promise: 'The answers that clients got are linearizable for each provider.',
    files: ['test/concurrency/history.test.ts', 'test/concurrency/linear.test.ts'],
    scale: 150,
    parts: 1,
  },
  {
    row: 'B4',
    promise: 'A slot id is valid for exactly the slot that was listed.',
    files: ['test/api/slot-ids.test.ts', 'test/api/nodes.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'B5',
    promise: 'A retried write takes effect once, whatever crashed in between.',
    files: ['test/crash/repeated-write.test.ts', 'test/concurrency/idempotency.test.ts'],
    scale: 50,
    parts: 25,
  },
  {
    row: 'B6',
    promise: 'Lock and constraint each prevent a double booking on their own.',
    files: ['test/concurrency/defences.test.ts'],
    // Each part has a scale above 1, at which the tests on PostgreSQL use three nodes (see `nodesOf`).
    scale: 10,
    parts: 5,
  },
  {
    row: 'B7',
    promise: 'Cached availability is what is computed anew, on each of two nodes that write at the same time.',
    files: ['test/properties/cached-availability.test.ts'],
    scale: 25,
    parts: 5,
  },
  {
    row: 'S1',
    promise: 'Acknowledged writes survive kill -9, and no reservation is stored in part.',
    files: ['test/crash/kill.test.ts'],
    scale: 50,
    parts: 25,
  },
  {
    row: 'S2',
    promise: 'Acknowledged writes survive a power failure; without full syncing they do not.',
    files: ['test/crash/power.test.ts'],
    scale: 40,
    parts: 20,
  },
  {
    row: 'S3',
    promise: 'A full disk leads to a clean refusal.',
    files: ['test/crash/full-disk.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'S4',
    promise: 'Backups are taken under load, restore completely, and are refused when damaged.',
    files: ['test/cli/backup.test.ts'],
    scale: 10,
    parts: 5,
  },
  {
    row: 'S5',
    promise: 'One server per file, commands beside it, and a write-ahead log of bounded size.',
    files: ['test/crash/one-server.test.ts', 'test/api/connections.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'W1',
    promise: 'Every committed change is announced to webhooks, and none that was rolled back.',
    files: ['test/crash/webhooks.test.ts'],
    scale: 50,
    parts: 25,
  },
  {
    row: 'W2',
    promise: 'Deliveries are signed as Standard Webhooks says.',
    files: ['test/webhooks/signatures.test.ts'],
    scale: 50,
    parts: 10,
  },
  {
    row: 'W3',
    promise: 'Retries follow the schedule; Retry-After, 410 and five days of failure are obeyed.',
    files: ['test/webhooks/delivery.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'W4',
    promise: 'A dead endpoint delays no other.',
    files: ['test/webhooks/dead-endpoint.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'W5',
    promise: 'No spelling of an inner address is reached.',
    files: ['src/http/outbound/outbound-client.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'W7',
    promise: 'Nothing that a user types adds a header, a calendar property, markup, a formula or a field of a request.',
    files: ['test/properties/hostile-mail.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'W8',
    promise:
      'Whoever pays has the seat or the money back, and processor, books and reservations agree, whatever is lost, repeated, late, reordered or killed.',
    files: ['test/concurrency/payments.test.ts'],
    scale: 250,
    parts: 25,
  },
  {
    row: 'W9',
    promise:
      'A calendar to which reservations are written has exactly one event of each, whenever the service is killed.',
    files: ['test/crash/calendars.test.ts'],
    scale: 63,
    parts: 21,
  },
  {
    row: 'N1',
    promise:
      'Every reminder is sent, and at most once more when the service is killed after the mail server accepted it.',
    files: ['test/crash/reminders.test.ts'],
    scale: 500,
    parts: 1,
  },
  {
    row: 'A1',
    promise: 'Every node refuses a revoked token within a second.',
    files: ['test/api/nodes.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'A2',
    promise: 'Every malformed credential has a defined answer on every route.',
    files: ['test/hostile/headers.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'A3',
    promise: 'Every route requires its scope.',
    files: ['test/api/matrix.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'A4',
    promise: 'Every request gets a documented answer that is true.',
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
    promise: 'Slow and hostile connections are destroyed and delay no other client.',
    files: ['test/api/connections.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'A7',
    promise: 'Overload is refused at once, and admitted requests are answered in time.',
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
    row: 'W6',
    promise: 'A connected calendar that was not read for too long makes its provider unavailable.',
    files: ['test/calendars/sync.test.ts'],
    scale: 1,
    parts: 1,
  },
  {
    row: 'T1',
    promise: 'Adjacent windows add up, and answers are the same in every zone and locale of the server.',
    files: ['test/api/time.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'T2',
    promise: 'The listed slots are those of a minute-by-minute model of the rules, in every zone.',
    files: ['test/properties/availability.test.ts'],
    scale: 125,
    parts: 25,
  },
  {
    row: 'T3',
    promise: 'Series of connected calendars expand as by another implementation, across clock changes.',
    files: ['test/properties/recurrence.test.ts'],
    scale: 10,
    parts: 1,
  },
  {
    row: 'C1',
    promise: 'The container image serves a booking as its own user, with a read-only root.',
    files: ['test/container.test.ts'],
    scale: 2,
    parts: 1,
  },
  {
    row: 'F1',
    promise:
      'Three machines survive the loss of one, of the primary and of its network: nothing acknowledged is lost, nothing doubled, and bookings go on within 45 seconds.',
    files: ['test/failover/failover.test.ts'],
    scale: 20,
    parts: 10,
  },
  {
    row: 'U1',
    promise: 'An upgrade node by node loses no request, and refuses for less than a second.',
    files: ['test/failover/upgrade.test.ts'],
    scale: 2,
    parts: 1,
  },
  {
    row: 'P1',
    promise:
      'PostgreSQL restarts, ended connections and an exhausted pool end no node, double nothing, and bookings go on within five seconds.',
    files: ['test/failover/database-restart.test.ts'],
    // Each part has a scale above 1, at which the time limits are those of the promise.
    scale: 20,
    parts: 4,
  },
  {
    row: 'D1',
    promise:
      'A working day at the front desk is done in four languages on a desktop and a phone: known callers in 15 seconds, new ones in 30.',
    files: ['test/web/panel-working-day.test.ts'],
    scale: 8,
    parts: 8,
  },
  {
    row: 'M',
    promise: 'The tests detect at least 85 of 100 mutants in the files that decide.',
    files: ['test/mutation/score.ts'],
    // The scale of this proof only extends its time limit, so the proof has one part.
    scale: 100,
    parts: 1,
  },
]
