import { sql } from 'kysely'
import {
  isCounted,
  noSecondFactorPolicy,
  type SecondFactorPolicy,
  type SecurityKind,
  type SecurityRecord,
} from '../../access/security-log/security-event.ts'
import type { Actor } from '../../history/event.ts'
import type { Database } from '../database.ts'
import type { SecurityEventTable } from '../query/access-tables.ts'
import { countRows, maxCounted } from '../query/count-rows.ts'
import { deleteBatch } from '../query/delete-batch.ts'

/** One entry of the security history. */
export interface SecurityEvent {
  readonly id: string
  readonly kind: SecurityKind
  readonly userId: string | null
  readonly actor: Actor
  readonly address: string
  readonly by: string
  /** The number of times that the event occurred from `at` to `lastAt`. */
  readonly count: number
  readonly at: number
  readonly lastAt: number
}

const quarterHour = 900
/**
 * The number of rows for failures in a quarter of an hour from which new rows are stored without an IP address. During
 * an attack from many addresses, further failures then share one row per kind and account.
 */
const maxFailureRows = 100

/**
 * Inserts one event. If it is a failure (see `isCounted`), and a row with the same kind, account and IP address exists
 * in the current quarter of an hour, the count of that row is incremented instead. From `maxFailureRows` rows on, rows
 * without an IP address count further failures.
 */
export async function insertSecurityEvent(
  db: Database,
  { kind, userId, by = '', actor, address }: SecurityRecord,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<void> {
  const since = now - (now % quarterHour)
  const bucketOf = (from: string) => `${since} ${kind} ${userId ?? ''} ${from}`
  const known = isCounted(kind) && (await addTo(db, bucketOf(address), now))
  if (known) return
  const from = isCounted(kind) && (await countFailures(db, since)) >= maxFailureRows ? '' : address
  await db.build
    .insertInto('security_event')
    .values({
      id,
      bucket: isCounted(kind) ? bucketOf(from) : null,
      kind,
      person_id: userId,
      actor_kind: actor.kind,
      actor_id: actor.id,
      address: from,
      detail: by,
      count: 1,
      created_at: now,
      last_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({ count: sql<number>`security_event.count + 1`, last_at: now }),
    )
    .execute()
}

async function addTo(db: Database, bucket: string, now: number): Promise<boolean> {
  const result = await db.build
    .updateTable('security_event')
    .set({ count: sql<number>`count + 1`, last_at: now })
    .where('bucket', '=', bucket)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

async function countFailures(db: Database, since: number): Promise<number> {
  const row = await db.build
    .selectFrom('security_event')
    .select(sql<number>`count(*)`.as('count'))
    .where('created_at', '>=', since)
    .where('bucket', 'is not', null)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** A filter of the security history; absent fields match everything. */
export interface SecurityFilter {
  readonly userId: string | undefined
  readonly kind: SecurityKind | undefined
}

/**
 * Returns one page of the security history, newest first, and the number of matches, counted up to `maxCounted` plus one.
 */
export async function pageSecurityEvents(
  db: Database,
  filter: SecurityFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ events: SecurityEvent[]; total: number }> {
  const rows = await filtered(db, filter)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const some = filtered(db, filter)
    .select('id')
    .limit(maxCounted + 1)
  return { events: rows.map(toSecurityEvent), total: await countRows(db, some) }
}

function filtered(db: Database, { userId, kind }: SecurityFilter) {
  let query = db.build.selectFrom('security_event')
  if (userId !== undefined) query = query.where('person_id', '=', userId)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  return query
}

/**
 * Deletes at most `limit` events of the security history that are older than the instant `before` (Unix seconds);
 * returns the number deleted.
 */
export function deleteOldSecurityEvents(db: Database, before: number, limit: number): Promise<number> {
  return deleteBatch(db, 'security_event', { where: sql`created_at < ${before}`, limit })
}

/** Returns the policy that tells which roles require a second factor. */
export async function loadSecondFactorPolicy(db: Database): Promise<SecondFactorPolicy> {
  const row = await db.build.selectFrom('site').select('second_factor_policy').where('id', '=', 1).executeTakeFirst()
  return policyIn(row?.second_factor_policy ?? '{}')
}

/**
 * Parses the policy that tells which roles require a second factor from the JSON text of its column. Absent members
 * have their defaults.
 */
export function policyIn(text: string): SecondFactorPolicy {
  return { ...noSecondFactorPolicy, ...(JSON.parse(text) as Partial<SecondFactorPolicy>) }
}

/** Stores the policy that tells which roles require a second factor. */
export async function updateSecondFactorPolicy(db: Database, policy: SecondFactorPolicy): Promise<void> {
  const text = JSON.stringify(policy)
  await db.build.updateTable('site').set({ second_factor_policy: text }).where('id', '=', 1).execute()
}

function toSecurityEvent(row: SecurityEventTable): SecurityEvent {
  return {
    id: row.id,
    kind: row.kind as SecurityKind,
    userId: row.person_id,
    actor: { kind: row.actor_kind as Actor['kind'], id: row.actor_id },
    address: row.address,
    by: row.detail,
    count: row.count,
    at: row.created_at,
    lastAt: row.last_at,
  }
}
