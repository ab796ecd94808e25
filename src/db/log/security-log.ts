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
import type { SecurityEventTable } from '../query/tables.ts'

/** One row of the security history. */
export interface SecurityEvent {
  readonly id: string
  readonly kind: SecurityKind
  readonly personId: string | null
  readonly actor: Actor
  readonly address: string
  readonly by: string
  /** How often it happened from `at` on, the last time at `lastAt`. */
  readonly count: number
  readonly at: number
  readonly lastAt: number
}

const quarterHour = 900
/** Rows of failures in a quarter of an hour; beyond these the address is left out, which leaves a row an account. */
const mostFailureRows = 100

/** Writes one event; a failure adds to the row of its kind, account and address of this quarter of an hour. */
export async function insertSecurityEvent(
  db: Database,
  { kind, personId, by = '', actor, address }: SecurityRecord,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<void> {
  const since = now - (now % quarterHour)
  const bucketOf = (from: string) => `${since} ${kind} ${personId ?? ''} ${from}`
  const known = isCounted(kind) && (await addTo(db, bucketOf(address), now))
  if (known) return
  const from = isCounted(kind) && (await countFailures(db, since)) >= mostFailureRows ? '' : address
  await db.build
    .insertInto('security_event')
    .values({
      id,
      bucket: isCounted(kind) ? bucketOf(from) : null,
      kind,
      person_id: personId,
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

/** What of the security history is asked for; what is absent does not bind. */
export interface SecurityFilter {
  readonly personId: string | undefined
  readonly kind: SecurityKind | undefined
}

/** No further than this is counted: a total beyond it means more than that. */
const mostCounted = 10_000

/** One page of the security history, the newest first, and how many rows pass the filter, up to 10,001. */
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
  const counted = await db.build
    .selectFrom(
      filtered(db, filter)
        .select('id')
        .limit(mostCounted + 1)
        .as('some'),
    )
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  return { events: rows.map(toSecurityEvent), total: Number(counted.total) }
}

function filtered(db: Database, { personId, kind }: SecurityFilter) {
  let query = db.build.selectFrom('security_event')
  if (personId !== undefined) query = query.where('person_id', '=', personId)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  return query
}

/** Deletes events from before the instant, at most `most`; says how many. */
export async function deleteOldSecurityEvents(db: Database, before: number, most: number): Promise<number> {
  const result = await db.build
    .deleteFrom('security_event')
    .where('id', 'in', (from) =>
      from.selectFrom('security_event').select('id').where('created_at', '<', before).limit(most),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Which roles need a second factor. */
export async function loadSecondFactorPolicy(db: Database): Promise<SecondFactorPolicy> {
  const row = await db.build.selectFrom('site').select('second_factor_policy').where('id', '=', 1).executeTakeFirst()
  return policyIn(row?.second_factor_policy ?? '{}')
}

/** The policy in its column. */
export function policyIn(text: string): SecondFactorPolicy {
  return { ...noSecondFactorPolicy, ...(JSON.parse(text) as Partial<SecondFactorPolicy>) }
}

/** Writes which roles need a second factor. */
export async function updateSecondFactorPolicy(db: Database, policy: SecondFactorPolicy): Promise<void> {
  const text = JSON.stringify(policy)
  await db.build.updateTable('site').set({ second_factor_policy: text }).where('id', '=', 1).execute()
}

function toSecurityEvent(row: SecurityEventTable): SecurityEvent {
  return {
    id: row.id,
    kind: row.kind as SecurityKind,
    personId: row.person_id,
    actor: { kind: row.actor_kind as Actor['kind'], id: row.actor_id },
    address: row.address,
    by: row.detail,
    count: row.count,
    at: row.created_at,
    lastAt: row.last_at,
  }
}
