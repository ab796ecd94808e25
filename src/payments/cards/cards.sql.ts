import type { Database } from '../../db/database.ts'
import type { SavedCardTable } from '../../db/query/payment-tables.ts'
import type { Money } from '../../money.ts'
import { listPaymentsOf, listShares } from '../payments.sql.ts'
import type { SavedCard } from './card.ts'

/** Inserts a card; does nothing when its payment already has a card. */
export async function insertCard(db: Database, card: SavedCard): Promise<void> {
  await db.build
    .insertInto('saved_card')
    .values({
      payment_id: card.paymentId,
      customer_reference: card.customer,
      card_reference: card.card,
      brand: card.brand,
      last4: card.last4,
      saved_at: card.savedAt,
      removed_at: card.removedAt,
    })
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .execute()
}

/** Returns the card that was saved with a payment; undefined when none was. */
export async function findCard(db: Database, paymentId: string): Promise<SavedCard | undefined> {
  const row = await db.build.selectFrom('saved_card').selectAll().where('payment_id', '=', paymentId).executeTakeFirst()
  return row && toCard(row)
}

/**
 * Returns the card that was saved last for a reservation, even if it has been removed; undefined when none was saved.
 */
export async function findCardOf(db: Database, reservationId: string): Promise<SavedCard | undefined> {
  const row = await db.build
    .selectFrom('saved_card')
    .innerJoin('payment_share', 'payment_share.payment_id', 'saved_card.payment_id')
    .selectAll('saved_card')
    .where('reservation_id', '=', reservationId)
    .orderBy('saved_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toCard(row)
}

/**
 * Returns the amount of the newest charge (`fee`) or link (`link`) for the no-show fee of a reservation; undefined when
 * there is none, and for a charge that was declined or whose money is returned.
 */
export async function findFeePayment(
  db: Database,
  reservationId: string,
  purpose: 'fee' | 'link',
): Promise<Money | undefined> {
  const payment = (await listPaymentsOf(db, reservationId)).findLast((one) => one.purpose === purpose)
  const [share] = payment ? await listShares(db, payment.id) : []
  if (!payment || !share || (purpose === 'fee' && share.state !== 'booked')) return undefined
  return { amount: share.amount, currency: payment.currency }
}

/** Returns the ids of the payments with which a customer saved cards that are still stored at the processor. */
export async function listCardsOfCustomer(db: Database, customerId: string): Promise<readonly string[]> {
  const rows = await db.build
    .selectFrom('saved_card')
    .innerJoin('payment', 'payment.id', 'saved_card.payment_id')
    .select('payment.id')
    .where('removed_at', 'is', null)
    // When an older version of Daybook merged two customers, their payments were not reassigned and may have the id of
    // the removed customer. Therefore the query also finds payments by the customer's reservations.
    .where((e) =>
      e.or([
        e('payment.customer_id', '=', customerId),
        e(
          'payment.id',
          'in',
          e
            .selectFrom('payment_share')
            .innerJoin('reservation', 'reservation.id', 'payment_share.reservation_id')
            .select('payment_id')
            .where('reservation.customer_id', '=', customerId),
        ),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Whether a no-show fee of a reservation for which this payment saved a card is being charged: the bank has not
 * decided, or its decision is not recorded yet.
 */
export async function isBeingCharged(db: Database, paymentId: string): Promise<boolean> {
  const row = await db.build
    .selectFrom('payment')
    .innerJoin('payment_share', 'payment_share.payment_id', 'payment.id')
    .select('payment.id')
    .where('payment.purpose', '=', 'fee')
    .where('payment.state', '=', 'starting')
    .where('payment_share.reservation_id', 'in', (from) =>
      from
        .selectFrom('payment_share as saved')
        .select('saved.reservation_id')
        .where('saved.payment_id', '=', paymentId),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that the card of a payment was removed at the processor, and clears the card's data in the row. */
export async function forgetCard(db: Database, paymentId: string, now: number): Promise<void> {
  await db.build
    .updateTable('saved_card')
    .set({ customer_reference: '', card_reference: '', brand: '', last4: '', removed_at: now })
    .where('payment_id', '=', paymentId)
    .execute()
}

function toCard(row: SavedCardTable): SavedCard {
  return {
    paymentId: row.payment_id,
    customer: row.customer_reference,
    card: row.card_reference,
    brand: row.brand,
    last4: row.last4,
    savedAt: row.saved_at,
    removedAt: row.removed_at,
  }
}
