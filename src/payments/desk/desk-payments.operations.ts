import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { refusal, wrongFields } from '../../messages/refusal.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { unknownReservation } from '../../reservations/booking/reservations.operations.ts'
import { isFeeClaimed, type ReservationPayment, withPaid } from '../../reservations/payment.ts'
import { isAwaiting, type Reservation } from '../../reservations/reservation.ts'
import { chargeableFloor } from '../chargeable.ts'
import { post } from '../ledger/ledger.operations.ts'
import { amountTooMuch, beginRefund, lockPaid } from '../refunds/refunds.operations.ts'
import { chargeStep } from '../stripe/stripe-amount.ts'
import { returnToVouchers } from '../vouchers/redemption.operations.ts'
import { loadMoney } from './desk-payments.sql.ts'
import { type RefundPart, splitRefund, type Till, writeOffCause } from './desk-payments.ts'

/** The input of `refundReservation`: a refund by staff of what was paid for a reservation. */
export interface RefundReservation {
  readonly reservationId: string
  /** The amount to refund, in the smallest unit of the reservation's currency. */
  readonly amount: number
  readonly from: Till
  /** The reason for the refund, as staff entered it. */
  readonly reason: string
}

/**
 * Refunds an amount that was paid for a reservation, in the way that `from` specifies: to vouchers, at the desk, or
 * through the processor by a job. Refuses an amount greater than what can still be refunded in that way, and one that
 * the processor cannot refund.
 */
export const refundReservation: Operation<RefundReservation, Record<never, never>> = async (tx, input) => {
  const { reservationId, amount, from, reason } = input
  const reservation = await requirePaid(tx, reservationId)
  if (!reservation.payment) throw refusal('nothing_paid')
  const { currency } = reservation.payment
  const { processor, onSite, voucher, refundable } = await loadMoney(tx.db, reservation)
  // What vouchers paid is returned first; until then, nothing can be refunded in another way.
  const most = { voucher, processor: voucher > 0 ? 0 : processor, on_site: voucher > 0 ? 0 : onSite }
  requireAtMost(amount, most[from])
  const parts = from === 'processor' ? (splitRefund(amount, refundable) ?? []) : []
  for (const part of parts) requireChargeable(part, refundable)
  await editReservation(tx, { id: reservationId, payment: withPaid(reservation.payment, { refunded: amount }) })
  if (from === 'voucher') {
    await returnToVouchers(tx, { reservationId, amount, currency })
    return {}
  }
  if (from === 'on_site') {
    await post(tx, [{ kind: 'on_site_refund', cause: tx.newId('posting'), reservationId, amount, currency }])
    return {}
  }
  for (const part of parts) await beginRefund(tx, { ...part, reservationId, reason })
  return {}
}

/** The input of `takeOnSite`: an amount that a customer paid at the desk for a reservation. */
export interface TakeOnSite {
  readonly reservationId: string
  /** The amount that the customer paid at the desk, in the smallest unit of the reservation's currency. */
  readonly amount: number
}

/**
 * Records that a customer paid at the desk; refuses more than is due, a booking that waits for the customer, and a
 * reservation whose no-show fee is being charged.
 */
export const takeOnSite: Operation<TakeOnSite, Record<never, never>> = async (tx, { reservationId, amount }) => {
  const reservation = await requirePaid(tx, reservationId)
  const payment = requireOwed(reservation)
  const { currency } = payment
  requireAtMost(amount, (await loadMoney(tx.db, reservation)).due)
  await editReservation(tx, { id: reservationId, payment: withPaid(payment, { paid: amount }) })
  await post(tx, [{ kind: 'on_site', cause: tx.newId('posting'), reservationId, amount, currency }])
  return {}
}

/** The input of `writeOff`: the amount that staff waive of what is due for a reservation. */
export interface WriteOff {
  readonly reservationId: string
  /** The amount to waive, in the smallest unit of the reservation's currency. */
  readonly amount: number
  /** The reason for the waiver, as staff entered it. */
  readonly reason: string
}

/**
 * Waives a part of what is due; the books record both the sale and the loss. Refuses more than is due, a booking that
 * waits for the customer, and a reservation whose no-show fee is being charged.
 */
export const writeOff: Operation<WriteOff, Record<never, never>> = async (tx, { reservationId, amount, reason }) => {
  const reservation = await requirePaid(tx, reservationId)
  const payment = requireOwed(reservation)
  const { currency } = payment
  requireAtMost(amount, (await loadMoney(tx.db, reservation)).due)
  const id = tx.newId('posting')
  const cause = writeOffCause(id, isFeeClaimed(payment) ? 'fee' : 'price')
  await post(tx, [{ kind: 'write_off', cause, reservationId, amount, currency }])
  const object = { id, amount, currency, writeOffReason: reason, reservationIds: [reservationId] }
  await tx.append({ type: 'payment.written_off', objectId: id, object, previous: null })
  return {}
}

async function requirePaid(tx: Tx, reservationId: string): Promise<Reservation> {
  const { reservation } = await lockPaid(tx, reservationId)
  if (!reservation) throw unknownReservation()
  return reservation
}

/**
 * Returns the payment of a reservation for which staff may record an amount. Refuses a reservation without a price, and
 * a booking that waits for the customer: it is cancelled if the customer does not pay online or confirm in time,
 * whatever was paid at the desk. Refuses as well while the no-show fee is being charged to the card: what the desk
 * takes or waives then would be charged nevertheless, and the charge returned.
 */
export function requireOwed(reservation: Reservation): ReservationPayment {
  const { payment } = reservation
  if (!payment || isAwaiting(reservation)) throw refusal('nothing_due')
  if (payment.noShowFee?.state === 'charging') throw refusal('fee_charging')
  return payment
}

/** Refuses a refund that is neither all that is left of a payment nor an amount that the processor can refund. */
function requireChargeable({ paymentId, amount, currency }: RefundPart, refundable: readonly RefundPart[]): void {
  const left = refundable.find((one) => one.paymentId === paymentId)?.amount
  if (amount === left || chargeableFloor({ amount, currency }) === amount) return
  throw wrongFields({ amount: message('amount_indivisible', { step: chargeStep(currency) }) })
}

function requireAtMost(amount: number, most: number): void {
  if (amount > most) throw amountTooMuch(most)
}
