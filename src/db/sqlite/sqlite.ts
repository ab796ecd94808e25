import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Database } from '../database.ts'
import { sqlite } from '../dialects.ts'
import { type InvalidationLog, logInvalidations } from '../invalidation.ts'
import type { Prepared } from '../query/prepared.ts'
import type { Tables } from '../query/tables.ts'

/** One connection to a SQLite file, with a cache of prepared statements by text. */
export class SqliteConnection implements Database {
  readonly dialect = sqlite
  readonly build: Kysely<Tables>
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, CachedStatement>()

  constructor(database: DatabaseSync) {
    this.#database = database
    this.build = sqlite.builderOver(async (query) => this.execute(query))
  }

  get inTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction
  }

  /** Runs statements without values, such as pragmas and migrations. */
  script(text: string): void {
    this.#database.exec(text)
  }

  /** Runs one statement without values, such as `begin`, and caches it for repeated use. */
  step(text: string): void {
    this.#prepared(text).statement.run()
  }

  /** The number of rows changed through this connection, including changes that were rolled back. */
  changes(): number {
    return Number(this.#prepared('select total_changes()').statement.get()?.[0])
  }

  async run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]> {
    const statement = query.statement(sqlite)
    return rowsOf(this.#prepared(statement.text), inputs(statement.parameters(values))) as Row[]
  }

  execute(query: CompiledQuery): QueryResult<unknown> {
    const cached = this.#prepared(query.sql)
    const { statement, names } = cached
    const values = inputs(query.parameters)
    if (names.length > 0) return { rows: rowsOf(cached, values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /**
   * Iterates over the rows of a query. Only one iteration per query text may be open at a time, since all use the same
   * cached statement.
   */
  iterate(query: CompiledQuery): Iterator<unknown> {
    const { statement, names } = this.#prepared(query.sql)
    return (statement.iterate(...inputs(query.parameters)) as Iterable<unknown> as IteratorObject<Cells>).map((cells) =>
      rowOf(names, cells),
    )
  }

  /** Starts to record the cache invalidations of changes through this connection; the schema must be migrated. */
  logTouched(): InvalidationLog {
    return logInvalidations(this.#database)
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepared(text: string): CachedStatement {
    const known = this.#statements.get(text)
    if (known) return known
    // Filters and lists of varying length produce an unlimited number of query texts, so the size of the cache is
    // limited; bookings use only a few dozen texts.
    if (this.#statements.size >= maxStatements) this.#statements.clear()
    const statement = this.#database.prepare(text)
    // Rows are read as arrays and converted to objects here, which takes half the time of objects created by Node.
    statement.setReturnArrays(true)
    const cached = { statement, names: statement.columns().map(({ name }) => name) }
    this.#statements.set(text, cached)
    return cached
  }
}

interface CachedStatement {
  readonly statement: StatementSync
  /** The names of the result columns in order; empty for statements without result rows, such as a plain `insert`. */
  readonly names: readonly string[]
}

type Cells = readonly unknown[]

function rowsOf({ statement, names }: CachedStatement, values: readonly Input[]): object[] {
  return (statement.all(...values) as unknown[] as Cells[]).map((cells) => rowOf(names, cells))
}

function rowOf(names: readonly string[], cells: Cells): object {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = cells[at]
  return row
}

const maxStatements = 500
const busyTimeout = 5000

/**
 * Opens the writing connection of a SQLite file, durable at each commit and with foreign keys enforced. At most one
 * such connection may be open per file.
 */
export function openToWrite(file: string): SqliteConnection {
  // With `synchronous` FULL, an acknowledged commit survives a power loss; with NORMAL, a test lost four in ten
  // commits. With `secure_delete`, SQLite overwrites deleted rows.
  const settings = `
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma secure_delete = on;
    pragma journal_size_limit = 67108864;
    pragma cache_size = -4096;
  `
  return new SqliteConnection(opened(file, { readOnly: false }, settings))
}

/** Opens a read-only connection to an existing file in WAL mode. */
export function openToRead(file: string): SqliteConnection {
  return new SqliteConnection(opened(file, { readOnly: true }))
}

function opened(file: string, mode: { readonly readOnly: boolean }, settings = ''): DatabaseSync {
  // A connection that fails here, as one to a damaged file, is closed at once. The garbage collector would close it at any
  // time, and SQLite would then remove files beside the database.
  using opening = new DisposableStack()
  const options = { ...mode, timeout: busyTimeout, enableForeignKeyConstraints: true, defensive: true }
  const database = opening.adopt(new DatabaseSync(file, { ...options, allowExtension: false }), (failed) =>
    failed.close(),
  )
  database.exec('pragma trusted_schema = off')
  const version = String(database.prepare('select sqlite_version() as version').get()?.version)
  if (!reaches(version, oldest))
    throw new Error(`SQLite ${version} can damage a database that is written and read at once; ${oldest} is needed.`)
  database.exec(settings)
  opening.move()
  return database
}

// Earlier versions of SQLite can corrupt the database when a checkpoint runs while another connection resets the WAL
// file.
const oldest = '3.51.3'

function reaches(version: string, wanted: string): boolean {
  return version.localeCompare(wanted, 'en', { numeric: true }) >= 0
}

type Input = null | number | bigint | string | Uint8Array

function inputs(parameters: readonly unknown[]): Input[] {
  return parameters as Input[]
}
