import { once } from 'node:events'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Invalidation } from '../../scheduling/invalidation.ts'
import type { Outcome } from '../perform/app.ts'
import type { Write } from '../perform/perform.ts'
import { openToWrite } from './sqlite.ts'
import { SqliteWrites } from './sqlite-writes.ts'

/** What the writer thread is started with. */
export interface WriterData {
  readonly file: string
  /** The address of the module that exports the table of operations as `operations`. */
  readonly operations: string
  /** One number, shared: how many commits have begun, as it turns over. */
  readonly begun: Int32Array
}

/** To the writer: first of all to open the file, then writes, or null to finish what came before and end. */
export type ToWriter = 'open' | readonly Write[] | null

/**
 * From the writer: that it is ready, or the answers of one committed transaction, what it touched, how many commits had
 * begun by then and how long it took. Answers come in the order of the writes.
 */
export type FromWriter =
  | 'ready'
  | {
      readonly answers: readonly Outcome<unknown>[]
      readonly invalidations: readonly Invalidation[]
      readonly begun: number
      readonly seconds: number
    }

// A commit waits for the disk once for all in it; more than these would make the first wait for the last.
const largestBatch = 256

if (parentPort) await serve(parentPort, workerData)

async function serve(port: MessagePort, { file, operations, begun }: WriterData): Promise<void> {
  const table = await import(operations)
  // The file is made and brought up to the code while this thread loads its own.
  const [first] = await once(port, 'message')
  if (first === null) {
    port.close()
    return
  }
  let invalidations: readonly Invalidation[] = []
  const writes = new SqliteWrites(
    openToWrite(file),
    table.operations,
    (applied) => {
      invalidations = applied
    },
    () => Atomics.add(begun, 0, 1),
  )
  const waiting: Write[] = []
  let working = false
  let closing = false

  const accept = (message: ToWriter) => {
    if (message === null) closing = true
    else if (message !== 'open') waiting.push(...message)
  }
  port.on('message', (message: ToWriter) => {
    accept(message)
    if (!working) void work()
  })
  port.postMessage('ready' satisfies FromWriter)

  async function work(): Promise<void> {
    working = true
    for (drain(port, accept); waiting.length > 0; drain(port, accept)) {
      const since = performance.now()
      const answers = await writes.perform(waiting.splice(0, largestBatch))
      const seconds = (performance.now() - since) / 1000
      port.postMessage({ answers, invalidations, begun: Atomics.load(begun, 0), seconds } satisfies FromWriter)
    }
    working = false
    if (closing) {
      writes.close()
      port.close()
    }
  }
}

function drain(port: MessagePort, accept: (message: ToWriter) => void): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) accept(next.message)
}
