import { maxDrift, measureDrift } from '../db/clock/clock-drift.ts'
import type { App, Context } from '../db/perform/app.ts'
import { resultOf } from '../db/perform/outcome.ts'
import { workerContext } from '../db/perform/worker-context.ts'
import { newId } from '../ids.ts'
import { type Capacity, nextRuns } from './claim.ts'
import { type ClaimedJob, type JobHandler, type JobResult, retryDelay, type Schedule } from './job.ts'
import { type Loop, startLoop } from './loop.ts'
import type { RunnerOperations } from './operations.ts'
import type { Settlement } from './queue.ts'

/** The options of a job runner: the kinds of jobs and the periodic jobs that it runs. */
export interface RunnerOptions {
  readonly app: App<RunnerOperations>
  readonly handlers: readonly JobHandler[]
  readonly schedules: readonly Schedule[]
  /**
   * Whether no other process runs jobs of this site, so that `prepare` expires all existing leases; true for the first
   * runner of a service that starts on SQLite.
   */
  readonly alone: boolean
  /**
   * Returns this machine's clock in Unix seconds, with fraction. It is compared with the database's clock before each
   * claim, and no job is claimed while they disagree. Undefined when the clocks are not compared.
   */
  readonly machineClock?: (() => number) | undefined
}

interface Running {
  readonly job: ClaimedJob
  readonly abort: AbortController
  readonly ended: Promise<void>
}

/** A kind of job that this node can run. */
interface Kind extends Pick<JobHandler, 'concurrency' | 'laneConcurrency' | 'maxAttempts' | 'delays' | 'outbound'> {
  run(job: ClaimedJob, signal: AbortSignal): Promise<JobResult>
}

const leaseSeconds = 30
const pollSeconds = 1
// Milliseconds from a commit to the search for due jobs, so that commits in quick succession cause one search.
const wakeMilliseconds = 20
// The maximum number of seconds until a failed periodic job runs again, even if it usually runs once a day.
const secondsToRetry = 60
const byWorker = workerContext('jobs')

/**
 * Runs jobs of the site on this node. It leases due jobs from the database, so that no other node runs them while the
 * lease lasts, and renews the leases while their handlers run. If a run is cut short by a crash, or the lease cannot be
 * renewed, the job becomes due again when its lease has expired. After its last attempt, it is parked instead: it waits
 * until a user retries it. With a `machineClock`, no job is claimed while the machine's clock disagrees with the
 * database's.
 */
export class JobRunner {
  readonly #app: App<RunnerOperations>
  readonly #options: RunnerOptions
  readonly #kinds: ReadonlyMap<string, Kind>
  readonly #maxAttempts: Readonly<Record<string, number | null>>
  readonly #owner = newId('job')
  readonly #running = new Map<string, Running>()
  #claims: Loop | undefined
  #renewal: NodeJS.Timeout | undefined
  /** When all leases of running jobs were last renewed; jobs that were claimed since have later leases. */
  #renewedAt = 0
  #stopped = false

