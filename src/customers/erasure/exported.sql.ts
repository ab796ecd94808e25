import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { listReceiptCustomers } from '../../payments/receipts/receipt-customers.sql.ts'
import { emailKey } from '../customer.ts'
import { listReassigned } from './reassigned.sql.ts'
import type { CustomerTraces } from './traces.sql.ts'

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
 * each with its reason; an address that bounced and whose recipient unsubscribed has two entries. `address` in the
 * result is the normalised form that `emailKey` returns.
 */
export async function listSuppressionsOf(db: Database, recipients: readonly string[]) {
  const rows = await db.build
    .selectFrom('mail_suppression')
    .select(['address_key', 'reason', 'created_at', 'unsubscribed_at'])
    .where(db.dialect.listed(sql.ref('address_key'), [...new Set(recipients.map(emailKey))], 'text'))
    .orderBy('address_key')
    .execute()
  return rows.flatMap(({ address_key: address, reason, created_at: created, unsubscribed_at: unsubscribed }) => {
    const entry = { address, reason, created }
    if (reason !== 'bounced' || unsubscribed === null) return [entry]
    return [entry, { address, reason: 'unsubscribed', created: unsubscribed }]
  })
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
 * Returns the refunds of a customer's payments, the oldest first, for an export, with the reasons that staff gave.
 * Refunds after a reservation was given to another customer are left out, since the reason may be about that customer.
 * Amounts are in minor currency units.
 */
export async function listRefundsTo(
  db: Database,
  customerId: string,
  { customerIds, ownReservationIds }: Pick<CustomerTraces, 'customerIds' | 'ownReservationIds'>,
) {
  const rows = await db.build
    .selectFrom('refund')
    .innerJoin('payment', 'payment.id', 'refund.payment_id')
    .select(['refund.amount', 'refund.currency', 'refund.reason', 'refund.state'])
    .select(['refund.reservation_id as reservationId', 'refund.created_at as created'])
    .where('payment.customer_id', '=', customerId)
    .orderBy('refund.created_at')
    .orderBy('refund.id')
    .execute()
  const reassigned = await listReassigned(db, customerIds)
  return rows.filter(
    ({ reservationId, created }) =>
      ownReservationIds.includes(reservationId) ||
      reassigned.some(({ id, at }) => id === reservationId && created <= at),
  )
}

/**
 * Returns the receipts and credit notes that were issued to a customer, by time of issue, for an export: also those for
 * reservations that were given to another customer since. Amounts are in minor currency units.
 */
export async function listReceiptsTo(
  db: Database,
  { customerIds, reservationIds }: Pick<CustomerTraces, 'customerIds' | 'reservationIds'>,
) {
  const rows = await db.build
    .selectFrom('receipt')
    .leftJoin('reservation', 'reservation.id', 'receipt.reservation_id')
    .select(['receipt.id', 'kind', 'number', 'issued_at', 'service', 'receipt.amount', 'receipt.currency'])
    .select(['reservation_id', 'reservation.customer_id'])
    .where(db.dialect.listed(sql.ref('reservation_id'), reservationIds, 'text'))
    .orderBy('issued_at')
    .orderBy('number')
    .execute()
  const presentCustomers = new Map(rows.map((row) => [row.reservation_id, row.customer_id ?? '']))
  const issuedTo = await listReceiptCustomers(
    db,
    Array.from(presentCustomers, ([id, customerId]) => ({ id, customerId })),
  )
  return rows
    .filter(({ id }) => customerIds.includes(issuedTo.get(id) ?? ''))
    .map(({ id: _, customer_id: __, issued_at: issued, reservation_id: reservationId, ...receipt }) => ({
      ...receipt,
      issued,
      reservationId,
    }))
}
