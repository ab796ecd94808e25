import { message } from '../../messages/message.ts'
import type { RefusalCode } from '../../messages/refusal.ts'
import type { Database } from '../database.ts'
import { prepared } from '../query/prepared.ts'
import type { IdempotencyTable } from '../query/tables.ts'
import type { Outcome } from './app.ts'

/** Identifies a write whose outcome is stored; keys of different scopes are independent. */
export interface IdempotencyKey {
  readonly scope: string
  readonly key: string
}

/** The outcome of the first write under an idempotency key as JSON text, and the hash of its request. */
export interface StoredOutcome {
  readonly hash: string
  readonly outcome: string
}

/** An outcome that is stored for a repeated call: a result or a refusal, but never a fault. */
type Answer = Exclude<Outcome<unknown>, { readonly fault: unknown }>

interface SentenceRefused {
  readonly code: RefusalCode
  readonly sentence: string
  readonly details?: Readonly<Record<string, string>>
}

const retentionSeconds = 24 * 60 * 60

const byKey = prepared<IdempotencyKey & { readonly now: number }, StoredOutcome>((db, p) =>
  db
    .selectFrom('idempotency')
    .select(['hash', 'outcome'])
    .where('scope', '=', p.scope)
    .where('key', '=', p.key)
    .where('expires_at', '>', p.now),
)

const insertOutcome = prepared<IdempotencyTable, never>((db, p) =>
  db
    .insertInto('idempotency')
    .values({ scope: p.scope, key: p.key, hash: p.hash, outcome: p.outcome, expires_at: p.expires_at })
    .onConflict((conflict) =>
      conflict.columns(['scope', 'key']).doUpdateSet((row) => ({
        hash: row.ref('excluded.hash'),
        outcome: row.ref('excluded.outcome'),
        expires_at: row.ref('excluded.expires_at'),
      })),
    ),
)

/** Returns the outcome that was stored for a key within the last 24 hours; undefined when there is none. */
export async function findStoredOutcome(
  db: Database,
  call: IdempotencyKey,
  now: number,
): Promise<StoredOutcome | undefined> {
  const [stored] = await db.run(byKey, { scope: call.scope, key: call.key, now })
  return stored
}

/**
 * Parses a stored outcome. A refusal that was stored by an earlier version of Daybook contains English sentences
 * instead of message codes.
 */
export function parseOutcome(stored: string): Answer {
  const outcome: Answer | { readonly refused: SentenceRefused } = JSON.parse(stored)
  if (!('refused' in outcome) || !('sentence' in outcome.refused)) return outcome as Answer
  const { code, sentence, details } = outcome.refused
  const fields = Object.entries(details ?? {}).map(([field, text]) => [field, message('verbatim', { text })] as const)
  const about = message('verbatim', { text: sentence })
  return { refused: { code, message: about, ...(details && { details: Object.fromEntries(fields) }) } }
}

/** Stores an outcome for 24 hours, replacing an expired one. */
export async function storeOutcome(
  db: Database,
  call: IdempotencyKey,
  stored: StoredOutcome,
  now: number,
): Promise<void> {
  await db.run(insertOutcome, { scope: call.scope, key: call.key, ...stored, expires_at: now + retentionSeconds })
}
