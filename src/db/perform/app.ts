import type { SecurityChange, SecurityRecord } from '../../access/security-log/security-event.ts'
import type { Actor, Change } from '../../history/event.ts'
import type { Refused } from '../../messages/refusal.ts'
import type { Database, ReadDatabase } from '../database.ts'

/** The kinds of identifiers. The identifiers of each kind begin with a distinct prefix. */
export type IdKind =
  | 'reservation'
  | 'service'
  | 'customer'
  | 'note'
  | 'event'
  | 'token'
  | 'occupancy'
  | 'hold'
  | 'group'
  | 'booking_link'
  | 'user'
  | 'session'
  | 'time_off'
  | 'calendar'
  | 'calendar_feed'
  | 'calendar_account'
  | 'security'
  | 'job'
  | 'notification'
  | 'webhook'
  | 'delivery'
  | 'attempt'
  | 'payment'
  | 'refund'
  | 'posting'
  | 'receipt'
  | 'coupon'
  | 'voucher'

/**
 * The interface through which an operation acts: the open transaction and the data of the request. An operation must
 * not wait for anything but the database, since the transaction stays open meanwhile.
 */
export interface Tx {
  readonly db: Database
  /** The time of the write in Unix seconds, set when the write was sent. */
  readonly now: number
  readonly actor: Actor
  newId(kind: IdKind): string
  /**
   * Returns a number by which created objects are ordered: the current time in microseconds, raised where needed so
   * that each call on this thread returns a greater number than the one before.
   */
  newOrdinal(): number
  /**
   * Acquires locks on the keys until the transaction ends, in sorted order to avoid deadlocks. Each lock is exclusive,
   * except those of the keys `catalogue` and `customers`, which are shared; `catalogue!` and `customers!` lock the same
   * keys exclusively. Data that the keys protect must be read by queries that are started after this call, even if it
   * has not resolved yet. Does nothing on SQLite, which runs one write transaction at a time.
   */
  lock(keys: readonly string[]): Promise<void>
  /**
   * Adds the change to the events that are appended to the log when the operation ends, in this transaction. Returns
   * the id of the event.
   */
  append(change: Change): Promise<string>
  /** Adds an authentication event to the security history in this transaction, and logs it after the commit. */
  record(change: SecurityChange): void
}

/**
 * A write, which reads, decides and writes in a transaction. The operation refuses a request by throwing a `Refusal`;
 * its changes are then rolled back.
 */
export type Operation<Input, Result> = (tx: Tx, input: Input) => Promise<Result>

/** The operations by name. Inputs and results must be plain data, since on SQLite they are sent between threads. */
export type OperationTable = Readonly<Record<string, Operation<never, unknown>>>

/** The idempotency key of a write. */
export interface Idempotency {
  /** The scope of the key, such as the token and the route of a request. Keys of different scopes are independent. */
  readonly scope: string
  readonly key: string
  /** The hash of the complete request; the same key with another hash is refused. */
  readonly hash: string
}

/** The data with which a write is performed besides its input, such as its time and actor; plain data. */
export interface Context {
  readonly now: number
  readonly actor: Actor
  readonly requestId: string | null
  /** Whether the write is rolled back after its outcome is known, so that nothing is stored. */
  readonly dryRun: boolean
  readonly idempotency: Idempotency | null
  /** The client's IP address, for the security history; absent, for example, for commands and API tokens. */
  readonly address?: string
}

/**
 * The outcome of a write as plain data: a result, a refusal or a fault. After a fault of the kind `unavailable`, a
 * retry may succeed. `replayed` marks the stored outcome of an earlier call with the same idempotency key.
 */
export type Outcome<Result> =
  | { readonly ok: Result; readonly replayed?: true; readonly security?: readonly SecurityRecord[] }
  | { readonly refused: Refused; readonly replayed?: true }
  | { readonly fault: 'unavailable' | 'internal'; readonly message: string }

/** The type of the input of the operation named `N`. */
export type InputOf<C extends OperationTable, N extends keyof C> = C[N] extends Operation<infer I, unknown> ? I : never
/** The type of the result of the operation named `N`. */
export type ResultOf<C extends OperationTable, N extends keyof C> = C[N] extends Operation<never, infer R> ? R : never

/**
 * Runs an operation by name in a transaction, on SQLite or PostgreSQL. The API, the panel, jobs and commands write only
 * through this function; migrations and the copying of a database write without it.
 */
export type Perform<C extends OperationTable> = <N extends keyof C & string>(
  name: N,
  input: InputOf<C, N>,
  context: Context,
) => Promise<Outcome<ResultOf<C, N>>>

/** The application as routes, jobs and commands receive it. */
export interface App<C extends OperationTable> {
  readonly perform: Perform<C>
  /** Reads of the committed state. */
  readonly db: ReadDatabase
  /** Returns the time of the service's clock in Unix seconds; the setting `DAYBOOK_NOW` sets its time at the start. */
  now(): number
  readonly log: Log
}

/** The fields that a log line may have besides time, level and message; any other field is a compile error. */
export const logFields = [
  'requestId',
  'method',
  'route',
  'status',
  'code',
  'reason',
  'milliseconds',
  'operation',
  'job',
  'fault',
  'stack',
  'signal',
  'host',
  'port',
  'count',
  // Fields of log lines about authentication events and refusals: kinds, methods, ids of this service, and the client's
  // IP address.
  'kind',
  'userId',
  'actorId',
  'tokenId',
  'by',
  'address',
] as const

/** The fields of one log line. */
export type LogFields = { readonly [K in (typeof logFields)[number]]?: unknown }

/** A structured log. Fields must be passed one by one and never as complete requests, which contain personal data. */
export interface Log {
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}
