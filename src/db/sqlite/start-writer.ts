import { Worker } from 'node:worker_threads'
import type { WriterData } from './writer.ts'

/** A writer thread and its shared counter of begun commits (see `WriterData`). */
export interface StartedWriter {
  readonly worker: Worker
  readonly begun: Int32Array
}

/**
 * Starts the thread that writes to a SQLite file. The thread loads its modules without keeping the process alive, and
 * opens the file on request. See `WriterThread`.
 */
export function startWriter(data: Omit<WriterData, 'begun'>): StartedWriter {
  const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: WriterData = { ...data, begun }
  // The thread does not inherit command-line options of the process, such as `--eval`.
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData, execArgv: [] })
  worker.unref()
  return { worker, begun }
}
