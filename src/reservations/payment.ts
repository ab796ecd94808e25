import type { PaymentMethod } from '../catalogue/services/payment-rule.ts'

/** How far a reservation is paid. */
export type PaymentState = 'due' | 'part_paid' | 'paid' | 'part_refunded' | 'refunded'

/** How a reservation is paid and what was paid, in the smallest unit of the currency. */
export interface ReservationPayment {
  readonly method: PaymentMethod
  readonly state: PaymentState
  /** The price of the reservation. */
  readonly amount: number
  readonly paid: number
  readonly refunded: number
  readonly currency: string
}

/** Returns the payment of a reservation for which nothing was paid yet. */
export function unpaid(of: Pick<ReservationPayment, 'method' | 'amount' | 'currency'>): ReservationPayment {
  const { method, amount, currency } = of
  return { method, state: 'due', amount, paid: 0, refunded: 0, currency }
}

/** Returns the payment after more was paid or refunded. */
export function withPaid(
  payment: ReservationPayment,
  { paid = 0, refunded = 0 }: { readonly paid?: number; readonly refunded?: number },
): ReservationPayment {
  const sums = { paid: payment.paid + paid, refunded: payment.refunded + refunded }
  return { ...payment, ...sums, state: stateOf({ ...payment, ...sums }) }
}

/** Returns the payment of a reservation whose price has changed; a price in another currency is not compared. */
export function repriced(
  payment: ReservationPayment | null,
  { price, currency }: { readonly price: number | null; readonly currency: string | null },
): ReservationPayment | null {
  if (payment === null || price === null || currency !== payment.currency) return payment
  return withPaid({ ...payment, amount: price }, {})
}

/** Returns what was paid and not refunded; a reservation with such an amount is not removed. */
export function captured(payment: ReservationPayment | null): number {
  return payment === null ? 0 : payment.paid - payment.refunded
}

function stateOf({ amount, paid, refunded }: Omit<ReservationPayment, 'state'>): PaymentState {
  if (paid === 0) return 'due'
  if (refunded > 0) return refunded < paid ? 'part_refunded' : 'refunded'
  return paid < amount ? 'part_paid' : 'paid'
}
