/** Where money of a reservation was taken, and from where it is given back. */
export type Till = 'processor' | 'on_site'

/** Money that staff gave back or took for a reservation, or that moved through the processor. */
export interface MoneyEntry {
  readonly at: number
  readonly kind: 'charge' | 'refund' | 'refund_failed' | 'on_site' | 'on_site_refund'
  readonly amount: number
  readonly currency: string
}

/** The largest amounts that can still be moved for a reservation, in the smallest unit of its currency. */
export interface Movable {
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
