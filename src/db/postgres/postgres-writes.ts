import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { Semaphore, type WaitLimit } from '../../semaphore.ts'
import type { Database } from '../database.ts'
import { postgres } from '../dialects.ts'
import { isLockTimeout, PostgresUnavailable } from '../failures.ts'
import type { Idempotency, OperationTable, Outcome } from '../perform/app.ts'
import { fault, performIn, type TransactionScope, type Write } from '../perform/perform.ts'
import { statementName } from '../query/prepared.ts'
import { BatchedQueries } from './batch.ts'
import { commitText, type InvalidationFeed } from './invalidation-feed.ts'
import { lockSeconds, PostgresQueries, rolledBack, runQuery } from './postgres.ts'

type CommittedRows = Parameters<InvalidationFeed['committed']>[0]

const attempts = 4
const claimSeconds = 2
// Seconds after which PostgreSQL cancels a statement of a write other than the commit. `runQuery` gives up then, too,
// and PostgreSQL would not notice that the connection was closed while the statement waits for a lock.
const statementSeconds = 30

// In a pool of three or more connections, this many are reserved for reads, so that waiting writers never block
// readers.
const connectionsForReads = 2
/**
 * The milliseconds that a request waits for its turn to write or to stream: at most 800 without any turn ending, and at
 * most 4,000 in total; then it waits up to 800 for a connection. While nothing is released, a client is thus refused
 * within a second.
 */
export const requestPatience: WaitLimit = { stuck: 800, most: 4_000 }
/**
 * The milliseconds that a write waits for a connection when no request waits for it. If the write that records a sent
 * message failed, the message would be sent again, so it also waits while other writes wait for a slow database.
 */
export const backgroundPatience: WaitLimit = { stuck: 60_000, most: 60_000 }

/**
 * Performs writes on PostgreSQL, each in a transaction of its own. A transaction that fails with a serialization
 * failure, a deadlock or an outdated prepared statement is retried up to three times.
 */
export class PostgresWrites {
  readonly #pool: pg.Pool
  readonly #operations: OperationTable
  readonly #feed: InvalidationFeed
  readonly #turn: Semaphore
  readonly #patience: WaitLimit

  constructor(pool: pg.Pool, operations: OperationTable, feed: InvalidationFeed, patience: WaitLimit) {
    this.#pool = pool
    this.#patience = patience
    this.#operations = operations
    this.#feed = feed
    this.#turn = new Semaphore(Math.max(1, pool.options.max - connectionsForReads))
  }

  /** The number of writes that are running or waiting for a connection. */
  get waiting(): number {
    return this.#turn.wanted
  }

  /** Performs a write in a transaction; resolves to its outcome after the commit or rollback, and never rejects. */
  async perform(write: Write): Promise<Outcome<unknown>> {
    if (!(await this.#turn.acquire(this.#patience))) return fault('unavailable', 'No connection came free in time.')
    try {
      return await this.#attempts(write)
    } finally {
      this.#turn.release()
    }
  }

  async #attempts(write: Write): Promise<Outcome<unknown>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#inTransaction(write)
      } catch (error) {
        const failure = postgres.failure(error)
        if (failure !== 'again') return fault(failure === 'unavailable' ? failure : 'internal', error)
        if (attempt === attempts) return fault('unavailable', error)
        // A random backoff, so that two conflicting transactions are unlikely to collide again.
        await setTimeout(Math.random() * 20 * attempt)
      }
    }
  }

  async #inTransaction(write: Write): Promise<Outcome<unknown>> {
    const client = await this.#pool.connect()
    const transaction = new Transaction(client, write.context)
    try {
      await transaction.begin()
      const outcome = await performIn(transaction, this.#operations, write)
      this.#feed.committed(await transaction.end())
      client.release()
      return outcome
    } catch (error) {
      client.release(!(await rolledBack(client)))
      throw error
    }
  }
}

/**
 * Thrown when a commit is stored on the primary but was not confirmed by the synchronous standby; PostgreSQL reports
 * this with a warning. A failover could lose the transaction, so it is not acknowledged. A client that repeats the
 * request receives the stored outcome, or what the repetition finds, once a standby has confirmed the repetition (see
 * `commitText`).
 */
class NotReplicated extends PostgresUnavailable {}

// The class of PostgreSQL's warning codes. The severity is not compared, since its name is in the server's language.
const warningClass = '01'

