import { randomBytes } from 'node:crypto'
import { loadSite } from '../../catalogue/site/site.sql.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { startConsumer } from '../../jobs/event-relay.ts'
import { message } from '../../messages/message.ts'
import { refusal, wrongFields } from '../../messages/refusal.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { findParties, lockBooking } from '../../reservations/booking/offer.operations.ts'
import { unknownReservation } from '../../reservations/booking/reservations.operations.ts'
import { withPaid } from '../../reservations/payment.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import { paymentsConsumer } from '../checkout/checkout.operations.ts'
import { requireOwed } from '../desk/desk-payments.operations.ts'
import { loadMoney } from '../desk/desk-payments.sql.ts'
import { post } from '../ledger/ledger.operations.ts'
import { amountTooMuch, lockPaid } from '../refunds/refunds.operations.ts'
import { claimVoucher, spendVoucher, voucherHash } from './redemption.operations.ts'
import { type BalancedVoucher, codeDigits, codeLength, hasExpired, type Voucher } from './voucher.ts'
import { findVoucher, insertVoucher, updateValidity } from './vouchers.sql.ts'

/** The input of `issueVoucher`: the initial balance of the voucher and its last valid date. */
export type IssueVoucher = Pick<Voucher, 'amount' | 'currency' | 'validUntil'>

/**
 * Issues a voucher that was paid at the desk; refuses a last date before today. Its code is returned only here, because
 * only the hash and the last four characters of the code are stored.
 */
export const issueVoucher: Operation<IssueVoucher, { readonly id: string; readonly code: string }> = async (
  tx,
  { amount, currency, validUntil },
) => {
  await tx.lock(['payment-settings'])
  await requireNotExpired(tx, { validUntil })
  // Without a connected processor, the consumer returns to vouchers what they paid for cancelled reservations.
  await startConsumer(tx, paymentsConsumer)
  const code = newCode()
  const id = tx.newId('voucher')
  const hint = code.slice(-4)
  const voucher: Voucher = { id, hint, amount, currency, validUntil, createdAt: tx.now }
  await insertVoucher(tx.db, voucher, voucherHash(code))
  await appendVoucher(tx, voucher, null)
  await post(tx, [{ kind: 'voucher_sale', cause: id, voucherId: id, amount, currency }])
  return { id, code }
}

// 256 is a multiple of the number of digits (32), so each digit is equally likely.
function newCode(): string {
  return [...randomBytes(codeLength)].map((byte) => codeDigits[byte % codeDigits.length]).join('')
}

/** Changes the last date on which a voucher can be redeemed; refuses one before today. */
export const extendVoucher: Operation<Pick<Voucher, 'id' | 'validUntil'>, Record<never, never>> = async (
  tx,
  { id, validUntil },
) => {
  const voucher = await lockVoucher(tx, id)
  await requireNotExpired(tx, { validUntil })
  await updateValidity(tx.db, { id, validUntil })
  await appendVoucher(tx, { ...voucher, validUntil }, voucher)
  return {}
}

async function requireNotExpired(tx: Tx, voucher: Pick<Voucher, 'validUntil'>): Promise<void> {
  const { site } = await loadSite(tx.db)
  if (hasExpired(voucher, dateAt(site.timezone, tx.now))) throw wrongFields({ validUntil: message('date_in_past') })
}

/** The input of `closeVoucher`, which gives up the remaining balance of a voucher. */
export interface CloseVoucher {
  readonly id: string
  /**
   * The balance that staff saw, in the smallest unit of the currency; the request is refused when it has changed
   * since.
   */
  readonly balance: number
}

/** Closes a voucher and gives up its remaining balance, which the books record as breakage. */
export const closeVoucher: Operation<CloseVoucher, Record<never, never>> = async (tx, { id, balance }) => {
  const voucher = await lockVoucher(tx, id)
  if (voucher.balance === 0) throw refusal('nothing_due')
  if (voucher.balance !== balance) throw amountTooMuch(voucher.balance)
  await appendVoucher(tx, { ...voucher, balance: 0 }, voucher)
  const fact = { kind: 'voucher_expired', cause: tx.newId('posting'), voucherId: id } as const
  await post(tx, [{ ...fact, amount: balance, currency: voucher.currency }])
  return {}
}

/** The input of `redeemVoucher`: the reservation to pay for, and the code of the voucher that pays. */
export interface RedeemVoucher {
  readonly reservationId: string
  readonly code: string
  /** The amount in the smallest unit of the currency; when absent, as much as the voucher and the amount due allow. */
  readonly amount?: number | undefined
}

/**
 * Pays with a voucher what is due for a reservation, in part or in whole; returns the amount paid. Refuses a booking
 * that waits for the customer, and a reservation whose no-show fee is being charged.
 */
export const redeemVoucher: Operation<RedeemVoucher, { readonly amount: number }> = async (tx, input) => {
  const { reservationId, code } = input
  const { catalogue, reservation } = await lockPaid(tx, reservationId)
  if (!reservation) throw unknownReservation()
  const { customerId } = reservation
  const payment = requireOwed(reservation)
  const { due } = await loadMoney(tx.db, reservation)
  if (due === 0) throw refusal('nothing_due')
  const wanted = input.amount ?? due
  if (wanted > due) throw amountTooMuch(due)
  // Locks are taken in the same order as in a booking, to prevent deadlocks: those of the customer and the provider
  // first, then that of the voucher.
  const parties = findParties(catalogue, reservation)
  if (parties) await lockBooking(tx, [customerId], [parties])
  const today = dateAt(catalogue.site.timezone, tx.now)
  const { currency } = payment
  const { voucher, amount } = await claimVoucher(tx, { code, currency, today, due: wanted, online: 0 })
  if (input.amount !== undefined && amount < input.amount) throw amountTooMuch(amount)
  await editReservation(tx, { id: reservationId, payment: withPaid(payment, { paid: amount }) })
  await spendVoucher(tx, voucher, [{ reservationId, amount }])
  return { amount }
}

async function lockVoucher(tx: Tx, id: string): Promise<BalancedVoucher> {
  await tx.lock([`voucher:${id}`])
  const voucher = await findVoucher(tx.db, id)
  if (!voucher) throw refusal('coupon_invalid')
  return voucher
}

async function appendVoucher(
  tx: Tx,
  voucher: Voucher | BalancedVoucher,
  previous: BalancedVoucher | null,
): Promise<void> {
  const object = { ...voucher }
  await tx.append({
    type: 'payment_settings.updated',
    objectId: voucher.id,
    object,
    previous: previous && { ...previous },
  })
}
