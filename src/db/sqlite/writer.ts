import { once } from 'node:events'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Invalidation } from '../../scheduling/invalidation.ts'
import type { Outcome } from '../perform/app.ts'
import type { Write } from '../perform/perform.ts'
import { openToWrite } from './sqlite.ts'
import { SqliteWrites } from './sqlite-writes.ts'

/** The data with which the writer thread is started. */
export interface WriterData {
  readonly file: string
  /** The URL of the module that exports the table of operations as `operations`. */
  readonly operations: string
  /** A shared counter of the commits that have begun, which wraps around. */
  readonly begun: Int32Array
}

/** A message to the writer: first to open the file, then writes, or null to finish and end. */
export type ToWriter = 'open' | readonly Write[] | null

/**
 * A message from the writer: that it is ready; or the outcomes of one committed transaction in the order of the writes,
 * its invalidations, the counter of begun commits, and its duration.
 */
export type FromWriter =
  | 'ready'
  | {
      readonly outcomes: readonly Outcome<unknown>[]
      readonly invalidations: readonly Invalidation[]
      readonly begun: number
      readonly seconds: number
    }

// A commit waits for the disk once for all its writes; with more of them the first would wait for the last.
const maxBatch = 256

if (parentPort) await serve(parentPort, workerData)

async function serve(port: MessagePort, { file, operations, begun }: WriterData): Promise<void> {
  const table = await import(operations)
  // The file is created and migrated while this thread loads its modules.
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
      const outcomes = await writes.perform(waiting.splice(0, maxBatch))
      const seconds = (performance.now() - since) / 1000
      port.postMessage({ outcomes, invalidations, begun: Atomics.load(begun, 0), seconds } satisfies FromWriter)
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
