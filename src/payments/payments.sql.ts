import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { PaymentTable, RefundTable } from '../db/query/payment-tables.ts'
import { distribute } from '../money.ts'
import type { RefundPart } from './desk/desk-payments.ts'
import { heldBack } from './disputes/dispute.ts'
import { listDisputesOf } from './disputes/disputes.sql.ts'
import type { Payment, PaymentProgress, PaymentPurpose, Refund, Share, ShareState } from './payment.ts'

/** Returns the payment with this id; undefined for an unknown id. */
export async function findPayment(db: Database, id: string): Promise<Payment | undefined> {
  const row = await db.build.selectFrom('payment').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPayment(row)
}

/** Whether any payment through the processor was ever begun, in whatever way it ended. */
export async function hasPayments(db: Database): Promise<boolean> {
  return (await db.build.selectFrom('payment').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Returns the payment that this charge at the processor paid; undefined for an unknown charge. */
export async function findPaymentOfCharge(db: Database, chargeId: string): Promise<Payment | undefined> {
  const row = await db.build.selectFrom('payment').selectAll().where('charge_id', '=', chargeId).executeTakeFirst()
  return row && toPayment(row)
}

/** Returns the payments of a reservation, the oldest first. */
export async function listPaymentsOf(db: Database, reservationId: string): Promise<Payment[]> {
  const rows = await db.build
    .selectFrom('payment')
    .selectAll()
    .where('id', 'in', (from) =>
      from.selectFrom('payment_share').select('payment_id').where('reservation_id', '=', reservationId),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toPayment)
}

/** Inserts a payment with its shares, its parts for each of the reservations that it covers. */
export async function insertPayment(db: Database, payment: Payment, shares: readonly Share[]): Promise<void> {
  await db.build
    .insertInto('payment')
    .values({
      id: payment.id,
      customer_id: payment.customerId,
      purpose: payment.purpose,
      amount: payment.amount,
      currency: payment.currency,
      state: payment.state,
      checkout_id: payment.checkoutId,
      checkout_url: payment.checkoutUrl,
      charge_id: payment.chargeId,
      expires_at: payment.expiresAt,
      created_at: payment.createdAt,
      updated_at: payment.createdAt,
    })
    .execute()
  await db.build
    .insertInto('payment_share')
    .values(
      shares.map(({ paymentId, reservationId, amount, state }) => ({
        payment_id: paymentId,
        reservation_id: reservationId,
        amount,
        state,
      })),
    )
    .execute()
}

/** Stores the state of a payment, the id and URL of the processor's page, and the id of the charge. */
export async function updatePayment(db: Database, payment: Payment, now: number): Promise<void> {
  const { id, state, checkoutId, checkoutUrl, chargeId } = payment
  await db.build
    .updateTable('payment')
    .set({ state, checkout_id: checkoutId, checkout_url: checkoutUrl, charge_id: chargeId, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Returns the shares of a payment, its parts for each of the reservations that it covers, in the order of the
 * reservation ids.
 */
export async function listShares(db: Database, paymentId: string): Promise<Share[]> {
  const rows = await db.build
    .selectFrom('payment_share')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('reservation_id')
    .execute()
  return rows.map((row) => ({
    paymentId: row.payment_id,
    reservationId: row.reservation_id,
    amount: row.amount,
    state: row.state as ShareState,
  }))
}

/** Stores the state and the amount of a share, the part of a payment for one reservation. */
export async function updateShare(db: Database, { paymentId, reservationId, state, amount }: Share): Promise<void> {
  await db.build
    .updateTable('payment_share')
    .set({ state, amount })
    .where('payment_id', '=', paymentId)
    .where('reservation_id', '=', reservationId)
    .execute()
}

/**
 * Returns the ids of those reservations booked together with `of`, including `of` itself, that wait for payment and for
 * which no payment is unpaid or undecided.
 */
export async function listUnpaid(
  db: Database,
  of: { readonly id: string; readonly groupId: string | null },
): Promise<readonly string[]> {
  const rows = await db.build
    .selectFrom('reservation')
    .select('id')
    .where((e) => (of.groupId === null ? e('id', '=', of.id) : e('group_id', '=', of.groupId)))
    .where('status', '=', 'pending')
    .where('awaits', '=', 'payment')
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('payment_share')
            .select(sql<number>`1`.as('one'))
            .whereRef('reservation_id', '=', 'reservation.id')
            .where('state', '=', 'waiting'),
        ),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Inserts a refund; returns false when a refund with this id exists. */
export async function insertRefund(db: Database, refund: Refund): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db.build
    .insertInto('refund')
    .values({
      id: refund.id,
      payment_id: refund.paymentId,
      reservation_id: refund.reservationId,
      amount: refund.amount,
      currency: refund.currency,
      reason: refund.reason,
      state: refund.state,
      processor_id: refund.processorId,
      created_at: refund.createdAt,
      updated_at: refund.createdAt,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Returns a refund; undefined for an unknown id. */
export async function findRefund(db: Database, id: string): Promise<Refund | undefined> {
  const row = await db.build.selectFrom('refund').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toRefund(row)
}

/** Returns the refunds of a payment, the oldest first. */
export async function listRefunds(db: Database, paymentId: string): Promise<Refund[]> {
  const rows = await db.build
    .selectFrom('refund')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toRefund)
}

/** Whether a refund for a reservation is pending: the processor has not made it yet, or its bank has not decided. */
export async function hasPendingRefund(db: Database, reservationId: string): Promise<boolean> {
  // Refunds are indexed by payment, not by reservation.
  const row = await db.build
    .selectFrom('refund')
    .innerJoin('payment_share', 'payment_share.payment_id', 'refund.payment_id')
    .select('refund.id')
    .where('payment_share.reservation_id', '=', reservationId)
    .where('refund.reservation_id', '=', reservationId)
    .where('refund.state', '=', 'pending')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the reservations with a refund that failed at `since` (Unix seconds) or later, without a newer refund of the
 * same payment that is pending or succeeded; the most recent failure first.
 */
export async function listFailedRefunds(db: Database, since: number): Promise<readonly string[]> {
  const rows = await db.build
    .selectFrom('refund')
    .select(['refund.reservation_id', (e) => e.fn.max<number>('refund.updated_at').as('at')])
    .where('refund.state', '=', 'failed')
    .where('refund.updated_at', '>=', since)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('refund as newer')
            .select(sql<number>`1`.as('one'))
            .whereRef('newer.payment_id', '=', 'refund.payment_id')
            .whereRef('newer.reservation_id', '=', 'refund.reservation_id')
            .whereRef('newer.created_at', '>=', 'refund.created_at')
            .where('newer.state', '<>', 'failed'),
        ),
      ),
    )
    .groupBy('refund.reservation_id')
    .orderBy('at', 'desc')
    .orderBy('refund.reservation_id')
    .execute()
  return rows.map((row) => row.reservation_id)
}

/** Stores the state of a refund and its id at the processor. */
export async function updateRefund(db: Database, { id, state, processorId }: Refund, now: number): Promise<void> {
  await db.build
    .updateTable('refund')
    .set({ state, processor_id: processorId, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Returns, for each payment that was charged for a reservation, what can still be refunded, the oldest payment first;
 * the amount can be 0. Amounts that the processor withholds because of a dispute cannot be refunded.
 */
export async function listRefundable(db: Database, reservationId: string): Promise<readonly RefundPart[]> {
  const parts: RefundPart[] = []
  for (const { id, state, purpose, currency } of await listPaymentsOf(db, reservationId)) {
    if (state !== 'paid' || purpose === 'card') continue
    const shares = await listShares(db, id)
    const position = shares.findIndex((one) => one.reservationId === reservationId)
    const share = shares[position]
    if (!share) continue
    const weights = shares.map(({ amount: weight }) => weight)
    const disputed = distribute(heldBack(await listDisputesOf(db, [id])), weights)[position] ?? 0
    const refunds = (await listRefunds(db, id)).filter(
      (refund) => refund.reservationId === reservationId && refund.state !== 'failed',
    )
    const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0)
    const { amount: paid } = share
    const amount = Math.max(0, paid - refunded - disputed)
    parts.push({ paymentId: id, amount, currency, paid, booked: share.state === 'booked' })
  }
  return parts
}

// Seconds for which events are stored to detect duplicates. The processor retries an event for three days at most.
const eventSeconds = 30 * 86_400

/**
 * Records an event of the processor, and deletes events older than 30 days; returns false when the event was received
 * before.
 */
export async function recordEvent(
  db: Database,
  { id, type, now }: { readonly id: string; readonly type: string; readonly now: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db.build
    .insertInto('processor_event')
    .values({ id, type, received_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  await db.build
    .deleteFrom('processor_event')
    .where('received_at', '<', now - eventSeconds)
    .execute()
  return numInsertedOrUpdatedRows > 0n
}

/** Returns when the last event of the processor was received (Unix seconds); null when none was received. */
export async function findLastEventAt(db: Database): Promise<number | null> {
  const row = await db.build
    .selectFrom('processor_event')
    .select((e) => e.fn.max<number | null>('received_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Returns when a payment was last recorded as paid, or a card as saved (Unix seconds); null when none ever was. */
export async function findLastPaidAt(db: Database): Promise<number | null> {
  const row = await db.build
    .selectFrom('payment')
    .select((e) => e.fn.max<number | null>('updated_at').as('at'))
    .where('state', '=', 'paid')
    .executeTakeFirst()
  return row?.at ?? null
}

function toPayment(row: PaymentTable): Payment {
  return {
    id: row.id,
    customerId: row.customer_id,
    purpose: row.purpose as PaymentPurpose,
    amount: row.amount,
    currency: row.currency,
    state: row.state as PaymentProgress,
    checkoutId: row.checkout_id,
    checkoutUrl: row.checkout_url,
    chargeId: row.charge_id,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
  }
}

function toRefund(row: RefundTable): Refund {
  return {
    id: row.id,
    paymentId: row.payment_id,
    reservationId: row.reservation_id,
    amount: row.amount,
    currency: row.currency,
    reason: row.reason,
    state: row.state as Refund['state'],
    processorId: row.processor_id,
    createdAt: row.created_at,
  }
}
