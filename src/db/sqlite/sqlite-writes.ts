import type { OnInvalidation } from '../../scheduling/invalidation.ts'
import type { InvalidationLog } from '../invalidation.ts'
import type { OperationTable, Outcome } from '../perform/app.ts'
import { fault, performIn, type TransactionScope, type Write } from '../perform/perform.ts'
import type { SqliteConnection } from './sqlite.ts'

/**
 * The writing connection of a SQLite file. It commits a batch of writes at once (group commit). Savepoints would make
 * every booking 10 % slower, so a batch without dry runs first runs without them. If an operation then has to be rolled
 * back after it has written something, the batch is rolled back and repeated with savepoints.
 */
export class SqliteWrites {
  readonly #connection: SqliteConnection
  readonly #operations: OperationTable
  readonly #session: SqliteSession
  readonly #invalidations: InvalidationLog
  readonly #onInvalidation: OnInvalidation
  readonly #announce: (invalidations: number) => void

  /**
   * `announce` is called before each commit, with the number of cache invalidations. The commit makes the writes
   * visible to other connections.
   */
  constructor(
    connection: SqliteConnection,
    operations: OperationTable,
    onInvalidation: OnInvalidation = () => {},
    announce: (invalidations: number) => void = () => {},
  ) {
    this.#connection = connection
    this.#operations = operations
    this.#invalidations = connection.logTouched()
    this.#session = new SqliteSession(connection, this.#invalidations)
    this.#onInvalidation = onInvalidation
    this.#announce = announce
  }

  /**
   * Performs the writes in order and commits once. Never rejects: if the transaction fails, every outcome is a fault.
   * If the transaction commits, its changes are durable when the promise resolves.
   */
  async perform(writes: readonly Write[]): Promise<Outcome<unknown>[]> {
    // A dry run is always rolled back, so its batch needs savepoints from the start.
    const savepoints = writes.some(({ context }) => context.dryRun)
    try {
      return (
        (await this.#transact(writes, { savepoints })) ?? (await this.#transact(writes, { savepoints: true })) ?? []
      )
    } catch (error) {
      // The whole batch is rolled back, here or already by SQLite, so every write in it has failed.
      if (this.#connection.inTransaction) this.#connection.script('rollback')
      // A commit that failed may still become visible once the disk is writable again, so the caches drop the data that
      // it changed.
      this.#onInvalidation(this.#invalidations.take())
      return writes.map(() => fault('unavailable', error))
    }
  }

  /**
   * Performs the writes in one transaction. Rolls it back and returns undefined when an operation that has written
   * something must be rolled back but has no savepoint.
   */
  async #transact(
    writes: readonly Write[],
    { savepoints }: { readonly savepoints: boolean },
  ): Promise<Outcome<unknown>[] | undefined> {
    this.#session.begin(savepoints)
    const outcomes: Outcome<unknown>[] = []
    for (const write of writes) {
      outcomes.push(await performIn(this.#session, this.#operations, write))
      if (!this.#session.needsSavepoints) continue
      this.#connection.step('rollback')
      this.#invalidations.forget(0)
      return undefined
    }
    this.#announce(this.#invalidations.length)
    this.#connection.step('commit')
    this.#onInvalidation(this.#invalidations.take())
    return outcomes
  }

  close(): void {
    this.#connection.close()
  }
}

/** Performs writes on this thread; writes that arrive during a transaction share the next one. */
export class WriteQueue {
  readonly #writes: SqliteWrites
  #waiting: { readonly write: Write; readonly resolve: (outcome: Outcome<unknown>) => void }[] = []
  #working: Promise<void> | undefined

  constructor(writes: SqliteWrites) {
    this.#writes = writes
  }

  /** The number of writes that wait for the next transaction. */
  get waiting(): number {
    return this.#waiting.length
  }

  perform(write: Write): Promise<Outcome<unknown>> {
    return new Promise((resolve) => {
      this.#waiting.push({ write, resolve })
      this.#working ??= this.#work()
    })
  }

  async close(): Promise<void> {
    await this.#working
    this.#writes.close()
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      const outcomes = await this.#writes.perform(batch.map(({ write }) => write))
      for (const [i, outcome] of outcomes.entries()) batch[i]?.resolve(outcome)
    }
    this.#working = undefined
  }
}

class SqliteSession implements TransactionScope {
  readonly db: SqliteConnection
  /** Whether an operation had to be rolled back after it wrote something without a savepoint. */
  needsSavepoints = false
  #savepoints = false
  readonly #invalidations: InvalidationLog
  /** The numbers of cache invalidations and of changed rows before the current operation. */
  #before = { invalidations: 0, changes: 0 }

  constructor(connection: SqliteConnection, invalidations: InvalidationLog) {
    this.db = connection
    this.#invalidations = invalidations
  }

  /** Begins a transaction, with or without a savepoint before each operation. */
  begin(savepoints: boolean): void {
    this.needsSavepoints = false
    this.#savepoints = savepoints
    this.db.step('begin immediate')
  }

  // SQLite has a single writer, whose transaction holds every lock already.
  async lock(): Promise<void> {}

  async claim(): Promise<boolean> {
    return true
  }

  async savepoint(): Promise<void> {
    this.#before = { invalidations: this.#invalidations.length, changes: this.db.changes() }
    if (this.#savepoints) this.db.step('savepoint operation')
  }

  async release(): Promise<void> {
    if (this.#savepoints) this.db.step('release operation')
  }

  async rollback(): Promise<void> {
    if (!this.db.inTransaction) throw new Error('SQLite gave up the transaction, as it does when the disk is full.')
    if (this.#savepoints) {
      this.db.step('rollback to operation')
      this.db.step('release operation')
    } else if (this.db.changes() !== this.#before.changes) this.needsSavepoints = true
    this.#invalidations.forget(this.#before.invalidations)
  }
}
