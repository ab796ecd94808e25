import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Inspection } from '../../db/sqlite/sqlite-file.ts'
import type { CommandCaller } from '../framework/command.ts'

/**
 * Inspects a SQLite file on a separate thread without changing it; notifies the caller of the command once a second.
 */
export async function inspectInThread(file: string, now: number, caller: CommandCaller): Promise<Inspection> {
  const worker = new Worker(new URL('./inspection-thread.ts', import.meta.url), {
    workerData: { file, now },
    execArgv: [],
  })
  const timer = setInterval(() => caller.note(`checking ${megabytes(file)} MB …`), 1_000)
  try {
    // The promise of `once` rejects when the thread fails.
    const [inspection] = await once(worker, 'message')
    return inspection
  } finally {
    clearInterval(timer)
  }
}

/** Returns the size of a file in MiB, rounded up. */
export function megabytes(file: string): number {
  return Math.ceil(statSync(file).size / 1_048_576)
}
