import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { reservationTexts } from '../../reservations/list/reservation-json.sql.ts'
import type { ReservationList } from '../../reservations/list/reservation-list.sql.ts'
import type { FromListThread, ListThreadData, ToListThread } from './long-lists.ts'
import { openToRead, type SqliteConnection } from './sqlite.ts'
import { steadyOver } from './sqlite-reader.ts'

if (parentPort) serve(parentPort, workerData)

/** Reads lists, each for a port of its own, until it is told to end. */
function serve(from: MessagePort, { file }: ListThreadData): void {
  const idle: SqliteConnection[] = []
  let ending = false
  from.on('message', (message: ToListThread) => {
    if (message) return read(message.port, message.list)
    ending = true
    for (const connection of idle) connection.close()
    from.close()
  })

  function read(port: MessagePort, list: ReservationList): void {
    const texts = textsOf(list)
    // One part at a time; whoever takes no more closes the port.
    let turn: Promise<unknown> = Promise.resolve()
    port.on('message', () => {
      turn = turn.then(async () => port.postMessage(await nextOf(texts)))
    })
    port.on('close', () => {
      turn = turn.then(() => texts.return())
    })
  }

  async function* textsOf(list: ReservationList): AsyncGenerator<string, void> {
    const connection = idle.pop() ?? openToRead(file)
    try {
      connection.step('begin')
      yield* reservationTexts(steadyOver(connection), list)
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
