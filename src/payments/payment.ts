import type { Money } from '../money.ts'

/**
 * The state of a payment: `starting` until the URL of its page at the processor is stored, `open` while it can be paid,
 * then `paid`, or `closed` if it was not paid. If the processor reports afterwards that the customer paid, `closed`
 * changes to `paid`. A no-show fee charged to a saved card has no page and is never `open`.
 */
export type PaymentProgress = 'starting' | 'open' | 'paid' | 'closed'

/**
 * The purpose of a payment: to pay the amount without which reservations are not booked (`pay`), to save a card without
 * a charge (`card`), to charge a no-show fee to a saved card (`fee`), or to let the customer pay such a fee by a link
 * (`link`).
 */
export type PaymentPurpose = 'pay' | 'card' | 'fee' | 'link'

/** A payment through the processor: for the reservations that were booked together, or for one reservation alone. */
export interface Payment extends Money {
  readonly id: string
  readonly customerId: string
  readonly purpose: PaymentPurpose
  /** The state; for the purpose `card`, `paid` means that the card was saved. */
  readonly state: PaymentProgress
  /** The id and the URL of the processor's page; null when no page was opened. */
  readonly checkoutId: string | null
  readonly checkoutUrl: string | null
  /** The processor's id of the charge; null before the payment is paid, and for the purpose `card`. */
  readonly chargeId: string | null
  /** The end of the time within which the customer must pay (Unix seconds); for the purpose `fee`, `createdAt`. */
  readonly expiresAt: number
  readonly createdAt: number
}

/**
 * The state of a payment's part for one reservation: not paid or not decided yet (`waiting`), booked for the
 * reservation, returned to the payer, or closed unpaid.
 */
export type ShareState = 'waiting' | 'booked' | 'returned' | 'closed'

/** The part of a payment that belongs to one reservation. */
export interface Share {
  readonly paymentId: string
  readonly reservationId: string
  readonly amount: number
  readonly state: ShareState
}

/** A refund of a payment through the processor. */
export interface Refund extends Money {
  readonly id: string
  readonly paymentId: string
  readonly reservationId: string
  /** The reason: a code such as `not_booked`, or the text that staff entered. */
  readonly reason: string
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly processorId: string | null
  readonly createdAt: number
}

/**
 * Seconds after `expiresAt` for which the slot of an unpaid reservation is still reserved, so that the processor's page
 * can be closed in time. After that the slot's seat is released even if the processor does not answer, and a payment
 * that still arrives is booked or returned.
 */
export const seatGrace = 600

/**
 * Seconds after `expiresAt` at which the processor closes its page. It closes later where this would be less than 31
 * minutes after the page is opened: the 30 minutes that Stripe requires, and a minute in reserve.
 */
const pageGrace = 300
const leastPageSeconds = 1_800
const stepSeconds = 300

/**
 * Returns when the processor closes the page of a payment by itself (Unix seconds). If Stripe's minimum determines the
 * time, it is rounded up to a multiple of five minutes: attempts to open the page that are repeated within a short time
 * then usually send the same request with the same idempotency key, which opens no second page.
 */
export function pageExpiresAt({ expiresAt }: Pick<Payment, 'expiresAt'>, now: number): number {
  const usual = expiresAt + pageGrace
  const least = now + leastPageSeconds + 60
  return usual >= least ? usual : Math.ceil(least / stepSeconds) * stepSeconds
}
