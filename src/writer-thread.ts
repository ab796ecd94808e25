import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Outcome } from './app.ts'
import { fault, type Write } from './perform.ts'
import type { HearTouched } from './sqlite-writes.ts'
import type { FromWriter, ToWriter, WriterData } from './writer.ts'

// Beyond this an answer would come later than anyone waits for it.
const mostWaiting = 4096

/** Hears of each commit: how many writes it held, and how long it took. */
export type HearCommit = (writes: number, seconds: number) => void

/** The writer thread as the rest of the process sees it. One that ends on its own is replaced at the next write. */
export class WriterThread {
  readonly #data: WriterData
  readonly #hearCommit: HearCommit
  readonly #hearTouched: HearTouched
  readonly #waiting = new Map<number, (outcome: Outcome<unknown>) => void>()
  #worker: Worker | undefined
  #number = 0
  #closed = false

  private constructor(data: WriterData, hearCommit: HearCommit, hearTouched: HearTouched) {
    this.#data = data
    this.#hearCommit = hearCommit
    this.#hearTouched = hearTouched
  }

  /** Writes sent and not yet answered. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Resolves once the thread has opened its connection. */
  static async start(data: WriterData, hearCommit: HearCommit, hearTouched: HearTouched): Promise<WriterThread> {
    const thread = new WriterThread(data, hearCommit, hearTouched)
    await once(thread.#running(), 'message')
    return thread
  }

  /** The answer comes after the commit that holds the write. */
  perform(write: Write): Promise<Outcome<unknown>> {
    if (this.#closed) return Promise.resolve(fault('unavailable', 'The database is closed.'))
    if (this.#waiting.size >= mostWaiting) return Promise.resolve(fault('unavailable', 'Too many writes are waiting.'))
    const number = this.#number++
    return new Promise((resolve) => {
      this.#running().postMessage({ number, write } satisfies ToWriter)
      this.#waiting.set(number, resolve)
    })
  }

  /** Ends the thread once all writes sent before are answered. */
  async close(): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    if (!worker) return
    const ended = once(worker, 'exit')
    worker.postMessage(null satisfies ToWriter)
    await ended
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    // The options of the process's own start, such as --eval, are not the thread's.
    const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: this.#data, execArgv: [] })
    let reason: unknown = 'The writer thread ended.'
    worker.on('message', (message: FromWriter) => this.#answer(message))
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      this.#worker = undefined
      this.#giveUp(reason)
    })
    this.#worker = worker
    return worker
  }

  #answer(message: FromWriter): void {
    if (message === 'ready') return
    // First of all: whoever is answered may ask at once.
    if (message.touched.length > 0) this.#hearTouched(message.touched)
    for (const { number, outcome } of message.answers) {
      this.#waiting.get(number)?.(outcome)
      this.#waiting.delete(number)
    }
    this.#hearCommit(message.answers.length, message.seconds)
  }

  #giveUp(reason: unknown): void {
    // What the thread committed last it could not tell any more.
    this.#hearTouched([{ kind: 'everything' }])
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const resolve of waiting) resolve(fault('unavailable', reason))
  }
}
