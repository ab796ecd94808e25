import type { MessagePort } from 'node:worker_threads'
import type { OnInvalidation } from '../../scheduling/invalidation.ts'
import type { Outcome } from '../perform/app.ts'
import { fault, type Write } from '../perform/perform.ts'
import { AppliedCounter } from './applied-counter.ts'
import type { Committed } from './writer.ts'

/**
 * The maximum number of writes that a thread may have sent without having received their outcomes. With more, outcomes
 * could arrive after their clients have given up.
 */
export const maxWaiting = 4096

/**
 * A connection to the writer thread from a thread other than the main one. It is passed in the `workerData` of that
 * thread; `port` must be in its transfer list.
 */
export interface WriterConnection {
  readonly port: MessagePort
  /** The counter of begun commits (see `WriterData`), shared with the writer thread. */
  readonly begun: Int32Array
}

/** The callbacks of a thread for messages of the writer thread. */
interface Listener {
  /**
   * Called with the cache invalidations of every commit that has any, before the outcomes of its writes are passed on;
   * absent for a thread without caches.
   */
  readonly onInvalidation?: OnInvalidation
  /** Called when the port has closed: after `close`, or when the writer thread has ended. */
  readonly onClose: () => void
}

/** Sends the writes of a thread other than the main one to the writer thread; see `WriterThread.connect`. */
export class WriterPort {
  readonly #port: MessagePort
  readonly #applied: AppliedCounter
  /** The functions that resolve the promises of pending writes, in the order of the writes. */
  #waiting: ((outcome: Outcome<unknown>) => void)[] = []
  #unsent: Write[] = []
  #closed = false

  constructor({ port, begun }: WriterConnection, { onInvalidation = () => {}, onClose }: Listener) {
    this.#port = port
    this.#applied = new AppliedCounter(begun)
    port.on('message', ({ outcomes, invalidations, begun: upTo }: Committed) => {
      if (invalidations.length > 0) onInvalidation(invalidations)
      const resolvers = this.#waiting.splice(0, outcomes.length)
      for (const [at, outcome] of outcomes.entries()) resolvers[at]?.(outcome)
      this.#applied.applyUntil(upTo)
    })
    port.on('close', () => {
      this.#closed = true
      for (const resolve of this.#waiting.splice(0)) resolve(closed())
      onClose()
    })
  }

  /** The number of writes of this thread whose outcome has not arrived yet. */
  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * For a thread with caches: resolves when the cache invalidations of every commit that its reads may see have been
   * applied to its caches; returns undefined when they all have been.
   */
  caughtUp(): Promise<void> | undefined {
    return this.#applied.caughtUp()
  }

  /**
   * Sends a write to the writer thread; resolves to its outcome after the commit, or to a fault if it cannot be sent or
   * the thread ends.
   */
  perform(write: Write): Promise<Outcome<unknown>> {
    if (this.#closed) return Promise.resolve(closed())
    if (this.#waiting.length >= maxWaiting) return Promise.resolve(fault('unavailable', 'Too many writes are waiting.'))
    // Writes of one turn of the event loop are sent together: a message costs more than a write.
    if (this.#unsent.length === 0) setImmediate(() => this.#port.postMessage(this.#unsent.splice(0)))
    this.#unsent.push(write)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** Closes the port. Writes that were sent are still performed, but all pending promises resolve to faults. */
  close(): void {
    this.#port.close()
  }
}

function closed(): Outcome<never> {
  return fault('unavailable', 'The writer thread ended.')
}
