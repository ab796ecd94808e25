import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Database } from './database.ts'
import { sqlite } from './dialects.ts'
import type { Prepared } from './prepared.ts'
import type { Tables } from './tables.ts'
import { logTouched, type TouchedLog } from './touched.ts'

/** One connection to a SQLite file, its statements kept by their text. */
export class SqliteConnection implements Database {
  readonly dialect = sqlite
  readonly build: Kysely<Tables>
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(database: DatabaseSync) {
    this.#database = database
    this.build = sqlite.builderOver(async (query) => this.execute(query))
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Runs statements without values, such as pragmas and migrations. */
  script(text: string): void {
    this.#database.exec(text)
  }

  /** Runs one statement without values, such as `begin`, that comes again and again. */
  step(text: string): void {
    this.#statement(text).run()
  }

  async run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]> {
    const statement = query.statement(sqlite)
    return this.#statement(statement.text).all(...inputs(statement.parameters(values))) as Row[]
  }

  execute(query: CompiledQuery): QueryResult<unknown> {
    const statement = this.#statement(query.sql)
    const values = inputs(query.parameters)
    if (statement.columns().length > 0) return { rows: statement.all(...values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** Row after row; the statement is taken from the cache, so a connection iterates one query at a time. */
  iterate(query: CompiledQuery): Iterator<unknown> {
    return this.#statement(query.sql).iterate(...inputs(query.parameters))
  }

  /** From now on notes what is touched through this connection; its file is brought up to the code. */
  logTouched(): TouchedLog {
    return logTouched(this.#database)
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #statement(text: string): StatementSync {
    const known = this.#statements.get(text)
    if (known) return known
    // Lists of differing length and filters make new texts without end; the booking path has a few dozen.
    if (this.#statements.size >= statementsKept) this.#statements.clear()
    const made = this.#database.prepare(text)
    this.#statements.set(text, made)
    return made
  }
}

const statementsKept = 500
const busyTimeout = 5000

/** The connection that writes: durable at each commit, references enforced. There is one a file. */
export function openToWrite(file: string): SqliteConnection {
  const database = opened(file, { readOnly: false })
  // FULL: a commit answered survives power loss; NORMAL lost four in ten under test.
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma journal_size_limit = 67108864;
    pragma cache_size = -16384;
  `)
  return new SqliteConnection(database)
}

/** A connection that only reads; the file exists and is in WAL mode. */
export function openToRead(file: string): SqliteConnection {
  return new SqliteConnection(opened(file, { readOnly: true }))
}

function opened(file: string, mode: { readonly readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(file, {
    ...mode,
    timeout: busyTimeout,
    enableForeignKeyConstraints: true,
    defensive: true,
    allowExtension: false,
  })
  database.exec('pragma trusted_schema = off')
  const version = String(database.prepare('select sqlite_version() as version').get()?.version)
  if (!reaches(version, oldest)) {
    database.close()
    throw new Error(`SQLite ${version} can damage a database that is written and read at once; ${oldest} is needed.`)
  }
  return database
}

// Earlier ones can corrupt a WAL file that is checkpointed while another connection resets it.
const oldest = '3.51.3'

function reaches(version: string, wanted: string): boolean {
  return version.localeCompare(wanted, 'en', { numeric: true }) >= 0
}

type Input = null | number | bigint | string | Uint8Array

function inputs(parameters: readonly unknown[]): Input[] {
  return parameters as Input[]
}
