import { setImmediate } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import type { SnapshotDatabase } from '../database.ts'
import { sqlite } from '../dialects.ts'
import type { SqliteConnection } from './sqlite.ts'

const chunk = 250

/**
 * Returns a database that reads through a connection, on which the caller has begun a transaction: one snapshot of the
 * file.
 */
export function snapshotOver(connection: SqliteConnection): SnapshotDatabase {
  return {
    dialect: sqlite,
    build: connection.build,
    run: (query, values) => connection.run(query, values),
    stream: (query) => rowBatches(connection, query),
  }
}

/**
 * Yields the rows of one query in batches of at most 250, and lets the event loop run between them, so that a long list
 * does not delay other work.
 */
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
