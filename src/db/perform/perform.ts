import type { SecurityRecord } from '../../access/security-log/security-event.ts'
import { newId, newOrdinalId, newSalt } from '../../ids.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import type { Database } from '../database.ts'
import { appendEvents, type NewEvent } from '../log/event-log.ts'
import { insertSecurityEvent } from '../log/security-log.ts'
import type { Context, Idempotency, Operation, OperationTable, Outcome, Tx } from './app.ts'
import { findStoredOutcome, parseOutcome, storeOutcome } from './idempotency.ts'

/** A write to perform, as plain data. */
export interface Write {
  readonly name: string
  readonly input: unknown
  readonly context: Context
}

/** The transaction in which an operation runs; on SQLite, several operations may share it. */
export interface TransactionScope {
  readonly db: Database
  /** Acquires locks on the keys (see `Tx.lock`). */
  lock(keys: readonly string[]): Promise<void>
  /** Waits until an earlier call with the same idempotency key has ended; false on a timeout. */
  claim(call: Idempotency): Promise<boolean>
  /**
   * Marks the start of the operation. Sets a savepoint if `rollback` must undo only the operation and preserve the rest
   * of the transaction.
   */
  savepoint(): Promise<void>
  release(): Promise<void>
  rollback(): Promise<void>
}

/**
 * Runs one write in the open transaction of `session` and rolls back what must not be committed, so that the caller can
 * commit the rest. Throws only an error after which the transaction cannot be committed; the caller decides whether to
 * retry.
 */
export async function performIn(
  session: TransactionScope,
  operations: OperationTable,
  write: Write,
): Promise<Outcome<unknown>> {
  const { context } = write
  const call = context.dryRun ? null : context.idempotency
  if (call) {
    const earlier = await earlierOutcome(session, call, context.now)
    if (earlier) return earlier
  }
  await session.savepoint()
  const outcome = await attempt(session, operations, write)
  if ('ok' in outcome && !context.dryRun) await session.release()
  else await session.rollback()
  if (call && !('fault' in outcome)) {
    // Authentication events (`security`) are logged for the first call only, so they are not part of the outcome that
    // later calls with the same idempotency key receive.
    const stored = { hash: call.hash, outcome: JSON.stringify({ ...outcome, security: undefined }) }
    await storeOutcome(session.db, call, stored, context.now)
  }
  return outcome
}

async function earlierOutcome(
  session: TransactionScope,
  call: Idempotency,
  now: number,
): Promise<Outcome<unknown> | undefined> {
  if (!(await session.claim(call))) {
    return { refused: refusal('idempotency_in_progress').refused }
  }
  const stored = await findStoredOutcome(session.db, call, now)
  if (!stored) return undefined
  if (stored.hash !== call.hash) {
    return { refused: refusal('idempotency_key_reused').refused }
  }
  return { ...parseOutcome(stored.outcome), replayed: true }
}

async function attempt(session: TransactionScope, operations: OperationTable, write: Write): Promise<Outcome<unknown>> {
  try {
    const operation = operationNamed(operations, write.name)
    const { context } = write
    const events: NewEvent[] = []
    const security: SecurityRecord[] = []
    const result = await operation(txOver(session, context, { events, security }), write.input)
    await appendEvents(session.db, events)
    for (const record of security) {
      await insertSecurityEvent(session.db, record, { id: newId('security'), now: context.now })
    }
    return { ok: plain(result), ...(security.length > 0 && !context.dryRun && { security }) }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.refused }
    const failure = session.db.dialect.failure(error)
    if (failure === 'again') throw error
    // The operation's own check found no overlap, but a constraint of the database did, so the booking is refused.
    if (failure === 'occupied') {
      return { refused: { code: 'slot_provider_busy', message: message('provider_no_longer_free') } }
    }
    return fault(failure, error)
  }
}

function operationNamed(operations: OperationTable, name: string): Operation<unknown, unknown> {
  if (!Object.hasOwn(operations, name)) throw new Error(`There is no operation "${name}".`)
  return operations[name] as Operation<unknown, unknown>
}

// Converts a result to its JSON form, so that the first outcome, a stored outcome and an outcome sent between threads
// are byte-identical in the response.
function plain(result: unknown): unknown {
  return result === undefined ? null : JSON.parse(JSON.stringify(result))
}

interface Gathered {
  readonly events: NewEvent[]
  readonly security: SecurityRecord[]
}

function txOver(session: TransactionScope, context: Context, { events, security }: Gathered): Tx {
  const { now, actor, requestId, address = '' } = context
  return {
    db: session.db,
    now,
    actor,
    newId,
    newOrdinal: newOrdinalId,
    lock: (keys) => session.lock(keys),
    append: async (change) => {
      const id = newId('event')
      events.push({ ...change, id, salt: newSalt(), actor, requestId, createdAt: now })
      return id
    },
    record: (change) => void security.push({ ...change, actor, address }),
  }
}

/**
 * Returns a fault as plain data. Its message, with the stack if there is one, is for the log, the output of commands
 * and the error of a failed job; a response to a failed request does not contain it.
 */
export function fault(kind: 'unavailable' | 'internal', error: unknown): Outcome<never> {
  return { fault: kind, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
