import type { SecurityChange, SecurityRecord } from '../../access/security-log/security-event.ts'
import type { Actor, Change } from '../../history/event.ts'
import type { Refused } from '../../messages/refusal.ts'
import type { Database, ReadDatabase } from '../database.ts'

/** The kinds of identifier the service makes, with the prefix each carries. */
export type IdKind =
  | 'reservation'
  | 'service'
  | 'customer'
  | 'note'
  | 'event'
  | 'token'
  | 'occupancy'
  | 'person'
  | 'session'
  | 'time_off'
  | 'security'

/** What an operation works with: the open transaction and nothing that could wait for anything but the database. */
export interface Tx {
  readonly db: Database
  /** Unix seconds, stamped when the write was sent. */
  readonly now: number
  readonly actor: Actor
  newId(kind: IdKind): string
  /** Grows with each call on this machine, in microseconds: the order of creation. */
  newOrdinal(): number
  /**
   * Waits until this transaction alone holds the keys, in sorted order. `catalogue` is taken shared;
   * `catalogue!` takes it alone. Read what the keys protect only afterwards.
   */
  lock(keys: readonly string[]): Promise<void>
  /** Adds the change to the log of events, in this transaction. */
  append(change: Change): Promise<void>
  /** Adds an authentication event to the security history, in this transaction; it is logged once that is committed. */
  record(change: SecurityChange): void
}

/** A write: load, decide, save, in the transaction it is given. Refuses by throwing a `Refusal`. */
export type Operation<Input, Result> = (tx: Tx, input: Input) => Promise<Result>

/** Operation name → operation; inputs and results are plain data, as they cross threads. */
export type OperationTable = Readonly<Record<string, Operation<never, unknown>>>

export interface Idempotency {
  /** Token and route: keys of different tokens or routes never meet. */
  readonly scope: string
  readonly key: string
  /** Of the whole request; the same key with another hash is refused. */
  readonly hash: string
}

/** What a write knows of the one who asked; plain data. */
export interface Context {
  readonly now: number
  readonly actor: Actor
  readonly requestId: string | null
  /** The full verdict and answer, nothing kept. */
  readonly dryRun: boolean
  readonly idempotency: Idempotency | null
  /** The client's address, where it is known and of use. */
  readonly address?: string
}

/** The answer of a write as plain data. A fault says only whether trying again can help (`unavailable`). */
export type Outcome<Result> =
  | { readonly ok: Result; readonly replayed?: true; readonly security?: readonly SecurityRecord[] }
  | { readonly refused: Refused; readonly replayed?: true }
  | { readonly fault: 'unavailable' | 'internal'; readonly message: string }

export type InputOf<C extends OperationTable, N extends keyof C> = C[N] extends Operation<infer I, unknown> ? I : never
export type ResultOf<C extends OperationTable, N extends keyof C> = C[N] extends Operation<never, infer R> ? R : never

/** The write seam: every write of API, panel, command and worker goes through it, on either database. */
export type Perform<C extends OperationTable> = <N extends keyof C & string>(
  name: N,
  input: InputOf<C, N>,
  context: Context,
) => Promise<Outcome<ResultOf<C, N>>>

/** What the layers are given. */
export interface App<C extends OperationTable> {
  readonly perform: Perform<C>
  /** Reads of committed state. */
  readonly db: ReadDatabase
  /** Unix seconds; the service's clock, which `DAYBOOK_NOW` may have moved. */
  now(): number
  readonly log: Log
}

/** What a log line may hold beside time, level and message. Nothing else is written, and nothing else compiles. */
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
  // Authentication events and refusals: ids of our own, and the address they came from.
  'kind',
  'personId',
  'actorId',
  'tokenId',
  'by',
  'address',
] as const

export type LogFields = { readonly [K in (typeof logFields)[number]]?: unknown }

/** Structured log; fields are named one by one, never whole requests. */
export interface Log {
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}
