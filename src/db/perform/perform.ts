import type { SecurityRecord } from '../../access/security-log/security-event.ts'
import { newId, newOrdinalId, newSalt } from '../../ids.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import type { Database } from '../database.ts'
import { appendEvents, type NewEvent } from '../log/event-log.ts'
import { insertSecurityEvent } from '../log/security-log.ts'
import type { Context, Idempotency, Operation, OperationTable, Outcome, Tx } from './app.ts'
import { findStoredOutcome, parseOutcome, storeOutcome } from './idempotency.ts'

/** One write as it is sent: plain data. */
export interface Write {
  readonly name: string
  readonly input: unknown
  readonly context: Context
}

/** One operation's share of an open transaction, and the way back to where it began. */
export interface TransactionScope {
  readonly db: Database
  /** Waits until this transaction alone holds the keys (see `Tx.lock`). */
  lock(keys: readonly string[]): Promise<void>
  /** Makes this call wait for an earlier one with the same key; false when that takes longer than it may. */
  claim(call: Idempotency): Promise<boolean>
  /** What follows can be undone, whatever becomes of the rest. */
  savepoint(): Promise<void>
  release(): Promise<void>
  rollback(): Promise<void>
}

/**
 * Runs one write in the transaction that `session` has open, and leaves in it exactly what is to be committed.
 * Throws only what makes the transaction itself unfit: another try, or none, is up to who opened it.
 */
export async function performIn(
  session: TransactionScope,
  operations: OperationTable,
  write: Write,
): Promise<Outcome<unknown>> {
  const { context } = write
  const call = context.dryRun ? null : context.idempotency
  if (call) {
    const earlier = await earlierAnswer(session, call, context.now)
    if (earlier) return earlier
  }
  await session.savepoint()
  const outcome = await attempt(session, operations, write)
  if ('ok' in outcome && !context.dryRun) await session.release()
  else await session.rollback()
  if (call && !('fault' in outcome)) {
    // A repeated call is answered again, and is no second event.
    const kept = { hash: call.hash, outcome: JSON.stringify({ ...outcome, security: undefined }) }
    await storeOutcome(session.db, call, kept, context.now)
  }
  return outcome
}

async function earlierAnswer(
  session: TransactionScope,
  call: Idempotency,
  now: number,
): Promise<Outcome<unknown> | undefined> {
  if (!(await session.claim(call))) {
    return { refused: refusal('idempotency_in_progress').refused }
  }
  const kept = await findStoredOutcome(session.db, call, now)
  if (!kept) return undefined
  if (kept.hash !== call.hash) {
    return { refused: refusal('idempotency_key_reused').refused }
  }
  return { ...parseOutcome(kept.outcome), replayed: true }
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
    // The database saw an overlap that the check did not: in doubt the answer is no.
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

// The first answer, a kept one and one from the writer thread are then the same to the letter.
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
      events.push({ ...change, id: newId('event'), salt: newSalt(), actor, requestId, createdAt: now })
    },
    record: (change) => void security.push({ ...change, actor, address }),
  }
}

/** A fault as plain data; its message is for the log alone. */
export function fault(kind: 'unavailable' | 'internal', error: unknown): Outcome<never> {
  return { fault: kind, message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