class Transaction implements TransactionScope {
  readonly db: Database
  readonly #client: pg.PoolClient
  readonly #queries: BatchedQueries
  /**
   * Whether the outcome is stored under an idempotency key. If so, the operation runs after a savepoint, so that it can
   * be rolled back while its outcome is stored; otherwise, a rollback affects the whole transaction.
   */
  readonly #keyed: boolean
  #undone = false

  constructor(client: pg.PoolClient, context: Write['context']) {
    this.#client = client
    this.#queries = new BatchedQueries(client)
    this.db = new PostgresQueries(this.#queries)
    this.#keyed = context.idempotency !== null && !context.dryRun
  }

  /**
   * Locks the table `event` before PostgreSQL assigns the transaction a number. By this lock, readers of the event feed
   * recognise the transactions that may still append events (see docs/decisions/0008). The lock precedes all
   * savepoints, since a rollback to a savepoint releases the locks taken after it. The timeouts, which assign no
   * number, come first, so that they limit the wait for this lock, as behind `vacuum full`.
   */
  async begin(): Promise<void> {
    await this.#script(`
      begin isolation level read committed;
      set local lock_timeout = '${this.#keyed ? claimSeconds : lockSeconds}s';
      set local statement_timeout = '${statementSeconds}s';
      set local idle_in_transaction_session_timeout = '60s';
      lock table event in row exclusive mode
    `)
  }

  /**
   * Commits the transaction, or rolls it back when nothing of it is to be stored, as after a refusal without an
   * idempotency key. Returns the cache invalidations that it wrote; throws `NotReplicated` when the standby did not
   * confirm the commit.
   */
  async end(): Promise<CommittedRows> {
    if (this.#undone) {
      await this.#script('rollback')
      return []
    }
    let warning: string | undefined
    const onNotice = ({
      code,
      message,
    }: {
      readonly code: string | undefined
      readonly message: string | undefined
    }) => {
      if (code?.startsWith(warningClass)) warning = message
    }
    this.#client.on('notice', onNotice)
    // `commitText` contains several statements, so the driver returns a list of results.
    const results = await runQuery(this.#client, { text: commitText }).finally(() =>
      this.#client.off('notice', onNotice),
    )
    const [invalidations, commit] = [results].flat().slice(-2)
    // PostgreSQL answers the commit of a failed transaction with a rollback, without an error.
    if (commit?.command !== 'COMMIT') throw new Error('The transaction had failed and was not committed.')
    if (warning !== undefined) throw new NotReplicated(warning)
    return (invalidations?.rows ?? []) as CommittedRows
  }

  /**
   * Takes advisory locks in a statement that reads no data: a read in the same statement would use a snapshot from
   * before the locks were granted. A statement that is sent together with it has a snapshot of its own.
   */
  async lock(keys: readonly string[]): Promise<void> {
    const names = new Set(keys.map((key) => (key.endsWith('!') ? key.slice(0, -1) : key)))
    if (names.size === 0) return
    const shared = sharedKeys.filter((key) => names.has(key) && !keys.includes(`${key}!`))
    await runQuery(this.#queries, { name: lockName, text: lockText, values: [[...names].sort(), shared] })
  }

  async claim({ scope, key }: Idempotency): Promise<boolean> {
    try {
      await runQuery(this.#queries, { name: claimName, text: claimText, values: [JSON.stringify([scope, key])] })
      return true
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      this.#undone = true
      return false
    }
  }

  async savepoint(): Promise<void> {
    if (this.#keyed) await this.#script(`set local lock_timeout = '${lockSeconds}s'; savepoint operation`)
  }

  async release(): Promise<void> {
    if (this.#keyed) await this.#script('release savepoint operation')
  }

  async rollback(): Promise<void> {
    if (this.#keyed) await this.#script('rollback to savepoint operation')
    else this.#undone = true
  }

  async #script(text: string): Promise<void> {
    await runQuery(this.#client, { text })
  }
}

// The keys that are locked in shared mode; with `!` after them, they are locked exclusively.
const sharedKeys = ['catalogue', 'customers']

const lockText = `
  select case when key = any($2::text[])
    then pg_advisory_xact_lock_shared(hashtextextended(key, 0))
    else pg_advisory_xact_lock(hashtextextended(key, 0)) end
  from unnest($1::text[]) as key`
const lockName = statementName(lockText)

// `claim` uses another hash seed than `lock`, so that an idempotency key and a lock key with the same text do not
// conflict.
const claimText = 'select pg_advisory_xact_lock(hashtextextended($1, 1))'
const claimName = statementName(claimText)
