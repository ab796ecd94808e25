import { shareOf } from '../../money.ts'
import { chargeableFloor, chargeableShare } from '../chargeable.ts'
import type { RefundPart } from '../desk/desk-payments.ts'

/**
 * Returns the refund of each payment when a percentage of it is to be refunded. Earlier refunds and disputed amounts
 * are deducted, so a repeated call after the refund returns nothing. Payments that were not booked are left out,
 * because they are refunded automatically.
 */
export function cancellationRefund(parts: readonly RefundPart[], percent: number): readonly RefundPart[] {
  return parts.flatMap((part) => {
    const { booked, paid, amount: left, currency } = part
    if (!booked) return []
    return refundOf(part, chargeableShare({ amount: paid, currency }, percent * 100) - (paid - left))
  })
}

// A payment is refunded completely, or by an amount that the processor can refund.
function refundOf(part: RefundPart, due: number): readonly RefundPart[] {
  const { amount: left, currency } = part
  const amount = due >= left ? left : chargeableFloor({ amount: Math.max(0, due), currency })
  return amount > 0 ? [{ ...part, amount }] : []
}

/** The amount that vouchers paid for a reservation, and the part that has not been returned to them. */
export interface PaidByVoucher {
  readonly paid: number
  /** The part of `paid` that was paid since everything was last returned to the vouchers. */
  readonly recent: number
  readonly left: number
}

/**
 * Returns the refunds of a cancelled reservation. If vouchers paid a part, the percentage applies to all that they and
 * the booked payments paid, and the vouchers are refunded first; otherwise it applies to each booked payment. What was
 * paid before a cancellation that refunded everything is left out, as when the reservation was restored and paid again.
 */
export function splitCancellation(parts: readonly RefundPart[], voucher: PaidByVoucher, percent: number) {
  if (voucher.paid === 0) return { voucher: 0, parts: cancellationRefund(parts, percent) }
  // A partial refund may return everything to the vouchers and nothing of a booked payment.
  const isPaidAgain = voucher.recent < voucher.paid && parts.every((part) => !part.booked || part.amount === 0)
  const booked = isPaidAgain ? [] : parts.filter((part) => part.booked)
  const paid = booked.reduce((sum, part) => sum + part.paid, isPaidAgain ? voucher.recent : voucher.paid)
  const refunded = paid - sumOfParts(booked) - voucher.left
  const [first] = booked
  const share = first
    ? chargeableShare({ amount: paid, currency: first.currency }, percent * 100)
    : shareOf(paid, percent * 100)
  const due = Math.max(0, share - refunded)
  const toVoucher = Math.min(voucher.left, due)
  let left = due - toVoucher
  const back = booked.flatMap((part) => {
    const refunds = refundOf(part, left)
    left -= sumOfParts(refunds)
    return refunds
  })
  return { voucher: toVoucher, parts: back }
}

/** Returns the sum of the amounts of these parts of payments. */
export function sumOfParts(parts: readonly Pick<RefundPart, 'amount'>[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
