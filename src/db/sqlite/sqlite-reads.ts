import { setImmediate } from 'node:timers/promises'
import type { CompiledQuery, Kysely } from 'kysely'
import { Semaphore } from '../../semaphore.ts'
import type { Database, ReadDatabase, SnapshotDatabase, TextSource } from '../database.ts'
import { sqlite } from '../dialects.ts'
import type { Prepared } from '../query/prepared.ts'
import type { Tables } from '../query/tables.ts'
import { LongLists } from './long-lists.ts'
import { openToRead, type SqliteConnection } from './sqlite.ts'
import { rowBatches, snapshotOver } from './sqlite-reader.ts'

const streamsAtOnce = 4
/**
 * The maximum number of characters of a list that is read on this thread, about two thousand reservations. A longer
 * list is read again from its start on the thread of `LongLists`.
 */
const maxShortLength = 500_000

/**
 * Reads the committed state of a SQLite file. A read sees every write whose outcome was returned before the read
 * started, and resolves only after the commits that it has seen were applied to the caches.
 */
export class SqliteReads implements ReadDatabase {
  readonly dialect = sqlite
  readonly build: Kysely<Tables>
  readonly caughtUp: () => Promise<void> | undefined
  readonly #file: string
  readonly #connection: SqliteConnection
  readonly #snapshots: SqliteConnection
  readonly #longLists: LongLists
  readonly #idle: SqliteConnection[] = []
  readonly #open = new Set<SqliteConnection>()
  readonly #snapshotTurn = new Semaphore(1)
  readonly #streamTurn = new Semaphore(streamsAtOnce)

  /** `caughtUp` is absent for a thread without caches, whose reads need not wait. */
  constructor(file: string, caughtUp: () => Promise<void> | undefined = () => undefined) {
    this.#file = file
    this.caughtUp = caughtUp
    const connection = this.#opened()
    this.#connection = connection
    this.#snapshots = this.#opened()
    this.#longLists = new LongLists(file)
    this.build = sqlite.builderOver(async (query) => {
      const result = connection.execute(query)
      await caughtUp()
      return result
    })
  }

  run<Values extends object, Row>(query: Prepared<Values, Row>, values: NoInfer<Values>): Promise<Row[]> {
    const rows = this.#connection.run(query, values)
    return this.caughtUp() ? this.#held(rows) : rows
  }

  async snapshot<T>(read: (db: Database) => Promise<T>): Promise<T> {
    await this.#snapshotTurn.acquire()
    let found: T
    try {
      this.#snapshots.step('begin')
      found = await read(this.#snapshots)
    } finally {
      if (this.#snapshots.inTransaction) this.#snapshots.step('rollback')
      this.#snapshotTurn.release()
    }
    const late = this.caughtUp()
    if (late) await late
    return found
  }

  get streams(): number {
    return this.#streamTurn.wanted
  }

  async *stream<Row>(query: CompiledQuery<Row>): AsyncGenerator<Row[]> {
    await this.#streamTurn.acquire()
    try {
      using borrowed = this.#borrowed()
      yield* this.#heldParts(rowBatches<Row>(borrowed.connection, query))
    } finally {
      this.#streamTurn.release()
    }
  }

  async *texts<List>(source: TextSource<List>, list: List): AsyncGenerator<string> {
    await this.#streamTurn.acquire()
    try {
      const short = await this.#shortList(source, list)
      yield* this.#heldParts(short ?? this.#longLists.texts(source.module, list))
    } finally {
      this.#streamTurn.release()
    }
  }

  /**
   * Returns all texts of a list, reading one part per turn of the event loop; undefined when the list exceeds
   * `maxShortLength`.
   */
  async #shortList<List>(source: TextSource<List>, list: List): Promise<readonly string[] | undefined> {
    using borrowed = this.#borrowed()
    borrowed.connection.step('begin')
    const texts: string[] = []
    let length = 0
    for await (const text of source.texts(snapshotOver(borrowed.connection), list)) {
      texts.push(text)
      length += text.length
      if (length > maxShortLength) return undefined
      await setImmediate()
    }
    return texts
  }

  async longSnapshot<T>(read: (db: SnapshotDatabase) => Promise<T>): Promise<T> {
    await this.#streamTurn.acquire()
    try {
      using borrowed = this.#borrowed()
      borrowed.connection.step('begin')
      return await this.#held(read(snapshotOver(borrowed.connection)))
    } finally {
      this.#streamTurn.release()
    }
  }

  async close(): Promise<void> {
    await this.#longLists.close()
    for (const connection of this.#open) connection.close()
    this.#open.clear()
  }

  async #held<T>(reading: Promise<T>): Promise<T> {
    const found = await reading
    await this.caughtUp()
    return found
  }

  /**
   * Yields the parts of a list that is read from one snapshot. Before the first part it waits until the caches have
   * applied every commit that the snapshot may contain; later parts come from the same snapshot.
   */
  async *#heldParts<Part>(reading: AsyncIterable<Part> | Iterable<Part>): AsyncGenerator<Part> {
    let held = false
    for await (const part of reading) {
      if (!held) await this.caughtUp()
      held = true
      yield part
    }
    // An empty list depends on the snapshot as well, so it also waits until the caches have applied the commits that
    // the snapshot may contain.
    if (!held) await this.caughtUp()
  }

  /** Borrows a connection until the end of the enclosing block, which rolls back an open transaction. */
  #borrowed(): { readonly connection: SqliteConnection } & Disposable {
    const connection = this.#idle.pop() ?? this.#opened()
    return {
      connection,
      [Symbol.dispose]: () => {
        if (connection.inTransaction) connection.step('rollback')
        this.#idle.push(connection)
      },
    }
  }

  #opened(): SqliteConnection {
    const connection = openToRead(this.#file)
    this.#open.add(connection)
    return connection
  }
}
