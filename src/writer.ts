import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Outcome } from './app.ts'
import type { Touched } from './domain/touched.ts'
import { shrinkAfterStart } from './memory.ts'
import type { Write } from './perform.ts'
import { SqliteWrites } from './sqlite-writes.ts'
import { openToWrite } from './storage/sqlite.ts'

/** What the writer thread is started with. */
export interface WriterData {
  readonly file: string
  /** The address of the module that exports the table of operations as `commands`. */
  readonly commands: string
}

/** One write and the number its answer will carry. */
export interface WriterRequest {
  readonly number: number
  readonly write: Write
}

/** To the writer: a write, or null to finish what came before and end. */
export type ToWriter = WriterRequest | null

/** From the writer: that it is ready, or the answers of one committed transaction, what it touched and how long it took. */
export type FromWriter =
  | 'ready'
  | {
      readonly answers: readonly { readonly number: number; readonly outcome: Outcome<unknown> }[]
      readonly touched: readonly Touched[]
      readonly seconds: number
    }

// A commit waits for the disk once for all in it; more than these would make the first wait for the last.
const largestBatch = 256

if (parentPort) await serve(parentPort, workerData)

async function serve(port: MessagePort, { file, commands }: WriterData): Promise<void> {
  const table = await import(commands)
  let touched: readonly Touched[] = []
  const writes = new SqliteWrites(openToWrite(file), table.commands, (heard) => {
    touched = heard
  })
  const waiting: WriterRequest[] = []
  let working = false
  let closing = false

  const accept = (message: ToWriter) => {
    if (message) waiting.push(message)
    else closing = true
  }
  port.on('message', (message: ToWriter) => {
    accept(message)
    if (!working) void work()
  })
  port.postMessage('ready' satisfies FromWriter)
  shrinkAfterStart()

  async function work(): Promise<void> {
    working = true
    for (drain(port, accept); waiting.length > 0; drain(port, accept)) {
      const batch = waiting.splice(0, largestBatch)
      const since = performance.now()
      const outcomes = await writes.perform(batch.map(({ write }) => write))
      const answers = outcomes.map((outcome, i) => ({ number: batch[i]?.number ?? 0, outcome }))
      port.postMessage({ answers, touched, seconds: (performance.now() - since) / 1000 } satisfies FromWriter)
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
