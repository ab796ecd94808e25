import { once } from 'node:events'
import { createServer } from 'node:net'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { WriterConnection } from '../../db/sqlite/writer-port.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import type { Installation } from '../../maintenance/system.routes.ts'
import { Refusal, type Refused } from '../../messages/refusal.ts'
import { mergeExpositions } from '../../metrics/exposition.ts'
import type { Operations } from '../../operations.ts'
import type { OpenStorage } from '../../server/open.ts'
import type { Listener, ServingApp } from './serving.ts'

/** The data with which a worker thread is started. */
export interface WorkerSettings {
  readonly config: Config
  /** The start of the service's clock, in milliseconds of the monotonic clock. */
  readonly began: number
  /** The TCP port on which all threads listen. */
  readonly port: number
  /** The connection to the writer thread; undefined on PostgreSQL, where the thread has its own connections. */
  readonly writer: WriterConnection | undefined
}

/**
 * A message to a worker thread, which tells it to send its metrics on a port, to report that it is not ready, or (null)
 * to complete its requests and end.
 */
export type ToWorker = { readonly scrape: MessagePort } | 'drain' | null

/**
 * A message from a worker thread: that it listens; that it has committed a write; or a call of a function in
 * `Questions`.
 */
export type FromWorker = 'listening' | 'committed' | { readonly question: Question; readonly port: MessagePort }

/**
 * The functions of the main thread that worker threads may call: those that return the metrics of all threads and the
 * state of the installation, and the one that starts a backup.
 */
export interface Questions {
  metricsText(): Promise<string>
  look: Installation['look']
  beginBackup: Installation['beginBackup']
}

/** The name of a function that worker threads may call. */
export type Question = keyof Questions

/**
 * The main thread's response to a call: the result, or the reason for which the call was refused; undefined after a
 * fault.
 */
export type Answer = { readonly result: unknown } | { readonly refused: Refused } | undefined

// Seconds between two attempts to replace worker threads that ended.
const replaceSeconds = 1
// The milliseconds to wait for the metrics of a thread, which may be busy or have ended.
const scrapePatience = 2_000

/**
 * Rejects with `EADDRINUSE` if another program listens on the port. The threads of a service share their port
 * (`SO_REUSEPORT`), so without this check the kernel would share it with another service of the same user too.
 */
export async function assertUnused({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer().listen(port, host)
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/**
 * The threads that answer requests beside the main one, for `--workers`. They share its port, and the kernel
 * distributes connections among all of them. A thread that ended unexpectedly is replaced.
 */
export class Workers {
  readonly #app: ServingApp & Pick<OpenStorage<Operations>, 'connectWriter'>
  readonly #config: Config
  readonly #began: number
  readonly #onCommit: () => void
  readonly #questions: Questions
  readonly #running = new Set<Worker>()
  #listener: Listener | undefined
  #upkeep: Loop | undefined

  /**
   * Prepares the worker threads without starting them. `onCommit` is called after each commit of a worker thread on
   * PostgreSQL; on SQLite the writer thread reports its commits itself.
   */
  constructor(
    app: ServingApp & Pick<OpenStorage<Operations>, 'connectWriter'>,
    options: {
      readonly config: Config
      readonly began: number
      readonly installation: Installation
      readonly onCommit: () => void
    },
  ) {
    this.#app = app
    this.#config = options.config
    this.#began = options.began
    this.#onCommit = options.onCommit
    const { look, beginBackup } = options.installation
    this.#questions = { metricsText: () => this.metricsText(), look, beginBackup }
  }

  /** Starts the worker threads; resolves when all of them listen on the port of the main thread. */
  async start(listener: Listener): Promise<void> {
    this.#listener = listener
    await this.#fill()
    const run = () => this.#fill()
    this.#upkeep = startLoop(replaceSeconds, { name: 'workers', run }, this.#app.log)
  }

  /**
   * Returns the merged metrics of all threads; in the label `worker`, the main thread has the number 1. Returns an
   * empty text before `start`.
   */
  async metricsText(): Promise<string> {
    const own = this.#listener?.scrape() ?? ''
    return mergeExpositions(await Promise.all([own, ...[...this.#running].map((worker) => scrape(worker))]))
  }

  /**
   * Makes the worker threads report that the service is not ready, while they keep answering requests. The main thread
   * is drained separately.
   */
  drain(): void {
    for (const worker of this.#running) worker.postMessage('drain' satisfies ToWorker)
  }

  /** Ends all worker threads, each once it has completed its requests or `grace` has passed. */
  async stop(): Promise<void> {
    await this.#upkeep?.stop()
    await Promise.all(
      [...this.#running].map(async (worker) => {
        const ended = once(worker, 'exit')
        worker.postMessage(null satisfies ToWorker)
        await ended
      }),
    )
  }

  async #fill(): Promise<void> {
    const missing = this.#config.workers - 1 - this.#running.size
    await Promise.all(Array.from({ length: missing }, () => this.#startWorker()))
  }

  async #startWorker(): Promise<void> {
    if (!this.#listener) return
    const { port } = this.#listener
    const writer = this.#app.connectWriter({ follows: true })
    const settings: WorkerSettings = { config: this.#config, began: this.#began, port, writer }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: settings,
      transferList: writer ? [writer.port] : [],
      execArgv: [],
    })
    this.#running.add(worker)
    const isListening = new Promise<void>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message === 'listening') resolve()
        else if (message === 'committed') this.#onCommit()
        else void this.#answer(message)
      })
      worker.on('error', (error) => {
        this.#app.log.error({ fault: String(error) }, 'a worker thread failed')
        reject(error)
      })
      worker.on('exit', () => {
        this.#running.delete(worker)
        reject(new Error('A worker thread ended before it listened.'))
      })
    })
    await isListening
  }

  async #answer({ question, port }: { readonly question: Question; readonly port: MessagePort }): Promise<void> {
    try {
      port.postMessage({ result: await this.#questions[question]() } satisfies Answer)
    } catch (error) {
      if (!(error instanceof Refusal)) this.#app.log.error({ fault: String(error) }, question)
      port.postMessage(error instanceof Refusal ? ({ refused: error.refused } satisfies Answer) : undefined)
    }
    port.close()
  }
}

/** Returns the metrics of a worker thread; an empty text when the thread does not answer in time. */
async function scrape(worker: Worker): Promise<string> {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ scrape: port2 } satisfies ToWorker, [port2])
  try {
    const [text] = await once(port1, 'message', { signal: AbortSignal.timeout(scrapePatience) })
    return text
  } catch {
    return ''
  } finally {
    port1.close()
  }
}
