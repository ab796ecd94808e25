import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Database } from '../database.ts'
import { sqlite } from '../dialects.ts'
import { type InvalidationLog, logInvalidations } from '../invalidation.ts'
import type { Prepared } from '../query/prepared.ts'
import type { Tables } from '../query/tables.ts'

/** One connection to a SQLite file, its statements kept by their text. */
export class SqliteConnection implements Database {
  readonly dialect = sqlite
  readonly build: Kysely<Tables>
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, KeptStatement>()

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

  /** Runs one statement without values, such as `begin`, that comes again and again. */
  step(text: string): void {
    this.#kept(text).statement.run()
  }

  /** How many rows were changed through this connection so far, those undone since among them. */
  changes(): number {
    return Number(this.#kept('select total_changes()').statement.get()?.[0])
  }

  async run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]> {
    const statement = query.statement(sqlite)
    return rowsOf(this.#kept(statement.text), inputs(statement.parameters(values))) as Row[]
  }

  execute(query: CompiledQuery): QueryResult<unknown> {
    const kept = this.#kept(query.sql)
    const { statement, names } = kept
    const values = inputs(query.parameters)
    if (names.length > 0) return { rows: rowsOf(kept, values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** Row after row; the statement is taken from the cache, so a connection iterates one query at a time. */
  iterate(query: CompiledQuery): Iterator<unknown> {
    const { statement, names } = this.#kept(query.sql)
    return (statement.iterate(...inputs(query.parameters)) as Iterable<unknown> as IteratorObject<Cells>).map((cells) =>
      rowOf(names, cells),
    )
  }

  /** From now on notes what is touched through this connection; its file is brought up to the code. */
  logTouched(): InvalidationLog {
    return logInvalidations(this.#database)
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #kept(text: string): KeptStatement {
    const known = this.#statements.get(text)
    if (known) return known
    // Lists of differing length and filters make new texts without end; the booking path has a few dozen.
    if (this.#statements.size >= statementsKept) this.#statements.clear()
    const statement = this.#database.prepare(text)
    // Rows come as lists and are given their names here: Node takes twice as long to make objects of them.
    statement.setReturnArrays(true)
    const kept = { statement, names: statement.columns().map(({ name }) => name) }
    this.#statements.set(text, kept)
    return kept
  }
}

interface KeptStatement {
  readonly statement: StatementSync
  /** Of its columns, in their order; none where it gives no rows. */
  readonly names: readonly string[]
}

type Cells = readonly unknown[]

function rowsOf({ statement, names }: KeptStatement, values: readonly Input[]): object[] {
  return (statement.all(...values) as unknown[] as Cells[]).map((cells) => rowOf(names, cells))
}

function rowOf(names: readonly string[], cells: Cells): object {
  const row: Record<string, unknown> = {}
  for (let at = 0; at < names.length; at += 1) row[names[at] ?? ''] = cells[at]
  return row
}

const statementsKept = 500
const busyTimeout = 5000

/** The connection that writes: durable at each commit, references enforced. There is one a file. */
export function openToWrite(file: string): SqliteConnection {
  const database = opened(file, { readOnly: false })
  // FULL: a commit answered survives power loss; NORMAL lost four in ten under test. What is erased is overwritten, too.
  database.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma secure_delete = on;
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
