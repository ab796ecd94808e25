import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import { countRows, maxCounted } from '../db/query/count-rows.ts'
import type { JobTable } from '../db/query/job-tables.ts'
import { refusal } from '../messages/refusal.ts'

/**
 * The state of a job that is not finished. A `parked` job has failed for good, after too many attempts or by its
 * handler's decision, and waits until a user retries it.
 */
export type JobState = 'due' | 'running' | 'parked'

/** One unfinished job for the panel. Its payload is not shown, as it may contain personal data. */
export interface ListedJob {
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly state: JobState
  /**
   * The time at which the job is due; for a parked job (waiting until a user retries it), the time at which it was
   * parked or, if a run did not end, was last due.
   */
  readonly runAt: number
  /** Seconds between two runs of a periodic job; null for other jobs. */
  readonly every: number | null
  readonly attempts: number
  readonly startedAt: number | null
  readonly lastError: string | null
  readonly createdAt: number
}

/** A filter of the list of jobs. */
export interface JobFilter {
  readonly state?: JobState | undefined
}

/**
 * Returns one page of the unfinished jobs, in the order of `runAt`, and their number, counted up to `maxCounted` plus
 * one.
 */
export async function listJobs(
  db: Database,
  { state }: JobFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly page: readonly ListedJob[]; readonly total: number }> {
  const found = db.build.selectFrom('job').$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
  const rows = await found.selectAll().orderBy('run_at').orderBy('id').limit(limit).offset(offset).execute()
  const total = await countRows(db, found.select('state').limit(maxCounted + 1))
  return { page: rows.map(toListedJob), total }
}

function toListedJob(row: JobTable): ListedJob {
  const { id, kind, unique_key: key, state, run_at: runAt, every, attempts, started_at: startedAt } = row
  const times = { runAt, every, startedAt, createdAt: row.created_at }
  return { id, kind, key, state: state as JobState, ...times, attempts, lastError: row.last_error }
}

/** The metrics of the job queue. */
export interface JobFigures {
  /** The number of jobs that are due now and not running. */
  readonly due: number
  /** The number of jobs that become due later, counted up to `maxCounted` plus one. */
  readonly scheduled: number
  readonly running: number
  readonly parked: number
  /** Seconds since the oldest due job became due; 0 when no job is due. */
  readonly oldestDueAge: number
}

/**
 * Counts the unfinished jobs. Most jobs of a busy site are scheduled reminders, of which only the first `maxCounted`
 * are read.
 */
export async function jobFigures(db: Database, now: number): Promise<JobFigures> {
  const waiting = sql`from job where state = 'due' and run_at`
  const { rows } = await sql<
    { [name in Exclude<keyof JobFigures, 'oldestDueAge'>]: number } & { oldest: number | null }
  >`
    select (select count(*) ${waiting} <= ${now}) as due,
      (select min(run_at) ${waiting} <= ${now}) as oldest,
      (select count(*) from (select 1 as one ${waiting} > ${now} limit ${maxCounted + 1}) as later) as scheduled,
      (select count(*) from job where state = 'running') as running,
      (select count(*) from job where state = 'parked') as parked`.execute(db.build)
  const [found] = rows
  const oldest = found?.oldest ?? null
  return {
    due: Number(found?.due),
    scheduled: Number(found?.scheduled),
    running: Number(found?.running),
    parked: Number(found?.parked),
    oldestDueAge: oldest === null ? 0 : now - Number(oldest),
  }
}

interface Named {
  readonly id: string
}

/** Makes a job that is not running due now and resets its attempts; refuses an unknown job and a running job. */
export const retryJob: Operation<Named, null> = async (tx, { id }) => {
  const { numUpdatedRows } = await tx.db.build
    .updateTable('job')
    .set({ state: 'due', run_at: tx.now, attempts: 0 })
    .where('id', '=', id)
    .where('state', '<>', 'running')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw await refusalOf(tx.db, id)
  return null
}

/**
 * The side effects of discarding a job, by kind of job. Each function receives the key of the job and runs in the
 * transaction that deletes it.
 */
export type DiscardEffects = Readonly<Record<string, (tx: Tx, key: string) => Promise<void>>>

/**
 * Returns the operation that deletes a job that is not running; it refuses an unknown job, a running job and a periodic
 * job.
 */
export function discardOperation(effects: DiscardEffects): Operation<Named, null> {
  return async (tx, { id }) => {
    const deleted = await tx.db.build
      .deleteFrom('job')
      .where('id', '=', id)
      .where('state', '<>', 'running')
      .where('every', 'is', null)
      .returning(['kind', 'unique_key'])
      .executeTakeFirst()
    if (!deleted) throw await refusalOf(tx.db, id)
    await effects[deleted.kind]?.(tx, deleted.unique_key)
    return null
  }
}

async function refusalOf(db: Database, id: string) {
  const row = await db.build.selectFrom('job').select('state').where('id', '=', id).executeTakeFirst()
  if (!row) return refusal('job_not_found')
  return refusal(row.state === 'running' ? 'job_running' : 'job_periodic')
}
