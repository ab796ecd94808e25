import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import pg from 'pg'
import type { Database } from '../database.ts'
import { postgres } from '../dialects.ts'
import { isOutdatedStatement } from '../failures.ts'
import type { Prepared } from '../query/prepared.ts'
import type { Tables } from '../query/tables.ts'
import { Batch } from './batch.ts'
import { type PostgresAnswer, type PostgresQuery, type TimedQuery, typeParser } from './types.ts'

/** Seconds to wait for the answer to a query, or to a request for a part of the rows of a cursor. */
export const askSeconds = 30
/** Seconds after which PostgreSQL cancels a statement that waits for a lock on a table or row. */
export const lockSeconds = 3
const undoSeconds = 2
const attempts = 4

// A part of the name of every prepared statement. It is raised when a statement turns out to be outdated (see
// `isOutdatedStatement`): then every connection of this thread prepares its statements anew at their next use, so the
// migration that outdated one statement fails at most the queries that are running.
let generation = 0

/** Runs one query; rejects when the database has not answered after `seconds`, 30 by default. */
export async function runQuery(
  asked: PostgresQuery,
  question: Omit<TimedQuery, 'query_timeout'>,
  seconds: number = askSeconds,
): Promise<PostgresAnswer> {
  const used = generation
  const named = question.name !== undefined && { name: `${question.name}_${used}` }
  try {
    // The timeout is set per query. As a setting of the connection, it would also abort a stream that a client reads
    // slowly.
    return await asked.query({ ...question, ...named, query_timeout: seconds * 1000 })
  } catch (error) {
    if (used === generation && isOutdatedStatement(error)) generation += 1
    throw error
  }
}

/** Runs a read, up to three more times while it fails because of an outdated prepared statement. */
export async function withCurrentStatements<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (attempt === attempts || !isOutdatedStatement(error)) throw error
    }
  }
}

/** Runs queries on one PostgreSQL connection, or on any free connection of a pool. */
export class PostgresQueries implements Database {
  readonly dialect = postgres
  readonly #asked: PostgresQuery
  readonly #isNamed: boolean
  readonly #seconds: number
  #build: Kysely<Tables> | undefined

  /**
   * With `isNamed: false`, prepared queries run as unnamed statements, which PostgreSQL parses at each use: slower, but
   * no migration can outdate them. A query may take `seconds`.
   */
  constructor(
    asked: PostgresQuery,
    { isNamed = true, seconds = askSeconds }: { readonly isNamed?: boolean; readonly seconds?: number } = {},
  ) {
    this.#asked = asked
    this.#isNamed = isNamed
    this.#seconds = seconds
  }

  /** The query builder, created on first use, since most transactions that book a slot never use it. */
  get build(): Kysely<Tables> {
    this.#build ??= postgres.builderOver((query) => this.#execute(query))
    return this.#build
  }

  async run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]> {
    const { text, name, parameters } = query.statement(postgres)
    const question = { text, values: parameters(values) }
    const { rows } = await runQuery(this.#asked, this.#isNamed ? { ...question, name } : question, this.#seconds)
    return rows as Row[]
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const question = { text: query.sql, values: [...query.parameters] }
    const { rows, rowCount } = await runQuery(this.#asked, question, this.#seconds)
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
  }
}

/** The parameters of `openPool`: the database, and the size, timeouts and warnings of the pool of connections. */
export interface PoolOptions {
  readonly url: string
  readonly size: number
  /**
   * Milliseconds to wait for a free connection; then the query fails as `unavailable`. 10,000 when absent, since no
   * client waits for a command or the outbound thread.
   */
  readonly connectTimeout?: number
  /** Seconds that a statement waits for a lock; without a limit when absent. */
  readonly lockSeconds?: number
  /** Called with the message of the error when a connection breaks. */
  readonly warn: (message: string) => void
}

// The parameter of the database URL that disables named prepared statements.
const preparedParameter = 'prepared_statements'

/**
 * A connection without named prepared statements, for connection poolers that may run each transaction of a client on a
 * different server connection.
 */
class UnnamedClient extends pg.Client {
  // All arguments are passed on, except the name of a prepared statement.
  // biome-ignore lint/suspicious/noExplicitAny: the driver has one method for configurations, texts and cursors
  override query(...[question, ...rest]: readonly any[]): any {
    if (question instanceof Batch) {
      question.isNamed = false
      return super.query(question)
    }
    const named = typeof question?.name === 'string' && typeof question.text === 'string'
    return Reflect.apply(super.query, this, [named ? { ...question, name: undefined } : question, ...rest])
  }
}

/**
 * Opens a pool of connections to a PostgreSQL database; a broken connection is replaced and never ends the process.
 * With `prepared_statements=no` in the URL, every statement is unnamed.
 */
export function openPool({ url, size, connectTimeout = 10_000, lockSeconds = 0, warn }: PoolOptions): pg.Pool {
  const target = new URL(url)
  const unnamed = target.searchParams.get(preparedParameter) === 'no'
  target.searchParams.delete(preparedParameter)
  const pool = new pg.Pool({
    connectionString: target.href,
    ...(unnamed && { Client: UnnamedClient }),
    max: size,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect: async (client) => {
      await runQuery(client, { text: sessionText, values: [`${lockSeconds}s`] })
    },
    types: { getTypeParser: typeParser },
  })
  pool.on('error', (error) => warn(error.message))
  // The pool handles errors of idle connections only; an unhandled error on a connection in use would end the process.
  pool.on('connect', (client) => client.on('error', (error) => warn(error.message)))
  return pool
}

// Without these settings, PostgreSQL would go on with a statement whose connection has been closed, as after `askSeconds`,
// and with each replaced connection the server would have one session more. As parameters of the start of a connection,
// a pooler would refuse them. The second one exists since PostgreSQL 14.
const sessionText = `
  select set_config(name, case name when 'lock_timeout' then $1 else '5s' end, false)
  from pg_settings where name in ('lock_timeout', 'client_connection_check_interval')`

/** Rolls back the connection's open transaction; false when the connection cannot be used again. */
export function rolledBack(client: pg.PoolClient): Promise<boolean> {
  return runQuery(client, { text: 'rollback' }, undoSeconds).then(
    () => true,
    () => false,
  )
}
