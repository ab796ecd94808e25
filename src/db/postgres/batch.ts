import pg from 'pg'
import { type PostgresAnswer, type PostgresQuery, type TimedQuery, typeParser } from './types.ts'

// What the driver has, but its types lack: the conversion of parameters, and the wire protocol that its query classes
// use.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils

interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  /** The texts of the prepared statements of this connection, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>
  parse(message: { readonly text: string; readonly name: string }): void
  bind(message: { readonly statement: string; readonly values: readonly (string | Buffer | null)[] }): void
  describe(message: { readonly type: 'P'; readonly name: string }): void
  execute(message: { readonly portal: string; readonly rows: number }): void
  sync(): void
}

interface Pending {
  readonly query: TimedQuery
  readonly resolve: (answer: PostgresAnswer) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs queries on one connection. Queries that are started together, as in `Promise.all`, are sent together: they take
 * one round trip, run in the order in which they were started, and each sees what was committed before it began. When
 * one of them fails, the later ones do not run, and all are rejected that have not ended.
 */
export class BatchedQueries implements PostgresQuery {
  readonly #client: pg.ClientBase
  #pending: Pending[] = []

  constructor(client: pg.ClientBase) {
    this.#client = client
  }

  query(query: TimedQuery): Promise<PostgresAnswer> {
    // A text without parameters may contain several statements, which only a message of its own can.
    if (!query.values) {
      this.#send()
      return this.#client.query(query)
    }
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) queueMicrotask(() => this.#send())
      this.#pending.push({ query, resolve, reject })
    })
  }

  #send(): void {
    const pending = this.#pending
    this.#pending = []
    const [first] = pending
    if (first && pending.length === 1) this.#client.query(first.query).then(first.resolve, first.reject)
    else if (first) this.#client.query(new Batch(pending))
  }
}

/**
 * Several queries for the driver to submit at once. PostgreSQL runs them one after the other, each with a snapshot of
 * its own, and skips the rest after an error.
 */
export class Batch implements pg.Submittable {
  readonly query_timeout: number
  /** Called by the driver after a timeout or when the connection breaks. */
  callback: (error: Error | null) => void
  /** Whether the statements are prepared with their names; otherwise PostgreSQL parses them at each use. */
  isNamed = true
  readonly #pending: readonly Pending[]
  #ended = 0
  #columns: readonly { readonly name: string; readonly parse: (text: string) => unknown }[] = []
  #rows: Record<string, unknown>[] = []
  /** The first error in a result, after which the later results are discarded. */
  #failure: unknown

  constructor(pending: readonly Pending[]) {
    this.#pending = pending
    this.query_timeout = Math.max(...pending.map(({ query }) => query.query_timeout))
    this.callback = (error) => error && this.#fail(error)
  }

  /** The queries, in the order in which they run. */
  get queries(): readonly TimedQuery[] {
    return this.#pending.map(({ query }) => query)
  }

  /** The name of the statement that runs; the driver records under it that the statement has been prepared. */
  get name(): string | undefined {
    return this.isNamed ? this.#pending[this.#ended]?.query.name : undefined
  }

  /** The text of the statement that runs. */
  get text(): string | undefined {
    return this.#pending[this.#ended]?.query.text
  }

  submit(connection: unknown): Error | undefined {
    const wire = connection as Wire
    let statements: readonly { name: string; text: string; values: (string | Buffer | null)[] }[]
    try {
      statements = this.queries.map(({ name = '', text, values = [] }) => ({
        name: this.isNamed ? name : '',
        text,
        values: values.map((value) => prepareValue(value)),
      }))
    } catch (error) {
      // The driver rejects the batch with the returned error, and goes on with the next query.
      return error as Error
    }
    const prepared = new Set<string>()
    wire.stream.cork()
    for (const { name, text, values } of statements) {
      if (name === '' || !(prepared.has(name) || name in wire.parsedStatements)) wire.parse({ text, name })
      prepared.add(name)
      wire.bind({ statement: name, values })
      wire.describe({ type: 'P', name: '' })
      wire.execute({ portal: '', rows: 0 })
    }
    wire.sync()
    wire.stream.uncork()
    return undefined
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: typeParser(dataTypeID) }))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    try {
      const row: Record<string, unknown> = {}
      for (const [at, { name, parse }] of this.#columns.entries()) {
        const text = fields[at] ?? null
        row[name] = text === null ? null : parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#failure ??= error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const [command = ''] = text.split(' ', 1)
    const answer = { command, rows: this.#rows, rowCount: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 }
    this.#rows = []
    const ended = this.#pending[this.#ended]
    this.#ended += 1
    if (this.#failure) ended?.reject(this.#failure)
    else ended?.resolve(answer)
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  #fail(error: Error): void {
    for (const { reject } of this.#pending.slice(this.#ended)) reject(error)
  }
}
