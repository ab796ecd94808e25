/** Where money of a reservation was taken, and from where it is given back. */
export type Till = 'voucher' | 'processor' | 'on_site'

/** The largest number of reservations whose refunds are previewed at once. */
export const maxPreviewed = 100

/** The kinds of postings that staff see at a reservation; fees and the like concern the site alone. */
export const deskKinds = {
  charge: true,
  refund: true,
  refund_failed: true,
  on_site: true,
  on_site_refund: true,
  voucher_use: true,
  voucher_refund: true,
  write_off: true,
  dispute: true,
  dispute_won: true,
} as const

/** A kind of posting that staff see at a reservation. */
export type DeskKind = keyof typeof deskKinds

/** A posting of the books about a reservation. */
export interface MoneyEntry {
  readonly at: number
  readonly kind: DeskKind
  readonly amount: number
  readonly currency: string
}

/** The money of a reservation, with the largest amounts that can still be moved, in the smallest unit of its currency. */
export interface ReservationMoney {
  /** The postings, the oldest first. */
  readonly entries: readonly MoneyEntry[]
  /** What each paid payment still holds for the reservation, the oldest first. */
  readonly refundable: readonly RefundPart[]
  /** What the customer still owes. */
  readonly due: number
  /** What was paid beyond the price, such as after a move to a cheaper time. */
  readonly overpaid: number
  /** What was given up of the price. */
  readonly writtenOff: number
  /** What can be refunded through the processor. */
  readonly processor: number
  /** What can be given back at the desk. */
  readonly onSite: number
  /** What goes back to vouchers, before anything else is refunded. */
  readonly voucher: number
}

/** What a payment holds for a reservation, or a part of it that is refunded. */
export interface RefundPart {
  readonly paymentId: string
  /** What can still be refunded, or is refunded. */
  readonly amount: number
  /** The currency of the payment, which need not be that of the reservation's present price. */
  readonly currency: string
  /** What was paid. */
  readonly paid: number
  /** Whether the reservation was booked by this payment; otherwise the money goes back by itself. */
  readonly booked: boolean
}

/** Splits a refund over the payments of a reservation, the newest first; undefined when they do not suffice. */
export function splitRefund(amount: number, refundable: readonly RefundPart[]): readonly RefundPart[] | undefined {
  const parts: RefundPart[] = []
  let left = amount
  for (const part of refundable.toReversed()) {
    const amount = Math.min(left, part.amount)
    if (amount > 0) parts.push({ ...part, amount })
    left -= amount
  }
  return left === 0 ? parts : undefined
}
