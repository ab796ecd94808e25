import { once } from 'node:events'
import { MessageChannel, type Worker } from 'node:worker_threads'
import { everythingChanged, type OnInvalidation } from '../../scheduling/invalidation.ts'
import type { Outcome } from '../perform/app.ts'
import { fault, type Write } from '../perform/perform.ts'
import { AppliedCounter } from './applied-counter.ts'
import { type StartedWriter, startWriter } from './start-writer.ts'
import type { FromWriter, ToWriter, WriterData } from './writer.ts'
import { maxWaiting, type WriterConnection } from './writer-port.ts'

/**
 * Called with a number of writes and a duration in seconds. On SQLite, it is called for each transaction of the writer
 * thread, also for a failed one; calls may be delayed, since the thread may report several transactions together. On
 * PostgreSQL, it is called for each successful write that is not a dry run.
 */
export type OnCommit = (writes: number, seconds: number) => void

/** A memory of outcomes that must be cleared when a write makes them wrong. */
interface OutcomeMemory {
  /** Called with each write of the main thread and its outcome, in the order of commits, before `perform` resolves. */
  learn(write: Write, outcome: Outcome<unknown>): void
  /** Called after a commit in which writes of other threads changed cached data, and after the writer thread ended. */
  forget(): void
}

/** The callbacks of the main thread for messages of the writer thread. */
interface WriterListener {
  readonly onCommit: OnCommit
  readonly onInvalidation: OnInvalidation
  readonly memory: OutcomeMemory | undefined
}

/**
 * Controls the writer thread from the main thread. If the thread ends unexpectedly, its pending writes resolve to
 * faults, and it is replaced when it is next needed.
 */
export class WriterThread {
  readonly #data: Omit<WriterData, 'begun'>
  readonly #applied: AppliedCounter
  readonly #listener: WriterListener
  /** The pending writes in their order, each with the function that resolves its promise. */
  #waiting: { readonly write: Write; readonly resolve: (outcome: Outcome<unknown>) => void }[] = []
  #unsent: Write[] = []
  #worker: Worker | undefined
  #closed = false

  /** Uses a thread that was started in advance, or starts one. The thread opens the file when `open` is called. */
  constructor(data: Omit<WriterData, 'begun'>, listener: WriterListener, started: StartedWriter = startWriter(data)) {
    this.#data = data
    this.#listener = listener
    this.#applied = new AppliedCounter(started.begun, 0)
    this.#worker = this.#watch(started)
  }

  /** The number of writes of the main thread whose outcome has not arrived yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Resolves when the cache invalidations of every commit that this thread's reads may see have been applied to its
   * caches; returns undefined when they all have been.
   */
  caughtUp(): Promise<void> | undefined {
    return this.#applied.caughtUp()
  }

  /** Asks the writer thread to open the database file; resolves once the thread is ready for writes. */
  async open(): Promise<void> {
    const worker = this.#running()
    worker.ref()
    worker.postMessage('open' satisfies ToWriter)
    await once(worker, 'message')
  }

  /**
   * Returns a connection to the writer thread for the `WriterPort` of another thread; `follows` tells whether that
   * thread has caches. The port closes when the writer thread ends.
   */
  connect({ follows }: { readonly follows: boolean }): WriterConnection {
    const { port1, port2 } = new MessageChannel()
    this.#running().postMessage({ port: port1, follows } satisfies ToWriter, [port1])
    return { port: port2, begun: this.#applied.begun }
  }

  /**
   * Sends a write to the writer thread; resolves to its outcome after the commit, or to a fault if it cannot be sent or
   * the thread ends.
   */
  perform(write: Write): Promise<Outcome<unknown>> {
    if (this.#closed) return Promise.resolve(fault('unavailable', 'The database is closed.'))
    if (this.#waiting.length >= maxWaiting) return Promise.resolve(fault('unavailable', 'Too many writes are waiting.'))
    // Writes of one turn of the event loop are sent together: a message costs more than a write.
    if (this.#unsent.length === 0) setImmediate(() => this.#send())
    this.#unsent.push(write)
    return new Promise((resolve) => {
      this.#waiting.push({ write, resolve })
    })
  }

  /** Refuses further writes, and ends the thread once all pending ones have been performed; resolves at its end. */
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
    const started = startWriter(this.#data)
    this.#applied.replace(started.begun)
    this.#worker = this.#watch(started)
    this.#worker.ref()
    this.#worker.postMessage('open' satisfies ToWriter)
    return this.#worker
  }

  #watch({ worker }: StartedWriter): Worker {
    let reason: unknown = 'The writer thread ended.'
    worker.on('message', (message: FromWriter) => this.#receive(message))
    worker.on('error', (error) => {
      reason = error
    })
    worker.on('exit', () => {
      this.#worker = undefined
      this.#giveUp(reason)
    })
    // A message listener keeps the process alive unless the worker is unreferenced.
    worker.unref()
    return worker
  }

  #receive(message: FromWriter): void {
    if (message === 'ready') return
    // The cached data that a commit changed is dropped before the outcomes of its writes are passed on, since a client
    // may read as soon as it has its outcome.
    const { onCommit, onInvalidation, memory } = this.#listener
    if (message.invalidations.length > 0) onInvalidation(message.invalidations)
    const performed = this.#waiting.splice(0, message.outcomes.length)
    for (const [at, { write, resolve }] of performed.entries()) {
      const outcome = message.outcomes[at]
      if (!outcome) continue
      memory?.learn(write, outcome)
      resolve(outcome)
    }
    if (message.othersChanged) memory?.forget()
    for (const { writes, seconds } of message.commits) onCommit(writes, seconds)
    this.#applied.applyUntil(message.begun)
  }

  #giveUp(reason: unknown): void {
    // The writer thread that ended may have committed writes without reporting their cache invalidations.
    this.#listener.onInvalidation([everythingChanged])
    this.#listener.memory?.forget()
    const waiting = this.#waiting
    this.#waiting = []
    this.#unsent = []
    for (const { resolve } of waiting) resolve(fault('unavailable', reason))
    this.#applied.applyAll()
  }
}
