import type { Money } from '../money.ts'

/** The state of a payment: until the processor has a page for it, until it is decided, and then. */
export type PaymentProgress = 'starting' | 'open' | 'paid' | 'closed'

/**
 * What a payment is for: what reservations wait for (`pay`), a card that is saved and not charged (`card`), the fee for a
 * missed visit from a saved card (`fee`), or what is due later, by a link (`link`).
 */
export type PaymentPurpose = 'pay' | 'card' | 'fee' | 'link'

/** A payment of the reservations of one booking form through the processor. */
export interface Payment extends Money {
  readonly id: string
  readonly customerId: string
  readonly purpose: PaymentPurpose
  /** `paid` is the state of a saved card as well. */
  readonly state: PaymentProgress
  /** The processor's id of its page, and the address of the page; null before it exists. */
  readonly checkoutId: string | null
  readonly checkoutUrl: string | null
  /** The processor's id of the charge; null before it is paid. */
  readonly chargeId: string | null
  /** When the customer must have paid. */
  readonly expiresAt: number
  readonly createdAt: number
}

/** What became of a share of a payment: booked, returned to the payer, or never paid. */
export type ShareState = 'waiting' | 'booked' | 'returned' | 'closed'

/** The part of a payment that is for one reservation. */
export interface Share {
  readonly paymentId: string
  readonly reservationId: string
  readonly amount: number
  readonly state: ShareState
}

/** Money that goes back through the processor. */
export interface Refund extends Money {
  readonly id: string
  readonly paymentId: string
  readonly reservationId: string
  /** Why, in a word of ours or in the words of staff. */
  readonly reason: string
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly processorId: string | null
  readonly createdAt: number
}

/**
 * Seconds after `expiresAt` for which the seat is still kept: time to close the processor's page. Then the seat is free
 * even if the processor does not answer, and a payment that arrives nevertheless is booked or returned.
 */
export const seatGrace = 600

/** Seconds after `expiresAt` at which the processor closes its page by itself: Stripe's least is 30 minutes from its opening. */
const pageGrace = 300
const leastPageSeconds = 1_800
const stepSeconds = 300

/**
 * Returns when the processor closes the page of a payment by itself. The value is the same for every attempt to open the
 * page, as long as the first attempts come in time, so that an attempt may be repeated under one idempotency key.
 */
export function pageExpiresAt({ expiresAt }: Pick<Payment, 'expiresAt'>, now: number): number {
  const usual = expiresAt + pageGrace
  const least = now + leastPageSeconds + 60
  return usual >= least ? usual : Math.ceil(least / stepSeconds) * stepSeconds
}
