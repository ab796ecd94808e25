/**
 * The way in which money for a reservation was paid or is refunded: a gift voucher, the payment processor, or the desk.
 */
export type Till = 'voucher' | 'processor' | 'on_site'

/** The largest number of reservations for which the refunds of a cancellation are previewed at once. */
export const maxPreviewed = 100

/**
 * The kinds of postings (movements of money in the books) that staff see at a reservation. Other kinds, such as the
 * processor's fees, are not shown there.
 */
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

/**
 * Returns the cause of the posting of a write-off, which distinguishes those of a no-show fee from those of a price.
 */
export function writeOffCause(id: string, of: 'price' | 'fee'): string {
  return of === 'fee' ? `${id}/fee` : id
}

/** Returns the id of the write-off of a posting with this `source` (its kind and its cause). */
export function writeOffId(source: string): string {
  return source.replace(/^write_off:/, '').replace(/\/fee$/, '')
}

/** Whether a posting with this `source` waives a part of a no-show fee. */
export function waivesFee(source: string): boolean {
  return source.startsWith('write_off:') && source.endsWith('/fee')
}

/** A posting in the books that concerns a reservation, as the panel shows it. */
export interface MoneyEntry {
  readonly at: number
  readonly kind: DeskKind
  readonly amount: number
  readonly currency: string
}

/**
 * The money of a reservation, and how much can still be paid, waived or refunded, in the smallest unit of its currency.
 */
export interface ReservationMoney {
  /** The postings of the reservation that staff see, the oldest first. */
  readonly entries: readonly MoneyEntry[]
  /** The refundable part of each paid payment, the oldest first. */
  readonly refundable: readonly RefundPart[]
  /** The amount that the customer owes, in the smallest unit of the currency. */
  readonly due: number
  /**
   * The amount paid, and not refunded, beyond what the customer owes: the price or, once it is demanded, the no-show
   * fee. 0 for a cancelled reservation.
   */
  readonly overpaid: number
  /** The amount that staff have waived; of a no-show fee, only while the fee is demanded. */
  readonly writtenOff: number
  /** The amount that can be refunded through the processor. */
  readonly processor: number
  /** The amount that can be refunded at the desk. */
  readonly onSite: number
  /** The amount that can be returned to vouchers, which comes before any other refund. */
  readonly voucher: number
}

/** The part of a payment for a reservation that can be refunded, or the part of it that a refund returns. */
export interface RefundPart {
  readonly paymentId: string
  /** The amount that can still be refunded or, in a refund, the amount that is refunded. */
  readonly amount: number
  /** The currency of the payment, which need not be that of the reservation's present price. */
  readonly currency: string
  /** The amount that the payment paid for the reservation, before any refund. */
  readonly paid: number
  /**
   * Whether the payment was accepted for the reservation. If not, the decision is still pending, or the payment is
   * refunded automatically.
   */
  readonly booked: boolean
}

/**
 * Splits a refund over the payments of a reservation, the newest first; undefined when less than the amount can be
 * refunded.
 */
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
