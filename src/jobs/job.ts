/** The result of one run of a job. The panel shows `why` or `park` as the reason. */
export type JobResult =
  /** The job is finished and deleted. */
  | 'done'
  /** The handler has settled the job in its own transaction, with `settleJob`. */
  | 'settled'
  /**
   * The job runs again at this instant (Unix seconds). The run counts as a failed attempt, but is never the one that
   * parks the job.
   */
  | { readonly retryAt: number; readonly why: string }
  /** The job is parked for this reason: it does not run again until a user retries it or `enqueue` replaces it. */
  | { readonly park: string }

/** One run of a job, as its handler receives it. */
export interface JobRun {
  readonly id: string
  readonly key: string
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** The lease of this run, by which `settleJob` recognises it. */
  readonly lease: JobLease
  /**
   * Aborted when the service stops, or when a renewal finds the lease lost, because the job was cancelled or taken over
   * by another runner. Leases are renewed every 10 seconds, so until then the run continues beside that of the other
   * runner; after an outage or a suspension of the process, that can be longer.
   */
  readonly signal: AbortSignal
}

/** The lease with which a runner may settle one run of a job. */
export interface JobLease {
  readonly id: string
  readonly owner: string
  readonly attempt: number
  readonly revision: number
}

/** Runs the jobs of one kind; declares how many run at once and how often a failed job is retried. */
export interface JobHandler {
  readonly kind: string
  /** The maximum number of jobs of this kind that one node runs at once. */
  readonly concurrency: number
  /**
   * The maximum number of jobs of one lane, such as a webhook's receiver, that one node runs at once; no limit when
   * absent.
   */
  readonly laneConcurrency?: number
  /**
   * The attempt from which an error of the handler parks the job (the job waits until a user retries it). Runs that
   * returned `retryAt` count as attempts.
   */
  readonly maxAttempts: number
  /**
   * Seconds to wait after each failed attempt, in order, before a random addition (see `retryDelay`); the last value
   * repeats. Exponential backoff when absent.
   */
  readonly delays?: readonly number[]
  /** Whether a run sends requests to other systems. Such jobs are not started while outbound work is paused. */
  readonly outbound?: true
  run(payload: unknown, run: JobRun): Promise<JobResult>
}

/** A job that runs periodically on one node of the site. */
export interface Schedule {
  readonly kind: string
  /**
   * Seconds from the end of a successful run of this periodic job to its next run. A failed run is repeated after at
   * most 60 seconds.
   */
  readonly every: number
  /**
   * Whether the job also becomes due each time a node starts. Otherwise, its next run is due at most `every` seconds
   * after the start.
   */
  readonly atStart?: true
  /**
   * Runs the job. When `signal` is aborted (see `JobRun`), a job of several batches throws after the present one; it is
   * then due at once.
   */
  run(signal: AbortSignal): Promise<void>
}

/** A job that a runner has leased from the queue, with its lease. */
export interface ClaimedJob {
  readonly kind: string
  readonly key: string
  readonly lane: string
  /** The payload of the job as JSON text. */
  readonly payload: string
  /** Seconds between two runs of a periodic job; null for other jobs. */
  readonly every: number | null
  readonly lease: JobLease
}

const firstDelay = 5
const maxDelay = 3_600
// A random addition of up to this share of the delay, so that jobs that failed together are not retried together.
const jitter = 0.1

/**
 * Returns the seconds to wait after a failed attempt, given the number of the attempt; `chance` is a random number in
 * [0, 1).
 */
export function retryDelay(attempt: number, delays: readonly number[] | undefined, chance: number): number {
  const base = delays
    ? (delays[Math.min(attempt, delays.length) - 1] ?? maxDelay)
    : Math.min(firstDelay * 2 ** (attempt - 1), maxDelay)
  return Math.round(base * (1 + jitter * chance))
}
