import type { Tx } from '../db/perform/app.ts'
import type { JobLease } from './job.ts'

/** A job to be added to the queue. */
export interface NewJob {
  readonly kind: string
  /** Unique among the unfinished jobs of the kind; a random key when absent. */
  readonly key?: string
  /** When the job becomes due (Unix seconds); now when absent. */
  readonly runAt?: number
  /** The payload that the handler of the job receives: plain data. */
  readonly payload?: unknown
  /**
   * The lane of the job, such as a webhook's receiver; one node runs at most `laneConcurrency` jobs of a lane at once.
   */
  readonly lane?: string
}

// SQLite accepts up to 32,766 parameters in one statement, so rows are inserted in batches.
const rowsAtOnce = 500

/**
 * Adds jobs in the transaction of an operation, so that they are committed with the operation's changes or not at all.
 *
 * To add a kind of job, declare a `JobHandler` in a `.job.ts` file and list it in `src/server/outbound-worker.ts`.
 * Operations then call `enqueue(tx, [{ kind: 'reminder', key: reservationId, runAt, payload: { reservationId } }])`. A
 * new job replaces the unfinished job of the same kind and key: time, payload and lane (the jobs with which it shares a
 * limit) are those of the new job, and attempts are counted from 0. If the replaced job is running, the new job runs
 * after that run. `cancelJobs` deletes jobs by key.
 *
 * A handler runs outside of any transaction, may wait for other systems, and writes through `perform`. After a crash a
 * run can be repeated, so a handler passes a stable identifier to other systems. `outbound: true` makes the jobs of the
 * kind wait while outbound jobs are paused. The handler returns `'done'`, `{ retryAt, why }` or `{ park }`; when it
 * throws, the job is retried with exponential backoff, or after the handler's `delays`, and parked after `maxAttempts`:
 * it then waits until a user retries it. A handler that stores the outcome of a run calls `settleJob` in the
 * transaction that stores it and returns `'settled'`, so that the outcome and the end of the job are committed
 * together.
 */
export async function enqueue(tx: Tx, jobs: readonly NewJob[]): Promise<void> {
  const rows = lastOfEach(jobs.map((job) => toRow(tx, job)))
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await tx.db.build
      .insertInto('job')
      .values(rows.slice(from, from + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['kind', 'unique_key']).doUpdateSet((row) => ({
          payload: row.ref('excluded.payload'),
          lane: row.ref('excluded.lane'),
          run_at: row.ref('excluded.run_at'),
          revision: row('job.revision', '+', 1),
          state: row.case().when('job.state', '=', 'running').then('running').else('due').end(),
          attempts: row.case().when('job.state', '=', 'running').then(row.ref('job.attempts')).else(0).end(),
          last_error: null,
        })),
      )
      .execute()
  }
}

function toRow(tx: Tx, { kind, key, runAt = tx.now, payload = null, lane = '' }: NewJob) {
  const id = tx.newId('job')
  const fixed = { id, kind, unique_key: key ?? id, lane, payload: JSON.stringify(payload) }
  return { ...fixed, state: 'due', run_at: runAt, attempts: 0, revision: 0, created_at: tx.now }
}

// PostgreSQL rejects an upsert that affects a row twice, so only the last job of each kind and key is inserted.
function lastOfEach<Row extends { readonly kind: string; readonly unique_key: string }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [`${row.kind} ${row.unique_key}`, row])).values()]
}

/**
 * Returns the time (Unix seconds) at which the unfinished job of a kind and key becomes due; for a running job, the
 * time at which it became due. Undefined when there is none, or when it is parked.
 */
export async function findRunAt(
  tx: Tx,
  { kind, key }: Required<Pick<NewJob, 'kind' | 'key'>>,
): Promise<number | undefined> {
  const row = await tx.db.build
    .selectFrom('job')
    .select('run_at')
    .where('kind', '=', kind)
    .where('unique_key', '=', key)
    .where('state', '!=', 'parked')
    .executeTakeFirst()
  return row?.run_at
}

/**
 * Deletes the unfinished jobs of a kind with these keys. A run in progress receives its abort signal when its lease is
 * next renewed, and is not repeated.
 */
export async function cancelJobs(tx: Tx, kind: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const { build, dialect } = tx.db
  await build
    .deleteFrom('job')
    .where('kind', '=', kind)
    .where((row) => dialect.listed(row.ref('unique_key'), keys, 'text'))
    .execute()
}

/** Removes the unfinished jobs of a kind in one lane (jobs that share a limit, such as those for one receiver). */
export async function cancelLane(tx: Tx, kind: string, lane: string): Promise<void> {
  await tx.db.build.deleteFrom('job').where('kind', '=', kind).where('lane', '=', lane).execute()
}

/**
 * The way in which a run ends: the job is done, runs again later (a periodic job), is retried after a failure, is
 * parked (waits until a user retries it), or is released without counting the attempt.
 */
export type Settlement =
  | { readonly kind: 'done' }
  | { readonly kind: 'again'; readonly runAt: number }
  | { readonly kind: 'retry'; readonly runAt: number; readonly why: string }
  | { readonly kind: 'park'; readonly why: string }
  | { readonly kind: 'release' }

const maxErrorLength = 500

/**
 * Ends a run of a job in the transaction of an operation. Returns false and changes nothing when the runner no longer
 * holds the lease or the job was cancelled. If `enqueue` replaced the job during the run, returns `replaced` and
 * ignores `settlement`: the job becomes due at the time that `enqueue` set.
 */
export async function settleJob(
  tx: Tx,
  lease: JobLease,
  settlement: Settlement,
): Promise<'settled' | 'replaced' | false> {
  const { build } = tx.db
  const { kind } = settlement
  if (kind === 'done') {
    const { numDeletedRows } = await build
      .deleteFrom('job')
      .where('id', '=', lease.id)
      .where('lease_owner', '=', lease.owner)
      .where('attempts', '=', lease.attempt)
      .where('revision', '=', lease.revision)
      .executeTakeFirst()
    if (numDeletedRows > 0n) return 'settled'
  } else {
    const { numUpdatedRows } = await build
      .updateTable('job')
      .set({
        ...unleased,
        ...(kind === 'park' ? { state: 'parked', run_at: tx.now } : { state: 'due' }),
        ...(kind === 'again' && { run_at: settlement.runAt, attempts: 0, last_error: null }),
        ...(kind === 'retry' && { run_at: settlement.runAt }),
        ...(kind === 'release' && { attempts: lease.attempt - 1 }),
        ...('why' in settlement && { last_error: settlement.why.slice(0, maxErrorLength) }),
      })
      .where('id', '=', lease.id)
      .where('lease_owner', '=', lease.owner)
      .where('attempts', '=', lease.attempt)
      .where('revision', '=', lease.revision)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return 'settled'
  }
  const replaced = await build
    .updateTable('job')
    .set({ ...unleased, state: 'due', attempts: 0 })
    .where('id', '=', lease.id)
    .where('lease_owner', '=', lease.owner)
    .where('attempts', '=', lease.attempt)
    .executeTakeFirst()
  return replaced.numUpdatedRows > 0n && 'replaced'
}

const unleased = { lease_owner: null, lease_until: null, started_at: null }
