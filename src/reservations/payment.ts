import type { PaymentMethod } from '../catalogue/services/payment-rule.ts'
import type { Money } from '../money.ts'
import { chargeableShare } from '../payments/chargeable.ts'

/** How far a reservation is paid. */
export type PaymentState = 'due' | 'part_paid' | 'paid' | 'part_refunded' | 'refunded'

/** The reduction by a coupon: a whole percentage, or an amount in the smallest unit of the currency. */
export type CouponWorth = { readonly percent: number } | { readonly amount: number }

/** A coupon as it is applied to one reservation. */
export interface AppliedCoupon {
  readonly code: string
  readonly worth: CouponWorth
}

/**
 * The state of a no-show fee: `agreed` from the booking until the fee is demanded, and again when the demand is
 * withdrawn; `charging` while the saved card is charged; `charged` once it is paid; `declined` when the bank declined
 * the charge, or a link to pay the fee ended without a payment that counts; `authentication` when the bank requires
 * authentication by the customer; `requested` while a link to pay the fee is open; `too_late` when the card was saved
 * after the reservation could no longer be booked, and the card is removed again.
 */
export type NoShowFeeState =
  | 'agreed'
  | 'charging'
  | 'charged'
  | 'declined'
  | 'authentication'
  | 'requested'
  | 'too_late'

/** The no-show fee to which a customer agreed, in the smallest unit of the payment's currency. */
export interface NoShowFee {
  readonly amount: number
  readonly state: NoShowFeeState
}

/** How a reservation is paid and what was paid, in the smallest unit of the currency. */
export interface ReservationPayment {
  readonly method: PaymentMethod
  readonly state: PaymentState
  /** The price of the reservation, after the reduction by its coupon. */
  readonly amount: number
  readonly paid: number
  readonly refunded: number
  readonly currency: string
  /** The coupon, with the amount of its reduction; absent without a coupon. */
  readonly coupon?: AppliedCoupon & { readonly reduction: number }
  /** The no-show fee; absent unless the customer chose, at the booking, to save a card for it. */
  readonly noShowFee?: NoShowFee
}

/** Returns the payment of a reservation for which nothing was paid yet. */
export function unpaid(of: Pick<ReservationPayment, 'method' | 'amount' | 'currency'>): ReservationPayment {
  const { method, amount, currency } = of
  return { method, state: 'due', amount, paid: 0, refunded: 0, currency }
}

/** Returns the reduction of a price by a coupon, in the smallest unit of the currency; never more than the price. */
export function reductionOf(worth: CouponWorth, price: Money): number {
  return 'percent' in worth ? chargeableShare(price, worth.percent * 100) : Math.min(worth.amount, price.amount)
}

/** Returns the price of a reservation before the reduction of its coupon; null without a price. */
export function fullPrice(of: {
  readonly price: number | null
  readonly payment: ReservationPayment | null
}): number | null {
  return of.price === null ? null : of.price + (of.payment?.coupon?.reduction ?? 0)
}

/** Returns the payment of a reservation whose price is reduced by a coupon. */
export function reduced(
  payment: ReservationPayment,
  price: number,
  { code, worth }: AppliedCoupon,
): ReservationPayment {
  const reduction = reductionOf(worth, { amount: price, currency: payment.currency })
  return withPaid({ ...payment, amount: price - reduction, coupon: { code, worth, reduction } }, {})
}

/** Returns the payment with `paid` and `refunded` added to the amounts paid and refunded, and its state updated. */
export function withPaid(
  payment: ReservationPayment,
  { paid = 0, refunded = 0 }: { readonly paid?: number; readonly refunded?: number },
): ReservationPayment {
  const sums = { paid: payment.paid + paid, refunded: payment.refunded + refunded }
  return { ...payment, ...sums, state: stateOf({ ...payment, ...sums }) }
}

/**
 * Returns the payment after the full price of the reservation has changed; its coupon is applied to the new price.
 * Without a price nothing is owed any more. The payment is unchanged when the price is in another currency.
 */
export function repriced(
  payment: ReservationPayment | null,
  { price, currency }: { readonly price: number | null; readonly currency: string | null },
): ReservationPayment | null {
  if (payment === null || (price !== null && currency !== payment.currency)) return payment
  const amount = price ?? 0
  return payment.coupon ? reduced(payment, amount, payment.coupon) : withPaid({ ...payment, amount }, {})
}

/** Whether the no-show fee was demanded from the customer, who then owes the fee instead of the price. */
export function isFeeClaimed({ noShowFee }: Pick<ReservationPayment, 'noShowFee'>): boolean {
  return noShowFee !== undefined && noShowFee.state !== 'agreed' && noShowFee.state !== 'too_late'
}

/** Returns the total amount that the customer owes: the price or, once it was demanded, the no-show fee. */
export function owedInAll(payment: Pick<ReservationPayment, 'amount' | 'noShowFee'>): number {
  return payment.noShowFee && isFeeClaimed(payment) ? payment.noShowFee.amount : payment.amount
}

/** Returns the payment with its no-show fee in the given state; unchanged when it has no such fee. */
export function withFeeState(payment: ReservationPayment, state: NoShowFeeState): ReservationPayment {
  if (!payment.noShowFee) return payment
  return withPaid({ ...payment, noShowFee: { ...payment.noShowFee, state } }, {})
}

/**
 * Returns the payment after a charge or a payment link for its no-show fee has ended without collecting the fee, which
 * the customer still owes: the fee is `charged` if it was paid in another way, otherwise `declined`.
 */
export function withFeeUncollected(payment: ReservationPayment): ReservationPayment {
  return withFeeState(payment, isFeePaid(payment) ? 'charged' : 'declined')
}

/** Whether at least as much as the no-show fee was paid and not refunded, in whatever way; false without a fee. */
export function isFeePaid(payment: ReservationPayment): boolean {
  return payment.noShowFee !== undefined && captured(payment) >= payment.noShowFee.amount
}

/**
 * Returns the payment without its no-show fee, to which only the previous customer of the reservation agreed; unchanged
 * while the fee is being charged and once it is charged.
 */
export function withoutAgreedFee(payment: ReservationPayment | null): ReservationPayment | null {
  const fee = payment?.noShowFee?.state
  if (payment === null || fee === undefined || fee === 'charging' || fee === 'charged') return payment
  const { noShowFee: _, ...rest } = payment
  return withPaid(rest, {})
}

/** Returns the amount that was paid and not refunded. A reservation for which this is positive cannot be removed. */
export function captured(payment: ReservationPayment | null): number {
  return payment === null ? 0 : payment.paid - payment.refunded
}

function stateOf(payment: Omit<ReservationPayment, 'state'>): PaymentState {
  const { paid, refunded } = payment
  const amount = owedInAll(payment)
  if (paid === 0) return amount === 0 ? 'paid' : 'due'
  if (refunded > 0) return refunded < paid ? 'part_refunded' : 'refunded'
  return paid < amount ? 'part_paid' : 'paid'
}
