import { on } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'

/** The data with which the thread that reads long lists is started. */
export interface ListThreadData {
  readonly file: string
}

/**
 * A message to the thread that reads long lists: the module of a `TextSource`, a list, and the port over which the
 * parts of the list are requested and sent. The message null ends the thread once all lists are read.
 */
export type ToListThread = { readonly module: string; readonly list: unknown; readonly port: MessagePort } | null

/**
 * The answer of the thread that reads long lists to the request of a part: its text, the end of the list, or an error.
 */
export type FromListThread = { readonly text: string } | { readonly end: true } | { readonly failed: string }

// The number of parts of a list that are requested in advance.
const prefetched = 3
// Milliseconds until an idle thread, which takes about 20 MB, is ended.
const idleTimeout = 10_000

/** Reads long lists of one SQLite file on a separate thread, which ends when it is idle. */
export class LongLists {
  readonly #file: string
  #worker: Worker | undefined
  /** The ports over which the lists in progress are received. */
  readonly #ports = new Set<MessagePort>()
  #idleTimer: NodeJS.Timeout | undefined
  /** The threads that have not ended yet, each with a promise that resolves at its end. */
  readonly #ends = new Map<Worker, Promise<void>>()

  constructor(file: string) {
    this.#file = file
  }

  /** Streams, with back-pressure, the text chunks that the export `textSource` of a module yields for a list. */
  async *texts(module: string, list: unknown): AsyncGenerator<string> {
    const { port1: port, port2 } = new MessageChannel()
    this.#running().postMessage({ module, list, port: port2 } satisfies ToListThread, [port2])
    this.#ports.add(port)
    // The iteration also ends when the thread ends. In this case the loop below ends without an `end` message, and an
    // error is thrown.
    const messages = on(port, 'message', { close: ['close'] })
    try {
      for (let requested = 0; requested < prefetched; requested += 1) port.postMessage(null)
      for await (const [part] of messages as AsyncIterable<[FromListThread]>) {
        if ('end' in part) return
        if ('failed' in part) throw new Error(part.failed)
        port.postMessage(null)
        yield part.text
      }
      throw new Error('The thread that reads long lists ended.')
    } finally {
      port.close()
      this.#ports.delete(port)
      this.#endWhenIdle()
    }
  }

  /** Cancels the lists that are being read; resolves once every thread has ended, and thus closed the file. */
  async close(): Promise<void> {
    for (const port of this.#ports) port.close()
    this.#endThread()
    for (const worker of this.#ends.keys()) worker.ref()
    await Promise.all(this.#ends.values())
  }

  #endThread(): void {
    clearTimeout(this.#idleTimer)
    this.#worker?.postMessage(null satisfies ToListThread)
    this.#worker = undefined
  }

  #running(): Worker {
    clearTimeout(this.#idleTimer)
    if (this.#worker) return this.#worker
    const workerData: ListThreadData = { file: this.#file }
    const worker = new Worker(new URL('./list-thread.ts', import.meta.url), { workerData, execArgv: [] })
    worker.unref()
    const end = new Promise<void>((resolve) => {
      // Without a listener, an error of the thread would end the process. The consumers of the interrupted lists
      // receive errors from `texts`.
      worker.on('error', () => {})
      worker.on('exit', () => {
        if (this.#worker === worker) this.#worker = undefined
        this.#ends.delete(worker)
        resolve()
      })
    })
    this.#ends.set(worker, end)
    this.#worker = worker
    return worker
  }

  #endWhenIdle(): void {
    if (this.#ports.size > 0) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#endThread(), idleTimeout).unref()
  }
}
