import { closeSync, mkdirSync, openSync } from 'node:fs'
import { databaseFile } from '../db/data-dir.ts'
import type { ReadDatabase } from '../db/database.ts'
import { migratePostgres, migrateSqlite } from '../db/migrate.ts'
import type { OperationTable, Outcome, Perform } from '../db/perform/app.ts'
import type { Write } from '../db/perform/perform.ts'
import { openToWrite } from '../db/sqlite/sqlite.ts'
import { SqliteReads } from '../db/sqlite/sqlite-reads.ts'
import { SqliteWrites, WriteQueue } from '../db/sqlite/sqlite-writes.ts'
import type { StartedWriter } from '../db/sqlite/start-writer.ts'
import { type WriterConnection, WriterPort } from '../db/sqlite/writer-port.ts'
import { type OnCommit, WriterThread } from '../db/sqlite/writer-thread.ts'
import { TakenSlots } from '../reservations/booking/taken-slots.operations.ts'
import type { OnInvalidation } from '../scheduling/invalidation.ts'

/** The options of `open`, which opens the database of the service. */
export interface OpenOptions {
  readonly at: { readonly dataDir: string } | { readonly databaseUrl: string }
  /** The URL of the module that exports the table of operations as `operations`. */
  readonly operations: URL
  /**
   * Whether SQLite writes on a separate thread; true when absent. False for command-line commands, and for the outbound
   * thread on PostgreSQL. On PostgreSQL, false means longer timeouts of waiting for a connection and no polling for the
   * cache invalidations of other nodes.
   */
  readonly thread?: boolean
  /**
   * Whether pending migrations are applied, and a database that was migrated by a newer version is refused; true when
   * absent. False in the threads of a process that runs already: during an upgrade they start beside the newer version.
   */
  readonly migrates?: boolean
  /** A writer thread that was started in advance for this data directory and these operations. */
  readonly writer?: StartedWriter | undefined
  /** Whether other threads that serve requests use the same writer thread. */
  readonly isShared?: boolean
  /** The maximum number of connections to PostgreSQL; 10 when absent. */
  readonly poolSize?: number
  /** Called with the message of the error when a connection to PostgreSQL breaks. */
  readonly warn?: (message: string) => void
  /**
   * Called after each transaction of the writer thread on SQLite, and after each successful write on PostgreSQL that is
   * not a dry run; see `OnCommit`.
   */
  readonly onCommit?: OnCommit
  /**
   * Called with the cache invalidations of each commit: for a write of this node, before the response to it is sent;
   * for a write of another node, soon after its commit.
   */
  readonly onInvalidation?: OnInvalidation
}

/**
 * The storage that `open` has opened: `perform` for writes, `db` for reads of the committed state, and the names of the
 * migrations that were applied on opening.
 */
export interface OpenStorage<C extends OperationTable> {
  readonly perform: Perform<C>
  readonly db: ReadDatabase
  readonly migrated: readonly string[]
  /** The progress of this process in applying the commits of other processes to its caches. */
  readonly applied: AppliedCommits
  /** Returns the number of pending writes, such as those queued for the writer thread. */
  waitingWrites(): number
  /**
   * Connects another thread to the writer thread; `follows` says whether that thread has caches. Returns undefined when
   * there is no writer thread, as on PostgreSQL.
   */
  connectWriter(options: { readonly follows: boolean }): WriterConnection | undefined
  /** Completes running writes, then closes the database. */
  close(): Promise<void>
}

/** The progress of this process in applying commits to its caches, which it does by calling `onInvalidation`. */
export interface AppliedCommits {
  /** Whether every commit older than one second has been applied to the caches. */
  isFresh(): boolean
  /** Returns a number of seconds; every commit older than this has been applied. */
  age(): number
  /** Resolves when every commit that preceded the call has been applied to the caches. */
  caughtUp(): Promise<void>
}

/**
 * Opens the storage, creating a missing SQLite file, and applies pending migrations. `C` must be the type of the table
 * of operations that the module at the URL `operations` exports.
 */
export function open<C extends OperationTable>(options: OpenOptions): Promise<OpenStorage<C>> {
  const { at } = options
  return 'dataDir' in at ? openSqlite(at.dataDir, options) : openPostgres(at.databaseUrl, options)
}

