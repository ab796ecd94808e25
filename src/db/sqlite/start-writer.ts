import { Worker } from 'node:worker_threads'
import type { WriterData } from './writer.ts'

/** A thread that writes, or will, and the number in which it counts the commits that have begun; it turns over. */
export interface StartedWriter {
  readonly worker: Worker
  readonly begun: Int32Array
}

/**
 * Starts the thread that writes to a SQLite file. It begins to load what it needs, which keeps no process alive, and
 * opens the file when it is told to. See `WriterThread`.
 */
export function startWriter(data: Omit<WriterData, 'begun'>): StartedWriter {
  const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: WriterData = { ...data, begun }
  // The options of the process's own start, such as --eval, are not the thread's. Loading fills the young generation once
  // and V8 keeps it: limiting it takes 6 MB off the memory at rest (row P19 of docs/performance).
  const worker = new Worker(new URL('./writer.ts', import.meta.url), {
    workerData,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 2 },
  })
  worker.unref()
  return { worker, begun }
}
