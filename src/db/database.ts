import type { CompiledQuery, Kysely } from 'kysely'
import type { Dialect } from './dialects.ts'
import type { Prepared } from './query/prepared.ts'
import type { Tables } from './query/tables.ts'

/** One place to ask: a connection in a transaction, or the committed state. */
export interface Database {
  readonly dialect: Dialect
  /** For queries off the booking path; executes here. */
  readonly build: Kysely<Tables>
  /** Runs a query of the booking path, built once, with values; gives its rows. */
  run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]>
}

/** The committed state, read from outside any write. */
export interface ReadDatabase extends Database {
  /** Several queries that see one and the same state; inside, ask only the database that `read` is given. */
  snapshot<T>(read: (db: Database) => Promise<T>): Promise<T>
  /** Rows of one query as of one moment, a few hundred at a time; never all in memory. */
  stream<Row>(query: CompiledQuery<Row>): AsyncIterable<Row[]>
  /** The text chunks of a list as of one snapshot; a long list is read on a thread of its own. */
  texts<List>(source: TextSource<List>, list: List): AsyncIterable<string>
  /** Long lists and queries that all see one and the same state; for who may take their time, as the connection is held. */
  longSnapshot<T>(read: (db: SnapshotDatabase) => Promise<T>): Promise<T>
  /**
   * Resolves once every commit is heard of that a read may have seen; undefined when all are. No read gives what it saw
   * before that: what is kept in memory is then never older than anything that was read. See decisions/0018.
   */
  caughtUp(): Promise<void> | undefined
  /** How many streams are open, or wait to be. */
  readonly streams: number
  close(): Promise<void>
}

/** Reads a whole list as chunks of text. A thread that reads it imports `module`, which exports it as `textSource`. */
export interface TextSource<List> {
  readonly module: string
  /** `list` is plain data. */
  texts(db: SnapshotDatabase, list: List): AsyncIterable<string>
}

/** One state of the database, read list by list. */
export interface SnapshotDatabase extends Database {
  /** Rows of one query, a few hundred at a time; one list at a time. */
  stream<Row>(query: CompiledQuery<Row>): AsyncIterable<Row[]>
}
