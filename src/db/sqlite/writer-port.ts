import type { MessagePort } from 'node:worker_threads'
import type { Outcome } from '../perform/app.ts'
import { fault, type Write } from '../perform/perform.ts'

/** Sends the writes of a thread other than the main one to the writer thread; see `WriterThread.connect`. */
export class WriterPort {
  readonly #port: MessagePort
  /** The resolvers of pending writes, in order. */
  #waiting: ((outcome: Outcome<unknown>) => void)[] = []
  #unsent: Write[] = []
  #closed = false

  /** Calls `onClose` when the writer thread has ended. */
  constructor(port: MessagePort, onClose: () => void) {
    this.#port = port
    port.on('message', (outcomes: readonly Outcome<unknown>[]) => {
      const resolvers = this.#waiting.splice(0, outcomes.length)
      for (const [at, outcome] of outcomes.entries()) resolvers[at]?.(outcome)
    })
    port.on('close', () => {
      this.#closed = true
      for (const resolve of this.#waiting.splice(0)) resolve(closed())
      onClose()
    })
  }

  /** Resolves after the commit of the write. */
  perform(write: Write): Promise<Outcome<unknown>> {
    if (this.#closed) return Promise.resolve(closed())
    // Writes of one turn of the event loop are sent together: a message costs more than a write.
    if (this.#unsent.length === 0) setImmediate(() => this.#port.postMessage(this.#unsent.splice(0)))
    this.#unsent.push(write)
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  /** Closes the port; pending writes are performed, and their outcomes are unknown. */
  close(): void {
    this.#port.close()
  }
}

function closed(): Outcome<never> {
  return fault('unavailable', 'The writer thread ended.')
}
