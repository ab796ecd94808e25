import type { CompiledQuery, Kysely } from 'kysely'
import type { Dialect } from './dialects.ts'
import type { Prepared } from './query/prepared.ts'
import type { Tables } from './query/tables.ts'

/** Runs queries, either on a connection in a transaction or on the committed state. */
export interface Database {
  readonly dialect: Dialect
  /** A query builder that runs its queries through this object; frequent queries are prepared and use `run` instead. */
  readonly build: Kysely<Tables>
  /**
   * Runs a prepared query with the given values; resolves to its rows. In a transaction or snapshot on PostgreSQL,
   * queries that are started without waiting for each other are sent together and run in their order (see `together`).
   */
  run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]>
}

/** The committed state, read outside of any write. */
export interface ReadDatabase extends Database {
  /**
   * Runs several queries on one snapshot. `read` must use only the database that it receives and change nothing, since
   * on PostgreSQL it may run again, on another snapshot.
   */
  snapshot<T>(read: (db: Database) => Promise<T>): Promise<T>
  /** Streams the rows of one query from one snapshot, in batches of 250. */
  stream<Row>(query: CompiledQuery<Row>): AsyncIterable<Row[]>
  /**
   * Streams, from one snapshot, the chunks of text that `source` yields for the list that `list` describes. On SQLite,
   * a long list is read on a separate thread.
   */
  texts<List>(source: TextSource<List>, list: List): AsyncIterable<string>
  /**
   * Runs streams and queries on one snapshot, which may stay open for long. The snapshot counts towards the maximum
   * number of streams that are open at once.
   */
  longSnapshot<T>(read: (db: SnapshotDatabase) => Promise<T>): Promise<T>
  /**
   * On SQLite, tells whether every commit that a read of this thread may have seen has been applied to this thread's
   * caches: undefined when it has, otherwise a promise that resolves when it has. Reads wait for this before they
   * resolve, so a cache is never older than the result of a read. On PostgreSQL, always undefined. See
   * docs/decisions/0018.
   */
  caughtUp(): Promise<void> | undefined
  /** The number of streams, lists and long snapshots that are open or queued. */
  readonly streams: number
  close(): Promise<void>
}

/**
 * Reads a complete list, such as the list of reservations, as chunks of text. `module` is the URL of a module that
 * exports this object as `textSource`; on SQLite, the thread that reads long lists imports this module.
 */
export interface TextSource<List> {
  readonly module: string
  /** Yields the text chunks of a list; `list` is plain data, since it may be sent to another thread. */
  texts(db: SnapshotDatabase, list: List): AsyncIterable<string>
}

/** One snapshot of the database, from which queries are run and streamed one at a time. */
export interface SnapshotDatabase extends Database {
  /** Streams the rows of one query in batches of 250; the previous stream must have ended. */
  stream<Row>(query: CompiledQuery<Row>): AsyncIterable<Row[]>
}
