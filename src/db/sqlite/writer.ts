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

/** A message to the writer: first to open the file, then writes, a port for writes of another thread, or null to finish and end. */
export type ToWriter = 'open' | readonly Write[] | { readonly port: MessagePort } | null

/**
 * A message from the writer: that it is ready; or the outcomes of the main thread's writes of one transaction in their
 * order, its invalidations, the counter of begun commits, and the commits since the last message. Outcomes of other
 * threads' writes are sent to their ports.
 */
export type FromWriter =
  | 'ready'
  | {
      readonly outcomes: readonly Outcome<unknown>[]
      readonly commits: readonly Commit[]
      readonly invalidations: readonly Invalidation[]
      readonly begun: number
    }

/** The number of writes of one commit, and its duration. */
interface Commit {
  readonly writes: number
  readonly seconds: number
}

// Maximum writes of one commit. The disk is waited for once per commit, but in a longer batch the first write would
// wait for the last.
const maxBatch = 256
// Maximum commits of other threads that are not yet reported to the main thread.
const maxUntold = 100

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
    (count) => {
      if (ownWrites || count > 0) Atomics.add(begun, 0, 1)
    },
  )
  // Whether the transaction has writes of the main thread.
  let ownWrites = false
  let untold: Commit[] = []
  const waiting: Waiting[] = []
  const others = new Set<MessagePort>()
  let working = false
  let closing = false

  const accept = (message: ToWriter) => {
    if (message === null) closing = true
    else if (message === 'open') return
    else if ('port' in message) listen(message.port)
    else for (const write of message) waiting.push({ write, from: port })
  }
  const listen = (other: MessagePort) => {
    others.add(other)
    other.on('close', () => others.delete(other))
    other.on('message', (writes: readonly Write[]) => {
      for (const write of writes) waiting.push({ write, from: other })
      if (!working) void work()
    })
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
      const batch = waiting.splice(0, maxBatch)
      ownWrites = batch.some(({ from }) => from === port)
      const outcomes = await writes.perform(batch.map(({ write }) => write))
      untold.push({ writes: batch.length, seconds: (performance.now() - since) / 1000 })
      const of = (source: MessagePort) => outcomes.filter((_, at) => batch[at]?.from === source)
      // A commit of other threads that changed nothing in the caches is not reported at once, to save time of the
      // main thread.
      if (ownWrites || invalidations.length > 0 || untold.length >= maxUntold) {
        const answer = { outcomes: of(port), commits: untold, invalidations, begun: Atomics.load(begun, 0) }
        port.postMessage(answer satisfies FromWriter)
        untold = []
        invalidations = []
      }
      for (const other of new Set(batch.map(({ from }) => from))) if (other !== port) other.postMessage(of(other))
    }
    working = false
    if (closing) {
      writes.close()
      for (const other of others) other.close()
      port.close()
    }
  }
}

interface Waiting {
  readonly write: Write
  readonly from: MessagePort
}

function drain(port: MessagePort, accept: (message: ToWriter) => void): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) accept(next.message)
}
