import type { Invalidation } from '../../scheduling/invalidation.ts'
import type { InvalidationLog } from '../invalidation.ts'
import type { OperationTable, Outcome } from '../perform/app.ts'
import { fault, performIn, type TransactionScope, type Write } from '../perform/perform.ts'
import type { SqliteConnection } from './sqlite.ts'

/** Hears what a transaction has touched, once it is committed and before anyone is answered. */
export type OnInvalidation = (invalidations: readonly Invalidation[]) => void

/**
 * The writing connection of a SQLite file: many writes in one transaction. Savepoints would make every booking a tenth
 * dearer for the sake of the few refused ones that had written something already; when there is one, the batch is done
 * again with savepoints.
 */
export class SqliteWrites {
  readonly #connection: SqliteConnection
  readonly #operations: OperationTable
  readonly #session: SqliteSession
  readonly #invalidations: InvalidationLog
  readonly #onInvalidation: OnInvalidation
  readonly #announce: () => void

  /** `announce` is called before each commit: from then on others may read what was written. */
  constructor(
    connection: SqliteConnection,
    operations: OperationTable,
    onInvalidation: OnInvalidation = () => {},
    announce: () => void = () => {},
  ) {
    this.#connection = connection
    this.#operations = operations
    this.#invalidations = connection.logTouched()
    this.#session = new SqliteSession(connection, this.#invalidations)
    this.#onInvalidation = onInvalidation
    this.#announce = announce
  }

  /** Performs the writes in their order and commits once; the answers are true when this resolves. It never throws. */
  async perform(writes: readonly Write[]): Promise<Outcome<unknown>[]> {
    // What is only tried is always undone.
    const careful = writes.some(({ context }) => context.dryRun)
    try {
      return (await this.#transact(writes, { careful })) ?? (await this.#transact(writes, { careful: true })) ?? []
    } catch (error) {
      // Nothing of the batch was kept, so nobody in it may hear that anything was.
      if (this.#connection.inTransaction) this.#connection.script('rollback')
      // A commit that failed may be there all the same once the disk can be written again: better told than missed.
      this.#onInvalidation(this.#invalidations.take())
      return writes.map(() => fault('unavailable', error))
    }
  }

  /** Nothing is done, and undefined, where something must be undone that only a savepoint could undo. */
  async #transact(
    writes: readonly Write[],
    { careful }: { readonly careful: boolean },
  ): Promise<Outcome<unknown>[] | undefined> {
    this.#session.begin(careful)
    const outcomes: Outcome<unknown>[] = []
    for (const write of writes) {
      outcomes.push(await performIn(this.#session, this.#operations, write))
      if (!this.#session.spoilt) continue
      this.#connection.step('rollback')
      this.#invalidations.forget(0)
      return undefined
    }
    this.#announce()
    this.#connection.step('commit')
    this.#onInvalidation(this.#invalidations.take())
    return outcomes
  }

  close(): void {
    this.#connection.close()
  }
}

/** Performs writes on this thread; those that come while a transaction runs share the next one. */
export class WriteQueue {
  readonly #writes: SqliteWrites
  #waiting: { readonly write: Write; readonly resolve: (outcome: Outcome<unknown>) => void }[] = []
  #working: Promise<void> | undefined

  constructor(writes: SqliteWrites) {
    this.#writes = writes
  }

  /** Writes that wait for the next transaction. */
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
  /** Whether something should have been undone that no savepoint stood before. */
  spoilt = false
  #careful = false
  readonly #invalidations: InvalidationLog
  /** As of the last mark. */
  #before = { invalidations: 0, changes: 0 }

  constructor(connection: SqliteConnection, invalidations: InvalidationLog) {
    this.db = connection
    this.#invalidations = invalidations
  }

  /** Opens a transaction, with a savepoint before each operation or with none. */
  begin(careful: boolean): void {
    this.spoilt = false
    this.#careful = careful
    this.db.step('begin immediate')
  }

  // One writer: whoever runs holds every key.
  async lock(): Promise<void> {}

  async claim(): Promise<boolean> {
    return true
  }

  async savepoint(): Promise<void> {
    this.#before = { invalidations: this.#invalidations.length, changes: this.db.changes() }
    if (this.#careful) this.db.step('savepoint operation')
  }

  async release(): Promise<void> {
    if (this.#careful) this.db.step('release operation')
  }

  async rollback(): Promise<void> {
    if (!this.db.inTransaction) throw new Error('SQLite gave up the transaction, as it does when the disk is full.')
    if (this.#careful) {
      this.db.step('rollback to operation')
      this.db.step('release operation')
    } else if (this.db.changes() !== this.#before.changes) this.spoilt = true
    this.#invalidations.forget(this.#before.invalidations)
  }
}
