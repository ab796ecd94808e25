import { setImmediate } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import type { SnapshotDatabase } from '../database.ts'
import { sqlite } from '../dialects.ts'
import type { SqliteConnection } from './sqlite.ts'

const chunk = 250

/** One state of a SQLite file; the connection is in a transaction. */
export function snapshotOver(connection: SqliteConnection): SnapshotDatabase {
  return {
    dialect: sqlite,
    build: connection.build,
    run: (query, values) => connection.run(query, values),
    stream: (query) => rowBatches(connection, query),
  }
}

/** Rows of one query, some at a time: a long list lets everyone else's turn come between its parts. */
export async function* rowBatches<Row>(connection: SqliteConnection, query: CompiledQuery<Row>): AsyncGenerator<Row[]> {
  const rows = connection.iterate(query)
  try {
    for (let part = take(rows); part.length > 0; part = take(rows)) {
      yield part as Row[]
      await setImmediate()
    }
  } finally {
    rows.return?.()
  }
}

function take(rows: Iterator<unknown>): unknown[] {
  const part: unknown[] = []
  while (part.length < chunk) {
    const next = rows.next()
    if (next.done) break
    part.push(next.value)
  }
  return part
}
