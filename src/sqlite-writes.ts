import type { CommandTable, Outcome } from './app.ts'
import type { Touched } from './domain/touched.ts'
import { fault, performIn, type Session, type Write } from './perform.ts'
import type { SqliteConnection } from './storage/sqlite.ts'
import type { TouchedLog } from './storage/touched.ts'

/** Hears what a transaction has touched, once it is committed and before anyone is answered. */
export type HearTouched = (touched: readonly Touched[]) => void

/** The writing connection of a SQLite file: many writes in one transaction, each alone in its savepoint. */
export class SqliteWrites {
  readonly #connection: SqliteConnection
  readonly #commands: CommandTable
  readonly #session: Session
  readonly #touched: TouchedLog
  readonly #hearTouched: HearTouched

  constructor(connection: SqliteConnection, commands: CommandTable, hearTouched: HearTouched = () => {}) {
    this.#connection = connection
    this.#commands = commands
    this.#touched = connection.logTouched()
    this.#session = sessionOver(connection, this.#touched)
    this.#hearTouched = hearTouched
  }

  /** Performs the writes in their order and commits once; the answers are true when this resolves. It never throws. */
  async perform(writes: readonly Write[]): Promise<Outcome<unknown>[]> {
    try {
      this.#connection.step('begin immediate')
      const outcomes: Outcome<unknown>[] = []
      for (const write of writes) outcomes.push(await performIn(this.#session, this.#commands, write))
      this.#connection.step('commit')
      this.#hearTouched(this.#touched.take())
      return outcomes
    } catch (error) {
      // Nothing of the batch was kept, so nobody in it may hear that anything was.
      if (this.#connection.inTransaction) this.#connection.script('rollback')
      // A commit that failed may be there all the same once the disk can be written again: better told than missed.
      this.#hearTouched(this.#touched.take())
      return writes.map(() => fault('unavailable', error))
    }
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

function sessionOver(connection: SqliteConnection, touched: TouchedLog): Session {
  let before = 0
  return {
    db: connection,
    // One writer: whoever runs holds every key.
    lock: async () => {},
    claim: async () => true,
    mark: async () => {
      before = touched.length
      connection.step('savepoint operation')
    },
    keep: async () => connection.step('release operation'),
    undo: async () => {
      if (!connection.inTransaction)
        throw new Error('SQLite gave up the transaction, as it does when the disk is full.')
      connection.step('rollback to operation')
      connection.step('release operation')
      touched.forget(before)
    },
  }
}
