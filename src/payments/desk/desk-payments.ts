/** Where money of a reservation was taken, and from where it is given back. */
export type Till = 'processor' | 'on_site'

/** The kinds of postings that staff see at a reservation; fees and the like concern the site alone. */
export const deskKinds = {
  charge: true,
  refund: true,
  refund_failed: true,
  on_site: true,
  on_site_refund: true,
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
  /** What can be refunded through the processor. */
  readonly processor: number
  /** What can be given back at the desk. */
  readonly onSite: number
}

/** A part of a payment from which an amount is refunded. */
export interface RefundPart {
  readonly paymentId: string
  readonly amount: number
}

/** Splits a refund over the payments of a reservation, the newest first; undefined when they do not suffice. */
export function splitRefund(amount: number, refundable: readonly RefundPart[]): readonly RefundPart[] | undefined {
  const parts: RefundPart[] = []
  let left = amount
  for (const { paymentId, amount: most } of refundable.toReversed()) {
    const part = Math.min(left, most)
    if (part > 0) parts.push({ paymentId, amount: part })
    left -= part
  }
  return left === 0 ? parts : undefined
}
