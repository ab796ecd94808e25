import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { TextSource } from '../database.ts'
import type { FromListThread, ListThreadData, ToListThread } from './long-lists.ts'
import { openToRead, type SqliteConnection } from './sqlite.ts'
import { snapshotOver } from './sqlite-reader.ts'

if (parentPort) serve(parentPort, workerData)

/**
 * Reads the list that each message requests, and sends the parts of the list to the port that the message contains. The
 * message null ends the thread once all lists have been read.
 */
function serve(from: MessagePort, { file }: ListThreadData): void {
  const idle: SqliteConnection[] = []
  let ending = false
  from.on('message', (message: ToListThread) => {
    if (message) return read(message)
    ending = true
    for (const connection of idle) connection.close()
    from.close()
  })

  function read({ module, list, port }: NonNullable<ToListThread>): void {
    const texts = textsOf(module, list)
    // The parts of one list are read one at a time. A consumer that stops early closes its port, which ends the reading
    // of its list.
    let turn: Promise<unknown> = Promise.resolve()
    port.on('message', () => {
      turn = turn.then(async () => port.postMessage(await nextOf(texts)))
    })
    port.on('close', () => {
      turn = turn.then(() => texts.return())
    })
  }

  async function* textsOf(module: string, list: unknown): AsyncGenerator<string, void> {
    const source: TextSource<unknown> = (await import(module)).textSource
    const connection = idle.pop() ?? openToRead(file)
    try {
      connection.step('begin')
      yield* source.texts(snapshotOver(connection), list)
    } finally {
      if (connection.inTransaction) connection.step('rollback')
      if (ending) connection.close()
      else idle.push(connection)
    }
  }
}

async function nextOf(texts: AsyncGenerator<string, void>): Promise<FromListThread> {
  try {
    const { value, done } = await texts.next()
    return done ? { end: true } : { text: value }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
