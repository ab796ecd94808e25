import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { GrantUrls } from '../calendars/oauth/oauth.ts'
import type { LogLevel } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { WriterConnection } from '../db/sqlite/writer-port.ts'
import { hasWaitingEvents } from '../jobs/event-relay.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import type { Daybook } from '../operations.ts'

/**
 * The settings of the outbound thread, which runs all jobs of the queue that are not periodic; plain data, passed to
 * the thread.
 */
export interface OutboundSettings {
  readonly at: { readonly dataDir: string } | { readonly databaseUrl: string }
  /** The URL of the module that exports the table of operations as `operations`. */
  readonly operations: string
  /**
   * The arguments of `clock` for the thread: `startAt` is the configured start time of the service's clock in Unix
   * seconds, undefined for the system's clock; `began` is the monotonic clock in milliseconds when the service's clock
   * started.
   */
  readonly clock: { readonly startAt: number | undefined; readonly began: number }
  /** Networks that may be reached although they are not public, separated by commas. */
  readonly networks: string
  readonly secretKey: string | undefined
  /** The URL of the configuration's SMTP server, which is used instead of the one set in the panel. */
  readonly smtpUrl?: string | undefined
  /** The base URL of Stripe's API. */
  readonly stripeUrl: string
  readonly grantUrls: GrantUrls
  readonly logLevel: LogLevel
  /** The version of the service, which the `User-Agent` of requests for webhooks and calendars contains. */
  readonly version: string
}

/** The data with which the outbound thread is started. */
export interface OutboundData extends OutboundSettings {
  /** The connection to the writer thread; undefined on PostgreSQL, where the thread has its own connections. */
  readonly writer: WriterConnection | undefined
}

/**
 * A message to the outbound thread: a request to search for due jobs, with the public origin of the service; or null to
 * finish the running jobs and end.
 */
export type ToOutbound = { readonly origin: string } | null

/**
 * The dependencies of `startOutbound`, which runs all jobs of the queue that are not periodic on a thread of their own.
 */
export interface OutboundThreadOptions {
  readonly app: Pick<Daybook, 'db' | 'now' | 'log'>
  readonly settings: OutboundSettings
  /** Connects the thread to the writer thread of SQLite; returns undefined on PostgreSQL. */
  connectWriter(options: { readonly follows: boolean }): WriterConnection | undefined
  /** The public origin of the service, with which links in messages begin. */
  origin(): string
}

// Seconds between two searches for jobs that have become due or were left by a crashed process.
const pollSeconds = 1
// Milliseconds from a commit to the search, so that commits in quick succession cause one search.
const wakeMilliseconds = 20

/**
 * Manages the thread that runs all jobs of the queue that are not periodic, such as webhooks, mail, payments and
 * calendars, so that they take no processor time from requests. The thread is started when the first event or job
 * waits, to save its memory on installations that send nothing. A thread that ended unexpectedly is replaced; its jobs
 * run again when their leases have expired.
 */
export function startOutbound(options: OutboundThreadOptions): Pick<Loop, 'stop'> & { wake(): void } {
  const { app, settings } = options
  let worker: Worker | undefined
  const run = async (): Promise<void> => {
    if (!worker && (await hasOutboundWork(app.db, app.now()))) worker = start()
    worker?.postMessage({ origin: options.origin() } satisfies ToOutbound)
  }
  const start = (): Worker => {
    const writer = options.connectWriter({ follows: false })
    const started = new Worker(new URL('./outbound-worker.ts', import.meta.url), {
      workerData: { ...settings, writer } satisfies OutboundData,
      transferList: writer ? [writer.port] : [],
      execArgv: [],
    })
    started.on('error', (error) => app.log.error({ fault: String(error) }, 'the outbound thread failed'))
    started.on('exit', () => {
      worker = undefined
    })
    return started
  }
  const loop = startLoop(pollSeconds, { name: 'outbound work', atStart: true, run }, app.log)
  return {
    wake: () => loop.wake(wakeMilliseconds),
    async stop() {
      await loop.stop()
      if (!worker) return
      const ended = once(worker, 'exit')
      worker.postMessage(null satisfies ToOutbound)
      await ended
    },
  }
}

/** Whether an event waits for a consumer, or a job that is not periodic is due or has an expired lease. */
async function hasOutboundWork(db: Database, now: number): Promise<boolean> {
  const { rows } = await sql<{ one: number }>`
    select 1 as one where exists (select 1 from job where state = 'due' and run_at <= ${now} and every is null)
      or exists (select 1 from job where state = 'running' and lease_until <= ${now} and every is null)`.execute(
    db.build,
  )
  return rows.length > 0 || (await hasWaitingEvents(db))
}
