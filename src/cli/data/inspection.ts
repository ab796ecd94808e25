import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Inspection } from '../../db/sqlite/sqlite-file.ts'
import type { CommandCaller } from '../framework/command.ts'

/** Looks through a database file without changing it; after a second, and each second more, the caller hears of it. */
export async function inspectAside(file: string, now: number, caller: CommandCaller): Promise<Inspection> {
  const worker = new Worker(new URL('./inspection-thread.ts', import.meta.url), {
    workerData: { file, now },
    execArgv: [],
  })
  const timer = setInterval(() => caller.note(`checking ${megabytes(file)} MB …`), 1_000)
  try {
    // Rejected by the error of a thread that fails.
    const [inspection] = await once(worker, 'message')
    return inspection
  } finally {
    clearInterval(timer)
  }
}

/** The size of a file, as progress tells it. */
export function megabytes(file: string): number {
  return Math.ceil(statSync(file).size / 1_048_576)
}
