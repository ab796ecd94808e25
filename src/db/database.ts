import type { CompiledQuery, Kysely } from 'kysely'
import type { Dialect } from './dialects.ts'
import type { Prepared } from './query/prepared.ts'
import type { Tables } from './query/tables.ts'

/** A source of query results: a connection in a transaction, or the committed state. */
export interface Database {
  readonly dialect: Dialect
  /** A query builder for queries off the booking path; executes on this source. */
  readonly build: Kysely<Tables>
  /** Runs a prepared query of the booking path with values; resolves to its rows. */
  run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]>
}

/** The committed state, read outside of any write. */
export interface ReadDatabase extends Database {
  /** Runs several queries on one snapshot; `read` must use only the database that it receives. */
  snapshot<T>(read: (db: Database) => Promise<T>): Promise<T>
  /** Streams the rows of one query from one snapshot, a few hundred at a time, never all in memory. */
  stream<Row>(query: CompiledQuery<Row>): AsyncIterable<Row[]>
  /** Streams the text chunks of a list from one snapshot; a long list is read on a separate thread. */
  texts<List>(source: TextSource<List>, list: List): AsyncIterable<string>
  /** Runs long lists and queries on one snapshot; for callers that may take long, as the connection stays occupied. */
  longSnapshot<T>(read: (db: SnapshotDatabase) => Promise<T>): Promise<T>
  /**
   * Resolves when every visible commit has been applied to the caches; undefined when all are. No read resolves before
   * that, so a cache is never older than the result of a read. See decisions/0018.
   */
  caughtUp(): Promise<void> | undefined
  /** The number of streams that are open or queued. */
  readonly streams: number
  close(): Promise<void>
}

/** Reads a complete list as text chunks. The list thread imports `module`, which exports this as `textSource`. */
export interface TextSource<List> {
  readonly module: string
  /** Yields the text chunks of a list; `list` is plain data, since it is sent to another thread. */
  texts(db: SnapshotDatabase, list: List): AsyncIterable<string>
}

/** One snapshot of the database, from which lists are read one by one. */
export interface SnapshotDatabase extends Database {
  /** Streams the rows of one query, a few hundred at a time; one list at a time. */
  stream<Row>(query: CompiledQuery<Row>): AsyncIterable<Row[]>
}
