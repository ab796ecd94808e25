import pg from 'pg'

/** A PostgreSQL connection or pool of connections, which runs a query and returns its rows. */
export interface PostgresQuery {
  query(query: TimedQuery): Promise<PostgresAnswer>
}

/** The result of a query: its rows, the command that ran, such as `COMMIT`, and the number of rows it concerned. */
export type PostgresAnswer = Pick<pg.QueryResult, 'rows' | 'command' | 'rowCount'>

/** A query, and the milliseconds after which it is given up. */
export interface TimedQuery {
  readonly text: string
  readonly values?: unknown[]
  /** The name of the prepared statement; absent for an unnamed statement. */
  readonly name?: string
  readonly query_timeout: number
}

// The type ids of `bigint` and `numeric`, which the driver would return as text. A sum of `bigint` values is `numeric`.
const wholeNumbers = new Set([20, 1700])

/** Returns the function that converts the text of a value of the PostgreSQL type with this id. */
export function typeParser(type: number, format?: 'text' | 'binary') {
  return wholeNumbers.has(type) && format !== 'binary' ? wholeNumber : pg.types.getTypeParser(type, format)
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no whole number within 2^53.`)
  return value
}