async function openSqlite<C extends OperationTable>(dataDir: string, options: OpenOptions): Promise<OpenStorage<C>> {
  const { operations, thread = true, onCommit = () => {}, onInvalidation = () => {} } = options
  const file = madeFile(dataDir)
  const data = { file, operations: operations.href }
  // `TakenSlots` caches refused slots. It learns of the writes of other threads only that they changed cached data, and
  // then forgets all of them, so it is of no use beside other threads that serve requests.
  const taken = thread && !options.isShared ? new TakenSlots() : undefined
  const writer = thread
    ? new WriterThread(data, { onCommit, onInvalidation, memory: taken }, options.writer)
    : undefined
  const connection = openToWrite(file)
  const migrated = await migrateSqlite(connection, wallClock())
  if (writer) connection.close()
  await writer?.open()
  const writes = writer ?? new WriteQueue(new SqliteWrites(connection, await tableOf(operations), onInvalidation))
  const db = new SqliteReads(file, writer && (() => writer.caughtUp()))
  return {
    perform: performBy<C>(async (write) => taken?.refusal(write) ?? writes.perform(write)),
    db,
    migrated,
    applied: neverBehind,
    waitingWrites: () => writes.waiting,
    connectWriter: (wanted) => writer?.connect(wanted),
    close: async () => {
      // The writing connection closes last: this checkpoints the WAL, so that one complete file remains.
      await db.close()
      await writes.close()
    },
  }
}

// On SQLite a single process writes the file, and a read resolves only after the commits that it has seen were applied
// to the caches, so the caches are never behind.
const neverBehind: AppliedCommits = { isFresh: () => true, age: () => 0, caughtUp: async () => {} }

/** The storage of a thread other than the main thread; on SQLite, it writes through the main thread's writer thread. */
export type BesideStorage<C extends OperationTable> = Omit<OpenStorage<C>, 'migrated' | 'connectWriter'>

/**
 * Opens the SQLite file of a data directory, which the main thread has created and migrated, in another thread. A
 * thread with caches passes `onInvalidation`, which receives the cache invalidations of all commits. `onClose` is
 * called when the connection to the writer thread has closed, either after `close` or because the writer thread has
 * ended; from then on, every write fails as unavailable.
 */
export function openBeside<C extends OperationTable>(
  dataDir: string,
  connection: WriterConnection,
  listener: { readonly onInvalidation?: OnInvalidation; readonly onClose: () => void },
): BesideStorage<C> {
  const writes = new WriterPort(connection, listener)
  const db = new SqliteReads(databaseFile(dataDir), listener.onInvalidation && (() => writes.caughtUp()))
  return {
    perform: performBy<C>((write) => writes.perform(write)),
    db,
    applied: neverBehind,
    waitingWrites: () => writes.waiting,
    async close() {
      await db.close()
      writes.close()
    },
  }
}

async function openPostgres<C extends OperationTable>(url: string, options: OpenOptions): Promise<OpenStorage<C>> {
  const { operations, poolSize = 10, warn = () => {}, onCommit = () => {}, onInvalidation = () => {} } = options
  // The PostgreSQL modules are imported on demand, to save their memory on installations with SQLite.
  const [
    { lockSeconds, openPool },
    { PostgresReads },
    { PostgresWrites, requestPatience, backgroundPatience },
    { InvalidationFeed },
  ] = await Promise.all([
    import('../db/postgres/postgres.ts'),
    import('../db/postgres/postgres-reads.ts'),
    import('../db/postgres/postgres-writes.ts'),
    import('../db/postgres/invalidation-feed.ts'),
  ])
  const migrated = options.migrates === false ? [] : await migratePostgres(url, wallClock())
  const table = await tableOf(operations)
  // Commands and the outbound thread may wait longer than a server, since no client waits for them: for a connection as
  // long as `openPool` waits, and before that, for writes, a minute until fewer writes than allowed are running.
  const serves = options.thread !== false
  const patience = serves ? requestPatience : backgroundPatience
  const connectTimeout = serves && { connectTimeout: patience.stuck }
  const pool = openPool({ url, size: poolSize, ...connectTimeout, lockSeconds, warn })
  const feed = new InvalidationFeed(pool, onInvalidation)
  const writes = new PostgresWrites(pool, table, feed, patience)
  const db = new PostgresReads(pool, patience)
  if (serves) await feed.start()
  const close = async () => {
    await feed.close()
    await db.close()
  }
  const perform = performBy<C>(async (write) => {
    const since = performance.now()
    const outcome = await writes.perform(write)
    if ('ok' in outcome && !write.context.dryRun) onCommit(1, (performance.now() - since) / 1000)
    return outcome
  })
  return {
    ...{ perform, db, migrated, applied: feed, close },
    waitingWrites: () => writes.waiting,
    connectWriter: () => undefined,
  }
}

// A new file is readable and writable by its owner alone; SQLite creates its other files with the same mode.
function madeFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = databaseFile(dataDir)
  closeSync(openSync(file, 'a', 0o600))
  return file
}

/** Returns the typed function `perform` that passes each write to the given function. */
export function performBy<C extends OperationTable>(perform: (write: Write) => Promise<Outcome<unknown>>): Perform<C> {
  return ((name, input, context) => perform({ name, input, context })) as Perform<C>
}

async function tableOf(operations: URL): Promise<OperationTable> {
  return (await import(operations.href)).operations
}

function wallClock(): number {
  return Math.floor(Date.now() / 1000)
}
