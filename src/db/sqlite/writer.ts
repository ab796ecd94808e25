import { once } from 'node:events'
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { releaseCompiledCode } from '../../compiled-code.ts'
import { everythingChanged, type Invalidation } from '../../scheduling/invalidation.ts'
import type { Outcome } from '../perform/app.ts'
import type { Write } from '../perform/perform.ts'
import { openToWrite } from './sqlite.ts'
import { SqliteWrites } from './sqlite-writes.ts'

/** The data with which the writer thread is started. */
export interface WriterData {
  readonly file: string
  /** The URL of the module that exports the table of operations as `operations`. */
  readonly operations: string
  /**
   * A shared counter of the commits that the writer thread has begun; it wraps around. Only commits that change cached
   * data, or that contain writes of threads with caches, are counted.
   */
  readonly begun: Int32Array
}

/**
 * A message from the main thread to the writer thread: first `open`, then writes, the port of a further thread, or null
 * to perform all remaining writes and end.
 */
export type ToWriter = 'open' | readonly Write[] | OtherThread | null

/**
 * A port on which a thread other than the main one sends writes; `follows` is true if this thread has caches, as the
 * main thread does.
 */
interface OtherThread {
  readonly port: MessagePort
  readonly follows: boolean
}

/** A message from the writer to a thread about one transaction, or about several that were reported together. */
export interface Committed {
  /** The outcomes of the writes that the receiving thread sent, in the order of these writes. */
  readonly outcomes: readonly Outcome<unknown>[]
  /** The invalidations of cached data, and the counter of begun commits; only threads with caches use these two. */
  readonly invalidations: readonly Invalidation[]
  readonly begun: number
}

/**
 * A message from the writer thread to the main thread: `ready` once the file is open and migrated, then the result of a
 * transaction, with all commits since the previous message. `othersChanged` is true if the transaction changed cached
 * data and contained writes of other threads.
 */
export type FromWriter =
  | 'ready'
  | (Committed & { readonly commits: readonly Commit[]; readonly othersChanged: boolean })

/** The number of writes of one commit, and its duration. */
interface Commit {
  readonly writes: number
  readonly seconds: number
}

// The maximum number of writes in one commit. Each commit waits for the disk once, but in a larger batch the first
// write would wait for the last.
const maxBatch = 256
// The maximum number of commits of threads without caches that are collected before they are reported to the main
// thread.
const maxUntold = 100

if (parentPort) await serve(parentPort, workerData)

async function serve(port: MessagePort, { file, operations, begun }: WriterData): Promise<void> {
  const table = await import(operations)
  releaseCompiledCode()
  // When the service starts, the main thread creates and migrates the file while this thread loads its modules, and
  // then sends the first message.
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
      if (isFollowed || count > 0) Atomics.add(begun, 0, 1)
    },
  )
  // Whether the current transaction contains writes of a thread with caches.
  let isFollowed = false
  let untold: Commit[] = []
  const waiting: Waiting[] = []
  const others = new Set<MessagePort>()
  /** The ports of the threads with caches, except that of the main thread. */
  const followers = new Set<MessagePort>()
  let working = false
  let closing = false

  const accept = (message: ToWriter) => {
    if (message === null) closing = true
    else if (message === 'open') return
    else if ('port' in message) listen(message)
    else for (const write of message) waiting.push({ write, from: port })
  }
  const listen = ({ port: other, follows }: OtherThread) => {
    others.add(other)
    if (follows) {
      followers.add(other)
      // The connecting thread has not received earlier cache invalidations, so it must invalidate everything.
      tell(other, { outcomes: [], invalidations: [everythingChanged], begun: Atomics.load(begun, 0) })
    }
    other.on('close', () => {
      others.delete(other)
      followers.delete(other)
    })
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
      const sources = new Set(batch.map(({ from }) => from))
      isFollowed = sources.has(port) || [...followers].some((follower) => sources.has(follower))
      const outcomes = await writes.perform(batch.map(({ write }) => write))
      untold.push({ writes: batch.length, seconds: (performance.now() - since) / 1000 })
      const of = (source: MessagePort) => outcomes.filter((_, at) => batch[at]?.from === source)
      // A commit that has no cache invalidations and only writes of threads without caches is not reported to the main
      // thread at once, to save the main thread's time.
      const committed = { invalidations, begun: Atomics.load(begun, 0) }
      if (isFollowed || invalidations.length > 0 || untold.length >= maxUntold) {
        const othersChanged = invalidations.length > 0 && batch.some(({ from }) => from !== port)
        const message = { ...committed, outcomes: of(port), commits: untold, othersChanged }
        port.postMessage(message satisfies FromWriter)
        for (const follower of followers) tell(follower, { ...committed, outcomes: of(follower) })
        untold = []
        invalidations = []
      }
      for (const other of sources)
        if (other !== port && !followers.has(other)) tell(other, { ...committed, outcomes: of(other) })
    }
    working = false
    if (closing) {
      writes.close()
      for (const other of others) other.close()
      port.close()
    }
  }
}

function tell(other: MessagePort, committed: Committed): void {
  other.postMessage(committed)
}

interface Waiting {
  readonly write: Write
  readonly from: MessagePort
}

function drain(port: MessagePort, accept: (message: ToWriter) => void): void {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) accept(next.message)
}
