import { distribute, type Money, shareOf } from '../money.ts'
import { chargeStep } from './stripe/stripe-amount.ts'

/**
 * Returns the share `basisPoints / 10,000` of an amount as an amount that the payment processor can charge or refund:
 * rounded half up to a multiple of the currency's step, and never more than the amount. The share of 10,000 is exactly
 * the amount.
 */
export function chargeableShare({ amount, currency }: Money, basisPoints: number): number {
  if (basisPoints === 10_000) return amount
  const step = chargeStep(currency)
  const share = shareOf(amount, basisPoints, step)
  return share <= amount ? share : chargeableFloor({ amount, currency })
}

/** Returns the largest amount, at most the given one, that the payment processor can charge or refund. */
export function chargeableFloor({ amount, currency }: Money): number {
  return amount - (amount % chargeStep(currency))
}

/** Returns the smallest amount, at least the given one, that the payment processor can charge or refund. */
export function chargeableCeiling({ amount, currency }: Money): number {
  return chargeableFloor({ amount: amount + chargeStep(currency) - 1, currency })
}

/**
 * Distributes an amount like `distribute`, into parts that the payment processor can charge or refund if it can charge
 * the amount. Pass null for an amount without a currency.
 */
export function chargeableParts(amount: number, weights: readonly number[], currency: string | null): number[] {
  const step = currency === null ? 1 : chargeStep(currency)
  if (amount % step !== 0) return distribute(amount, weights)
  return distribute(amount / step, weights).map((part) => part * step)
}
