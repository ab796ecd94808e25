import type { Database } from '../../db/database.ts'
import type { DisputeTable } from '../../db/query/payment-tables.ts'
import type { Dispute, DisputeState } from './dispute.ts'

/** Returns a dispute; undefined for an unknown id. */
export async function findDispute(db: Database, id: string): Promise<Dispute | undefined> {
  const row = await db.build.selectFrom('dispute').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toDispute(row)
}

/** Stores a new dispute, or the new state of a known one. */
export async function saveDispute(db: Database, dispute: Dispute, now: number): Promise<void> {
  const { id, paymentId, amount, currency, reason, state, taken, returned, dueAt, createdAt } = dispute
  const known = { amount, reason, state, taken, returned, due_at: dueAt, updated_at: now }
  await db.build
    .insertInto('dispute')
    .values({ id, payment_id: paymentId, currency, created_at: createdAt, ...known })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(known))
    .execute()
}

/** Returns the disputes about the payments with these ids, the oldest first. */
export async function listDisputesOf(db: Database, paymentIds: readonly string[]): Promise<Dispute[]> {
  if (paymentIds.length === 0) return []
  const rows = await db.build
    .selectFrom('dispute')
    .selectAll()
    .where('payment_id', 'in', paymentIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toDispute)
}

/** An undecided dispute with one of the reservations that its payment covers. */
export interface OpenDispute {
  readonly dispute: Dispute
  readonly reservationId: string
  /** The customer's name; empty when the customer was removed. */
  readonly customer: string
}

const maxOpen = 100

/** Returns at most 100 undecided disputes, the oldest first. */
export async function listOpenDisputes(db: Database): Promise<OpenDispute[]> {
  const rows = await db.build
    .selectFrom('dispute')
    .innerJoin('payment', 'payment.id', 'dispute.payment_id')
    .leftJoin('customer', 'customer.id', 'payment.customer_id')
    .selectAll('dispute')
    .select('customer.name as customer')
    .select((e) =>
      e
        .selectFrom('payment_share')
        .select((share) => share.fn.min<string>('reservation_id').as('id'))
        .whereRef('payment_share.payment_id', '=', 'dispute.payment_id')
        .as('reservation_id'),
    )
    .where('dispute.state', 'in', ['inquiry', 'open'])
    .orderBy('dispute.created_at')
    .orderBy('dispute.id')
    .limit(maxOpen)
    .execute()
  return rows.map((row) => ({
    dispute: toDispute(row),
    reservationId: row.reservation_id ?? '',
    customer: row.customer ?? '',
  }))
}

function toDispute(row: DisputeTable): Dispute {
  return {
    id: row.id,
    paymentId: row.payment_id,
    amount: row.amount,
    currency: row.currency,
    reason: row.reason,
    state: row.state as DisputeState,
    taken: row.taken,
    returned: row.returned,
    dueAt: row.due_at,
    createdAt: row.created_at,
  }
}
