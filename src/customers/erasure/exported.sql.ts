import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { emailKey } from '../customer.ts'

/** Returns the records of the messages to a customer, the oldest first, for an export. */
export async function listMessagesTo(db: Database, customerId: string) {
  const rows = await db.build
    .selectFrom('notification')
    .select(['kind', 'channel', 'recipient', 'subject', 'state', 'reservation_id', 'created_at'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ reservation_id: reservationId, created_at: created, ...message }) => ({
    ...message,
    reservationId,
    created,
  }))
}

/**
 * Returns the entries of the given e-mail addresses and phone numbers in the list of recipients that get no messages,
 * each with its reason. `address` in the result is the normalised form that `emailKey` returns.
 */
export async function listSuppressionsOf(db: Database, recipients: readonly string[]) {
  const rows = await db.build
    .selectFrom('mail_suppression')
    .select(['address_key', 'reason', 'created_at'])
    .where(db.dialect.listed(sql.ref('address_key'), [...new Set(recipients.map(emailKey))], 'text'))
    .orderBy('address_key')
    .execute()
  return rows.map(({ address_key: address, reason, created_at: created }) => ({ address, reason, created }))
}

/**
 * Returns the payments of a customer, the oldest first, for an export, each with the card that was saved with the
 * payment, if any. Amounts are in minor currency units.
 */
export async function listPaymentsBy(db: Database, customerId: string) {
  const rows = await db.build
    .selectFrom('payment')
    .leftJoin('saved_card', 'saved_card.payment_id', 'payment.id')
    .select(['purpose', 'amount', 'currency', 'state', 'created_at', 'brand', 'last4'])
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ created_at: created, brand, last4, ...payment }) => ({
    ...payment,
    created,
    card: last4 ? { brand, last4 } : null,
  }))
}

/**
 * Returns the receipts and credit notes for reservations, by time of issue, for an export. Amounts are in minor
 * currency units.
 */
export async function listReceiptsFor(db: Database, reservationIds: readonly string[]) {
  const rows = await db.build
    .selectFrom('receipt')
    .select(['kind', 'number', 'issued_at', 'service', 'amount', 'currency', 'reservation_id'])
    .where(db.dialect.listed(sql.ref('reservation_id'), reservationIds, 'text'))
    .orderBy('issued_at')
    .orderBy('number')
    .execute()
  return rows.map(({ issued_at: issued, reservation_id: reservationId, ...receipt }) => ({
    ...receipt,
    issued,
    reservationId,
  }))
}
