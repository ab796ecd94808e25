import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { prepared } from '../../db/query/prepared.ts'
import type { RequestedSlot } from '../../scheduling/plan/plan.ts'
import type { ConflictRule } from '../../scheduling/reservation-conflicts.ts'
import { type Assignment, overriddenRules } from '../reservation.ts'

/** An upcoming reservation, with the rules that it is allowed to break. */
export interface Examined {
  readonly id: string
  readonly serviceId: string
  readonly providerId: number
  readonly customerId: string
  readonly status: 'pending' | 'confirmed'
  readonly start: number
  readonly end: number
  /** The rules that staff overrode when they booked the reservation or moved it to the present slot. */
  readonly overridden: readonly string[]
  /** The broken rules despite which staff decided to keep the reservation in its present slot. */
  readonly kept: readonly string[]
}

interface Row extends Omit<Examined, 'overridden' | 'kept'> {
  readonly because: string | null
  readonly slot: string | null
  readonly rules: string | null
}

interface Values {
  readonly start: number
  readonly id: string
  readonly most: number
}

const columns = sql`reservation.id, service_id as "serviceId", provider_id as "providerId",
  customer_id as "customerId", status, start_at as "start", end_at as "end", assigned_because as because,
  kept_conflict.slot, kept_conflict.rules`

const upcoming = prepared<Values, Row>(
  (_, p) => sql<Row>`
    select ${columns} from reservation left join kept_conflict on reservation_id = reservation.id
    where (start_at, reservation.id) > (${p.start}, ${p.id}) and status <> 'cancelled'
    order by start_at, reservation.id limit ${p.most}`,
)

const upcomingOf = prepared<Values & { readonly provider: number }, Row>(
  (_, p) => sql<Row>`
    select ${columns} from reservation left join kept_conflict on reservation_id = reservation.id
    where provider_id = ${p.provider}
      and (start_at, reservation.id) > (${p.start}, ${p.id}) and status <> 'cancelled'
    order by start_at, reservation.id limit ${p.most}`,
)

const inSlot = prepared<RequestedSlot, Row>(
  (_, p) => sql<Row>`
    select ${columns} from reservation left join kept_conflict on reservation_id = reservation.id
    where provider_id = ${p.providerId} and start_at = ${p.start} and service_id = ${p.serviceId}
      and end_at = ${p.end} and status <> 'cancelled'
    order by reservation.id`,
)

/**
 * Returns at most `most` pending and confirmed reservations, ordered by start and then id, that come after a given
 * start and id; only those of `provider` when it is given.
 */
export async function listExamined(
  db: Database,
  { provider, ...values }: Values & { readonly provider: number | undefined },
): Promise<Examined[]> {
  const rows =
    provider === undefined ? await db.run(upcoming, values) : await db.run(upcomingOf, { ...values, provider })
  return rows.map(examined)
}

/** Returns the pending and confirmed reservations of one slot, ordered by id. */
export async function listExaminedInSlot(
  db: Database,
  { serviceId, providerId, start, end }: RequestedSlot,
): Promise<Examined[]> {
  return (await db.run(inSlot, { serviceId, providerId, start, end })).map(examined)
}

function examined({ because, slot, rules, ...row }: Row): Examined {
  return {
    ...row,
    overridden: because === null ? [] : overriddenRules(JSON.parse(because) as Assignment),
    kept: rules !== null && slot === keptSlot(row) ? (JSON.parse(rules) as string[]) : [],
  }
}

/**
 * Returns the key of the slot in which staff decided to keep a reservation despite broken rules. When the provider,
 * start or end of the reservation changes, the key changes and the decision no longer applies.
 */
export function keptSlot({ providerId, start, end }: Pick<Examined, 'providerId' | 'start' | 'end'>): string {
  return `${providerId}:${start}:${end}`
}

/** Stores the decision of staff to keep a reservation although it breaks rules; replaces an earlier decision. */
export async function insertKept(
  db: Database,
  kept: { readonly id: string; readonly slot: string; readonly rules: readonly ConflictRule[]; readonly by: string },
  now: number,
): Promise<void> {
  const decision = { slot: kept.slot, rules: JSON.stringify(kept.rules), person_id: kept.by, kept_at: now }
  await db.build
    .insertInto('kept_conflict')
    .values({ reservation_id: kept.id, ...decision })
    .onConflict((conflict) => conflict.column('reservation_id').doUpdateSet(decision))
    .execute()
}

/** Deletes the decision to keep a reservation that breaks rules. */
export async function deleteKept(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('kept_conflict').where('reservation_id', '=', id).execute()
}
