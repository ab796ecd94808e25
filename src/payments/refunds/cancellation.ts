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

/** Returns the sum of parts of payments. */
export function sumOfParts(parts: readonly Pick<RefundPart, 'amount'>[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
