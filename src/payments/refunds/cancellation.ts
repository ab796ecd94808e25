import { shareOf } from '../../money.ts'
import type { RefundPart } from '../desk/desk-payments.ts'

/**
 * Returns what of each payment goes back when a percentage of it is refunded: what was refunded before counts, so that
 * the same question asked after the refund gives nothing. Payments that were not booked go back by themselves.
 */
export function cancellationRefund(parts: readonly RefundPart[], percent: number): readonly RefundPart[] {
  return parts.flatMap((part) => {
    const { booked, paid, amount: left } = part
    const amount = booked ? Math.max(0, shareOf(paid, percent * 100) - (paid - left)) : 0
    return amount > 0 ? [{ ...part, amount }] : []
  })
}

/** What vouchers have paid for a reservation, and what of it has not gone back to them. */
export interface PaidByVoucher {
  readonly paid: number
  readonly left: number
}

/**
 * Returns what a cancellation refunds when a part was paid by voucher: of the percentage of everything that was paid, the
 * voucher gets as much as it has paid, and the payments through the processor the rest.
 */
export function splitCancellation(parts: readonly RefundPart[], voucher: PaidByVoucher, percent: number) {
  if (voucher.paid === 0) return { voucher: 0, parts: cancellationRefund(parts, percent) }
  const booked = parts.filter((part) => part.booked)
  const paid = booked.reduce((sum, part) => sum + part.paid, voucher.paid)
  const refunded = paid - sumOfParts(booked) - voucher.left
  const due = Math.max(0, shareOf(paid, percent * 100) - refunded)
  const toVoucher = Math.min(voucher.left, due)
  let left = due - toVoucher
  const back = booked.flatMap((part) => {
    const amount = Math.min(part.amount, left)
    left -= amount
    return amount > 0 ? [{ ...part, amount }] : []
  })
  return { voucher: toVoucher, parts: back }
}

/** Returns the sum of parts of payments. */
export function sumOfParts(parts: readonly Pick<RefundPart, 'amount'>[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