  constructor(options: RunnerOptions) {
    this.#app = options.app
    this.#options = options
    this.#kinds = new Map([
      ...options.handlers.map((handler) => [handler.kind, handled(handler)] as const),
      ...options.schedules.map((schedule) => [schedule.kind, scheduled(schedule)] as const),
    ])
    this.#maxAttempts = Object.fromEntries([
      ...options.handlers.map(({ kind, maxAttempts }) => [kind, maxAttempts]),
      ...options.schedules.map(({ kind }) => [kind, null]),
    ])
  }

  /**
   * Adds missing periodic jobs to the queue, applies changed intervals, and, if no other process runs jobs (`alone`),
   * expires all leases.
   */
  async prepare(): Promise<void> {
    const { schedules, alone } = this.#options
    const declared = schedules.map(({ kind, every, atStart = false }) => ({ kind, every, atStart }))
    resultOf(await this.#app.perform('jobs.start', { schedules: declared, alone }, this.#context()))
  }

  /** Begins to claim and run due jobs; continues until `stop` is called. */
  start(): void {
    this.#renewal = setInterval(() => void this.#renew(), (leaseSeconds * 1000) / 3)
    const run = async () => {
      // A claim can leave due jobs behind because of the limit of a lane (jobs that share a limit, such as those for
      // one receiver), so jobs are claimed until a claim returns none.
      if ((await this.#claim()) > 0) this.wake()
    }
    this.#claims = startLoop(pollSeconds, { name: 'claiming jobs', atStart: true, run }, this.#app.log)
  }

  /**
   * Makes a started runner look for due jobs within `wakeMilliseconds`, for example after a commit that may add some.
   */
  wake(): void {
    this.#claims?.wake(wakeMilliseconds)
  }

  /** Runs due jobs until a claim returns none; resolves when all runs have ended. */
  async runDue(): Promise<void> {
    for (let more = true; more; ) {
      more = (await this.#claim()) > 0
      await this.settled()
    }
  }

  /** Resolves when the jobs that run now have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended))
  }

  /** Claims no more jobs and aborts the running ones; resolves when they have ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#claims?.stop()
    for (const { abort } of this.#running.values()) abort.abort()
    await this.settled()
    clearInterval(this.#renewal)
  }

  /**
   * Claims due jobs and starts their runs. Returns their number, plus one if leases had expired, since the released
   * jobs may be due.
   */
  async #claim(): Promise<number> {
    const kinds = this.#capacities()
    if (kinds.length === 0 || this.#stopped) return 0
    if (this.#running.size > 0 && this.#app.now() >= this.#renewedAt + leaseSeconds) await this.#renew()
    const now = this.#app.now()
    const running = [...this.#running.keys()]
    const names = kinds.map(({ kind }) => kind)
    const { runs, leaseUntil, paused } = await nextRuns(this.#app.db, names, {
      leased: [...this.#kinds.keys()],
      ...{ running, now },
    })
    const isHeld = (kind: string) => paused && this.#kinds.get(kind)?.outbound === true
    const due = kinds.filter(({ kind }) => (runs.get(kind) ?? Number.POSITIVE_INFINITY) <= now && !isHeld(kind))
    const expired = leaseUntil !== null && leaseUntil <= now
    if (due.length === 0 && !expired) return 0
    if (!(await this.#clocksAgree())) return 0
    const claim = { owner: this.#owner, leaseSeconds, kinds: due, maxAttempts: this.#maxAttempts, running }
    const jobs = resultOf(await this.#app.perform('jobs.claim', claim, this.#context()))
    for (const job of jobs) this.#begin(job)
    return jobs.length + (expired ? 1 : 0)
  }

  /**
   * Whether this machine's clock agrees with the database's, or is not compared with it. With a wrong clock, a runner
   * would take over leases that other nodes renew, and jobs would delete rows that are not due for deletion.
   */
  async #clocksAgree(): Promise<boolean> {
    const { machineClock } = this.#options
    return machineClock === undefined || (await measureDrift(this.#app.db, machineClock)) <= maxDrift
  }

  #capacities(): Capacity[] {
    const jobs = [...this.#running.values()].map(({ job }) => job)
    return [...this.#kinds].flatMap(([kind, { concurrency, laneConcurrency = null }]) => {
      const own = jobs.filter((job) => job.kind === kind)
      const lanes = Object.fromEntries([...Map.groupBy(own, ({ lane }) => lane)].map(([lane, of]) => [lane, of.length]))
      const free = concurrency - own.length
      return free > 0 ? [{ kind, free, laneConcurrency, lanes }] : []
    })
  }

  #begin(job: ClaimedJob): void {
    const abort = new AbortController()
    const { id } = job.lease
    const ended = this.#run(job, abort.signal).finally(() => {
      if (this.#running.get(id) === running) this.#running.delete(id)
      // The ended job frees capacity, so the runner looks for further due jobs.
      this.wake()
    })
    const running = { job, abort, ended }
    this.#running.set(id, running)
  }

  async #run(job: ClaimedJob, signal: AbortSignal): Promise<void> {
    try {
      const kind = this.#kinds.get(job.kind)
      if (!kind) throw new Error(`There is no handler of "${job.kind}".`)
      const settlement = await this.#attempt(kind, job, signal)
      if (settlement) {
        resultOf(await this.#app.perform('jobs.settle', { lease: job.lease, settlement }, this.#context()))
      }
    } catch (error) {
      // The result of the run is lost. When the lease expires, the job becomes due again or, after its last attempt,
      // waits until a user retries it.
      this.#app.log.error({ job: job.kind, fault: textOf(error) }, 'the end of a job could not be stored')
    }
  }

  async #attempt(kind: Kind, job: ClaimedJob, signal: AbortSignal): Promise<Settlement | undefined> {
    try {
      return this.#settlement(job, await kind.run(job, signal))
    } catch (error) {
      if (signal.aborted) return { kind: 'release' }
      const why = textOf(error)
      this.#app.log.error({ job: job.kind, fault: why }, 'a job failed')
      const { attempt } = job.lease
      const now = this.#app.now()
      if (job.every !== null) return { kind: 'retry', runAt: now + Math.min(job.every, secondsToRetry), why }
      if (attempt >= kind.maxAttempts) return { kind: 'park', why }
      return { kind: 'retry', runAt: now + retryDelay(attempt, kind.delays, Math.random()), why }
    }
  }

  #settlement(job: ClaimedJob, result: JobResult): Settlement | undefined {
    if (result === 'settled') return undefined
    if (result === 'done') {
      return job.every === null ? { kind: 'done' } : { kind: 'again', runAt: this.#app.now() + job.every }
    }
    return 'park' in result
      ? { kind: 'park', why: result.park }
      : { kind: 'retry', runAt: result.retryAt, why: result.why }
  }

  async #renew(): Promise<void> {
    const now = this.#app.now()
    const running = [...this.#running]
    const ids = running.map(([id]) => id)
    try {
      const lease = { owner: this.#owner, ids, leaseSeconds }
      const held = new Set(
        ids.length > 0 ? resultOf(await this.#app.perform('jobs.renew', lease, this.#context())) : [],
      )
      // A job that ended in the meantime may run again by now, under a lease that this renewal did not cover.
      for (const [id, { abort }] of running) if (!held.has(id)) abort.abort()
      this.#renewedAt = now
    } catch (error) {
      this.#app.log.error({ fault: textOf(error) }, 'leases of jobs could not be renewed')
    }
  }

  #context(): Context {
    return { ...byWorker, now: this.#app.now() }
  }
}

function handled(handler: JobHandler): Kind {
  return {
    ...handler,
    run: ({ key, payload, lease }, signal) =>
      handler.run(JSON.parse(payload), { id: lease.id, key, attempt: lease.attempt, lease, signal }),
  }
}

function scheduled({ run }: Schedule): Kind {
  return {
    concurrency: 1,
    maxAttempts: Number.MAX_SAFE_INTEGER,
    run: async (_, signal) => {
      await run(signal)
      return 'done'
    },
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
