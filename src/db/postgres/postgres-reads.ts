import type { CompiledQuery, Kysely } from 'kysely'
import type pg from 'pg'
import Cursor from 'pg-cursor'
import { Semaphore, type WaitLimit } from '../../semaphore.ts'
import type { Database, ReadDatabase, SnapshotDatabase, TextSource } from '../database.ts'
import { postgres } from '../dialects.ts'
import { PostgresUnavailable } from '../failures.ts'
import type { Prepared } from '../query/prepared.ts'
import type { Tables } from '../query/tables.ts'
import { BatchedQueries } from './batch.ts'
import { askSeconds, PostgresQueries, rolledBack, runQuery, withCurrentStatements } from './postgres.ts'

const chunk = 250

/** Reads the committed state of a PostgreSQL database. */
export class PostgresReads implements ReadDatabase {
  readonly dialect = postgres
  readonly #pool: pg.Pool
  readonly #queries: PostgresQueries
  readonly #streamTurn: Semaphore
  readonly #patience: WaitLimit

  /** With `patience`, the limits of waiting while as many streams and long snapshots run as may. */
  constructor(pool: pg.Pool, patience: WaitLimit) {
    this.#pool = pool
    this.#patience = patience
    this.#queries = new PostgresQueries(pool)
    // Clients may read streams slowly, so streams get at most half of the connections, but at least one.
    this.#streamTurn = new Semaphore(Math.max(1, Math.floor(pool.options.max / 2)))
  }

  get build(): Kysely<Tables> {
    return this.#queries.build
  }

  run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]> {
    return withCurrentStatements(() => this.#queries.run(query, values))
  }

  snapshot<T>(read: (db: Database) => Promise<T>): Promise<T> {
    return withCurrentStatements(() => this.#onSnapshot(read))
  }

  async #onSnapshot<T>(read: (db: Database) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let finished = false
    try {
      await runQuery(client, { text: 'begin isolation level repeatable read read only' })
      const result = await read(new PostgresQueries(new BatchedQueries(client)))
      await runQuery(client, { text: 'commit' })
      finished = true
      return result
    } finally {
      client.release(!finished && !(await rolledBack(client)))
    }
  }

  /** Returns undefined: on PostgreSQL reads do not wait, since each node applies commits by polling. */
  caughtUp(): undefined {
    return undefined
  }

  get streams(): number {
    return this.#streamTurn.wanted
  }

  stream<Row>(query: CompiledQuery<Row>): AsyncIterable<Row[]> {
    return this.#held((client) => parts<Row>(client, query))
  }

  texts<List>(source: TextSource<List>, list: List): AsyncIterable<string> {
    return this.#held((client) => source.texts(steadyOver(client), list))
  }

  async #acquireTurn(): Promise<void> {
    if (!(await this.#streamTurn.acquire(this.#patience)))
      throw new PostgresUnavailable('Too many streams are read at once.')
  }

  async *#held<Part>(read: (client: pg.PoolClient) => AsyncIterable<Part>): AsyncGenerator<Part> {
    await this.#acquireTurn()
    try {
      yield* this.#parts(read)
    } finally {
      this.#streamTurn.release()
    }
  }

  async *#parts<Part>(read: (client: pg.PoolClient) => AsyncIterable<Part>): AsyncGenerator<Part> {
    const client = await this.#pool.connect()
    let finished = false
    try {
      await runQuery(client, { text: 'begin isolation level repeatable read read only' })
      yield* read(client)
      await runQuery(client, { text: 'commit' })
      finished = true
    } finally {
      // A stream that was not read to its end leaves its cursor open. Its connection is closed instead of reused, since
      // closing the cursor could wait for the database.
      client.release(!finished)
    }
  }

  async longSnapshot<T>(read: (db: SnapshotDatabase) => Promise<T>): Promise<T> {
    await this.#acquireTurn()
    try {
      return await this.#steadily(read)
    } finally {
      this.#streamTurn.release()
    }
  }

  async #steadily<T>(read: (db: SnapshotDatabase) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let finished = false
    try {
      await runQuery(client, { text: 'begin isolation level repeatable read read only' })
      const result = await read(steadyOver(client))
      await runQuery(client, { text: 'commit' })
      finished = true
      return result
    } finally {
      client.release(!finished)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}

// A stream and a long snapshot may have passed on a part of their rows, so they could not start again after an outdated
// statement.
function steadyOver(client: pg.PoolClient): SnapshotDatabase {
  const queries = new PostgresQueries(client, { isNamed: false })
  return {
    dialect: postgres,
    build: queries.build,
    run: (query, values) => queries.run(query, values),
    stream: (query) => parts(client, query),
  }
}

async function* parts<Row>(client: pg.PoolClient, query: CompiledQuery<Row>): AsyncGenerator<Row[]> {
  const cursor = client.query(new Cursor<Row>(query.sql, [...query.parameters]))
  for (let part = await readPart(cursor); part.length > 0; part = await readPart(cursor)) yield part
  await cursor.close()
}

/** Reads the next rows of a cursor; rejects when the database has not answered after `askSeconds`. */
function readPart<Row>(cursor: Cursor<Row>): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PostgresUnavailable('The database did not answer.')), askSeconds * 1000)
    cursor
      .read(chunk)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
