import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ReadDatabase } from '../db/database.ts'
import { type DatabaseFigures, databaseFigures } from '../db/figures.ts'
import { jobFigures } from '../jobs/list.ts'
import { exposed, type Sample } from './exposition.ts'
import { Histogram } from './histogram.ts'
import type { HttpLoad } from './metrics.routes.ts'
import { RequestFigures } from './requests.ts'
import { table } from './table.ts'

/** The sources of metrics that are read at each scrape. */
export interface Sources {
  readonly db: ReadDatabase
  now(): number
  waitingWrites(): number
  /** `age` returns the seconds by which the caches may be behind the commits of other processes. */
  readonly applied: { age(): number }
  /** Returns the seconds between the machine's clock and the database's; undefined when they have not been compared. */
  drift(): number | undefined
  /**
   * Returns the number of connected calendars whose last reading is older than the site's `calendarMaxAgeMinutes`, and
   * the largest number of seconds since a calendar was last read or, if it was never read, was connected. Both are 0
   * without calendars.
   */
  calendars(): Promise<{ readonly tooOld: number; readonly oldestAge: number }>
  readonly version: string
  /** The directory of the embedded database; undefined on PostgreSQL. */
  readonly dataDir: string | undefined
}

// The interval in milliseconds at which the event loop delay is sampled.
const loopMilliseconds = 20

/** The metrics of the service. Some are recorded as events occur, the others are read at each scrape. */
export class Metrics {
  readonly #requests = new RequestFigures()
  readonly #batchSize = new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256])
  readonly #batchSeconds = new Histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5])
  readonly #loop = monitorEventLoopDelay({ resolution: loopMilliseconds })
  readonly #startedAt = Date.now() / 1000 - process.uptime()
  #shed = 0
  #flushedAt: number | undefined
  #displaced: number | undefined

  constructor() {
    this.#loop.enable()
  }

  /**
   * Counts an ended request. `route` is `METHOD /path/`, undefined for an unknown route; `status` is 0 when the client
   * disconnected before the end of the response.
   */
  answered(route: string | undefined, status: number, seconds: number): void {
    this.#requests.answered(route, status, seconds)
  }

  /** Counts a request that was refused because of overload. */
  shed(): void {
    this.#shed++
  }

  committed(writes: number, seconds: number): void {
    this.#batchSize.observe(writes)
    this.#batchSeconds.observe(seconds)
  }

  /** Records the Unix time at which the buffered uses of API tokens were last written to the database. */
  flushed(at: number): void {
    this.#flushedAt = at
  }

  /**
   * Records the number of upcoming reservations whose local time differs from the booked one, because the rules of
   * their time zone have changed since.
   */
  displaced(count: number): void {
    this.#displaced = count
  }

  /** Returns the metrics of this thread and of the whole process in the Prometheus text format. */
  async text(sources: Sources, load: HttpLoad): Promise<string> {
    const { db, now, dataDir } = sources
    const [database, jobs, calendars, walSize, diskFree] = await Promise.all([
      orUndefined(databaseFigures(db, now())),
      orUndefined(jobFigures(db, now())),
      orUndefined(sources.calendars()),
      dataDir === undefined ? undefined : orUndefined(sizeOf(join(dataDir, 'daybook.db-wal'))),
      dataDir === undefined ? undefined : orUndefined(freeOn(dataDir)),
    ])
    const { rss } = process.memoryUsage()
    const samples: Samples = {
      ...this.#threadSamples(load),
      batchSize: [{ labels: [], value: this.#batchSize }],
      batchSeconds: [{ labels: [], value: this.#batchSeconds }],
      waiting: only(sources.waitingWrites()),
      streams: only(db.streams),
      feedLag: only(database?.feedLag),
      invalidationAge: only(sources.applied.age()),
      databaseUp: only(database ? 1 : 0),
      databaseSize: only(database?.bytes),
      walSize: only(walSize),
      diskFree: only(diskFree),
      tokenFlush: only(this.#flushedAt),
      clockDrift: only(sources.drift()),
      displaced: only(this.#displaced),
      jobsDue: only(jobs?.due),
      jobsRunning: only(jobs?.running),
      jobsParked: only(jobs?.parked),
      jobsOldestDue: only(jobs?.oldestDueAge),
      calendarsTooOld: only(calendars?.tooOld),
      calendarsOldest: only(calendars?.oldestAge),
      lastBackup: only(database?.lastBackupAt),
      memory: only(rss),
      processor: only(processorSeconds()),
      started: only(this.#startedAt),
      build: [{ labels: buildLabels(sources.version, database), value: 1 }],
    }
    return textOf(samples)
  }

  /** Returns the metrics of this thread alone, for a thread other than the main thread. */
  threadText(load: HttpLoad): string {
    return textOf(this.#threadSamples(load))
  }

  #threadSamples(load: HttpLoad) {
    return {
      requests: this.#requests.counts(),
      seconds: this.#requests.seconds(),
      inFlight: only(load.inFlight),
      connections: only(load.connections),
      queued: only(load.queued),
      shed: only(this.#shed),
      loopDelay: this.#loopDelay(),
      heap: only(process.memoryUsage().heapUsed),
    } satisfies Partial<Samples>
  }

  stop(): void {
    this.#loop.disable()
  }

  /**
   * Returns quantiles of the event loop delay in seconds since the last scrape. The sampling interval, which measured
   * values include, is subtracted.
   */
  #loopDelay(): Sample[] {
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - loopMilliseconds / 1000)
    const [median, p99, max] = [this.#loop.percentile(50), this.#loop.percentile(99), this.#loop.max]
    const counted = this.#loop.count > 0
    this.#loop.reset()
    return [
      { labels: ['0.5'], value: counted ? late(median) : 0 },
      { labels: ['0.99'], value: counted ? late(p99) : 0 },
      { labels: ['1'], value: counted ? late(max) : 0 },
    ]
  }
}

type Samples = Readonly<Record<keyof typeof table, readonly Sample[]>>

function textOf(samples: Partial<Samples>): string {
  const samplesOf: Readonly<Record<string, readonly Sample[]>> = samples
  return Object.entries(table)
    .map(([figure, metric]) => exposed(metric, samplesOf[figure] ?? []))
    .join('')
}

function only(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ labels: [], value }]
}

function buildLabels(version: string, database: DatabaseFigures | undefined): string[] {
  return [version, process.versions.node, database?.version ?? '', process.versions.tz ?? '']
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path)).size
}

async function freeOn(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}

/** Returns undefined for a metric that cannot be read now, so that the other metrics are still served. */
function orUndefined<T>(figure: Promise<T>): Promise<T | undefined> {
  return figure.then(
    (value) => value,
    () => undefined,
  )
}
