import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { everythingChanged } from '../../scheduling/invalidation.ts'
import type { Outcome } from '../perform/app.ts'
import { fault, type Write } from '../perform/perform.ts'
import type { OnInvalidation } from './sqlite-writes.ts'
import { type StartedWriter, startWriter } from './start-writer.ts'
import type { FromWriter, ToWriter, WriterData } from './writer.ts'

// Beyond this an answer would come later than anyone waits for it.
const mostWaiting = 4096

/** Hears of each commit: how many writes it held, and how long it took. */
export type OnCommit = (writes: number, seconds: number) => void

/** The writer thread as the rest of the process sees it. One that ends on its own is replaced at the next write. */
export class WriterThread {
  readonly #data: Omit<WriterData, 'begun'>
  /** How many commits have begun, and of how many of them the process has heard. */
  #begun: Int32Array = new Int32Array(1)
  #applied = 0
  #behind: { readonly until: number; readonly resolve: () => void }[] = []
  readonly #onCommit: OnCommit
  readonly #onInvalidation: OnInvalidation
  /** Who waits for an answer, in the order of the writes. */
  #waiting: ((outcome: Outcome<unknown>) => void)[] = []
  #unsent: Write[] = []
  #worker: Worker | undefined
  #closed = false

  /** Over a thread that was started ahead, or a new one; it opens the file with `open`. */
  constructor(
    data: Omit<WriterData, 'begun'>,
    onCommit: OnCommit,
    onInvalidation: OnInvalidation,
    started: StartedWriter = startWriter(data),
  ) {
    this.#data = data
    this.#onCommit = onCommit
    this.#onInvalidation = onInvalidation
    this.#worker = this.#watch(started)
  }

  /** Writes sent and not yet answered. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves once everything is heard of that another connection may have read by now; undefined when it is. */
  caughtUp(): Promise<void> | undefined {
    const until = Atomics.load(this.#begun, 0)
    if (until === this.#applied) return undefined
    return new Promise((resolve) => {
      this.#behind.push({ until, resolve })
    })
  }

  /** Resolves once the thread has opened its connection; the file is brought up to the code. */
  async open(): Promise<void> {
    const worker = this.#running()
    worker.ref()
    worker.postMessage('open' satisfies ToWriter)
    await once(worker, 'message')
  }

  /** The answer comes after the commit that holds the write. */
  perform(write: Write): Promise<Outcome<unknown>> {
    if (this.#closed) return Promise.resolve(fault('unavailable', 'The database is closed.'))
    if (this.#waiting.length >= mostWaiting)
      return Promise.resolve(fault('unavailable', 'Too many writes are waiting.'))
    // What comes in one turn of the event loop is sent together: a message costs more than a write in it.
    if (this.#unsent.length === 0) setImmediate(() => this.#send())
    this.#unsent.push(write)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** Ends the thread once all writes sent before are answered. */
  async close(): Promise<void> {
    this.#closed = true
    this.#send()
    const worker = this.#worker
    if (!worker) return
    const ended = once(worker, 'exit')
    worker.postMessage(null satisfies ToWriter)
    await ended
  }

  #send(): void {
    if (this.#unsent.length === 0) return
    const writes = this.#unsent
    this.#unsent = []
    this.#running().postMessage(writes satisfies ToWriter)
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    this.#worker = this.#watch(startWriter(this.#data))
    this.#worker.ref()
    this.#worker.postMessage('open' satisfies ToWriter)
    return this.#worker
  }

  #watch({ worker, begun }: StartedWriter): Worker {
    this.#begun = begun
    this.#applied = 0
    let reason: unknown = 'The writer thread ended.'
    worker.on('message', (message: FromWriter) => this.#answer(message))
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      this.#worker = undefined
      this.#giveUp(reason)
    })
    // Whoever listens to it keeps the process alive, until told otherwise.
    worker.unref()
    return worker
  }

  #answer(message: FromWriter): void {
    if (message === 'ready') return
    // First of all: whoever is answered may ask at once.
    if (message.invalidations.length > 0) this.#onInvalidation(message.invalidations)
    const answered = this.#waiting.splice(0, message.answers.length)
    for (const [at, resolve] of answered.entries()) {
      const outcome = message.answers[at]
      if (outcome) resolve(outcome)
    }
    this.#onCommit(message.answers.length, message.seconds)
    this.#hearUntil(message.begun)
  }

  /** Lets those go on who waited to hear of commits; whoever was answered by them has learnt of it before. */
  #hearUntil(begun: number): void {
    this.#applied = begun
    if (this.#behind.length === 0) return
    const behind = this.#behind
    this.#behind = behind.filter(({ until }) => isAfter(until, begun))
    for (const { until, resolve } of behind) if (!isAfter(until, begun)) resolve()
  }

  #giveUp(reason: unknown): void {
    // What the thread committed last it could not tell any more.
    this.#onInvalidation([everythingChanged])
    const waiting = this.#waiting
    this.#waiting = []
    this.#unsent = []
    for (const resolve of waiting) resolve(fault('unavailable', reason))
    this.#hearUntil(Atomics.load(this.#begun, 0))
  }
}

/** Whether one of two counts that turn over is further on. */
function isAfter(one: number, other: number): boolean {
  return ((one - other) | 0) > 0
}
