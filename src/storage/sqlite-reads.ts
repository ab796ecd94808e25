import { setImmediate } from 'node:timers/promises'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Database, ReadDatabase, SteadyDatabase } from './database.ts'
import { sqlite } from './dialects.ts'
import { Permits } from './permits.ts'
import type { Prepared } from './prepared.ts'
import { openToRead, type SqliteConnection } from './sqlite.ts'
import type { Tables } from './tables.ts'

const streamsAtOnce = 4
const chunk = 250

/** Reads the committed state of a SQLite file: what was answered before the question was asked is seen. */
export class SqliteReads implements ReadDatabase {
  readonly dialect = sqlite
  readonly build: Kysely<Tables>
  readonly #file: string
  readonly #connection: SqliteConnection
  readonly #snapshots: SqliteConnection
  readonly #idle: SqliteConnection[] = []
  readonly #open = new Set<SqliteConnection>()
  readonly #snapshotTurn = new Permits(1)
  readonly #streamTurn = new Permits(streamsAtOnce)

  constructor(file: string) {
    this.#file = file
    this.#connection = this.#opened()
    this.#snapshots = this.#opened()
    this.build = this.#connection.build
  }

  run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]> {
    return this.#connection.run(query, values)
  }

  async snapshot<T>(read: (db: Database) => Promise<T>): Promise<T> {
    await this.#snapshotTurn.take()
    try {
      this.#snapshots.script('begin')
      return await read(this.#snapshots)
    } finally {
      if (this.#snapshots.inTransaction) this.#snapshots.script('rollback')
      this.#snapshotTurn.give()
    }
  }

  get streams(): number {
    return this.#streamTurn.wanted
  }

  async *stream<Row>(query: CompiledQuery<Row>): AsyncGenerator<Row[]> {
    await this.#streamTurn.take()
    const connection = this.#idle.pop() ?? this.#opened()
    try {
      yield* parts<Row>(connection, query)
    } finally {
      this.#idle.push(connection)
      this.#streamTurn.give()
    }
  }

  async *walk<Part>(read: (db: Database) => AsyncIterable<Part>): AsyncGenerator<Part> {
    await this.#streamTurn.take()
    const connection = this.#idle.pop() ?? this.#opened()
    try {
      connection.step('begin')
      for await (const part of read(connection)) {
        yield part
        await setImmediate()
      }
    } finally {
      if (connection.inTransaction) connection.step('rollback')
      this.#idle.push(connection)
      this.#streamTurn.give()
    }
  }

  async steady<T>(read: (db: SteadyDatabase) => Promise<T>): Promise<T> {
    await this.#streamTurn.take()
    const connection = this.#idle.pop() ?? this.#opened()
    try {
      connection.script('begin')
      return await read({
        dialect: sqlite,
        build: connection.build,
        run: (query, values) => connection.run(query, values),
        stream: (query) => parts(connection, query),
      })
    } finally {
      if (connection.inTransaction) connection.script('rollback')
      this.#idle.push(connection)
      this.#streamTurn.give()
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#open) connection.close()
    this.#open.clear()
  }

  #opened(): SqliteConnection {
    const connection = openToRead(this.#file)
    this.#open.add(connection)
    return connection
  }
}

async function* parts<Row>(connection: SqliteConnection, query: CompiledQuery<Row>): AsyncGenerator<Row[]> {
  const rows = connection.iterate(query)
  try {
    for (let part = take(rows); part.length > 0; part = take(rows)) {
      yield part as Row[]
      // A long list lets everyone else's turn come between its parts.
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
