import { on } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'

/** What the thread is started with. */
export interface ListThreadData {
  readonly file: string
}

/** To the thread: the module of its `TextSource`, a list, and where its parts are asked for one by one; null to end once all lists are read. */
export type ToListThread = { readonly module: string; readonly list: unknown; readonly port: MessagePort } | null

/** From the thread, for each part that was asked for: its text, that there is none left, or why there is none. */
export type FromListThread = { readonly text: string } | { readonly end: true } | { readonly failed: string }

// So many parts are on their way while one is sent.
const ahead = 3
// A thread costs some 20 MB while it is there.
const rest = 10_000

/** Reads long lists of one SQLite file on a thread of its own, which is there as long as lists are wanted. */
export class LongLists {
  readonly #file: string
  #worker: Worker | undefined
  /** Of lists that are being read. */
  readonly #ports = new Set<MessagePort>()
  #rest: NodeJS.Timeout | undefined
  /** Threads that have not ended, with when they do. */
  readonly #ends = new Map<Worker, Promise<void>>()

  constructor(file: string) {
    this.#file = file
  }

  /** The texts of one list; they come as fast as they are taken. */
  async *texts(module: string, list: unknown): AsyncGenerator<string> {
    const { port1: port, port2 } = new MessageChannel()
    this.#running().postMessage({ module, list, port: port2 } satisfies ToListThread, [port2])
    this.#ports.add(port)
    // Ends when the thread does: nothing is taken for a whole list that is not one.
    const answers = on(port, 'message', { close: ['close'] })
    try {
      for (let asked = 0; asked < ahead; asked += 1) port.postMessage(null)
      for await (const [answer] of answers as AsyncIterable<[FromListThread]>) {
        if ('end' in answer) return
        if ('failed' in answer) throw new Error(answer.failed)
        port.postMessage(null)
        yield answer.text
      }
      throw new Error('The thread that reads long lists ended.')
    } finally {
      port.close()
      this.#ports.delete(port)
      this.#restSoon()
    }
  }

  /** Resolves once the thread has let go of the file; lists that are being read are broken off. */
  async close(): Promise<void> {
    for (const port of this.#ports) port.close()
    this.#dismiss()
    for (const worker of this.#ends.keys()) worker.ref()
    await Promise.all(this.#ends.values())
  }

  #dismiss(): void {
    clearTimeout(this.#rest)
    this.#worker?.postMessage(null satisfies ToListThread)
    this.#worker = undefined
  }

  #running(): Worker {
    clearTimeout(this.#rest)
    if (this.#worker) return this.#worker
    const workerData: ListThreadData = { file: this.#file }
    const worker = new Worker(new URL('./list-thread.ts', import.meta.url), { workerData, execArgv: [] })
    worker.unref()
    const end = new Promise<void>((resolve) => {
      // What went wrong is told to those whose lists it broke off.
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

  #restSoon(): void {
    if (this.#ports.size > 0) return
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#dismiss(), rest).unref()
  }
}
