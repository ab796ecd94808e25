import { distribute } from '../../money.ts'
import type { CouponWorth } from '../../reservations/payment.ts'

/** A code that reduces the price of bookings. */
export interface Coupon {
  readonly id: string
  /** As `couponCode` returns it; never changes. */
  readonly code: string
  /** Never changes, so that a price that was shown holds. */
  readonly worth: CouponWorth
  /** The currency of an amount; null for a percentage. */
  readonly currency: string | null
  /** The first and the last date on which it can be used, by the site's clock (`YYYY-MM-DD`); null without one. */
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly maxUses: number | null
  readonly maxUsesPerCustomer: number | null
  /** The services for which it counts; empty for all. */
  readonly serviceIds: readonly string[]
  readonly active: boolean
  readonly createdAt: number
}

/** What a booking says about the coupon that it wants to use. */
export interface CouponCase {
  readonly serviceId: string
  /** The currency of the price; null without a price that has to be paid. */
  readonly currency: string | null
  /** The date of the booking by the site's clock. */
  readonly today: string
  /** How often the coupon was used, and how often by this customer. */
  readonly uses: number
  readonly usesOfCustomer: number
}

/** What a coupon code looks like once it was normalised. */
export const codePattern = /^[\p{Lu}\p{Lo}\p{N}_-]{3,40}$/u

/** Returns the code as it is stored and compared: in capitals, without spaces. */
export function couponCode(typed: string): string {
  return typed.normalize('NFKC').toUpperCase().replace(/\s+/g, '')
}

/** Whether a coupon can be used for a booking. */
export function isUsable(coupon: Coupon, of: CouponCase): boolean {
  const { active, validFrom, validUntil, serviceIds, currency, maxUses, maxUsesPerCustomer } = coupon
  if (!active || of.currency === null) return false
  if ((validFrom !== null && of.today < validFrom) || (validUntil !== null && of.today > validUntil)) return false
  if (currency !== null && currency !== of.currency) return false
  if (serviceIds.length > 0 && !serviceIds.includes(of.serviceId)) return false
  if (maxUses !== null && of.uses >= maxUses) return false
  return maxUsesPerCustomer === null || of.usesOfCustomer < maxUsesPerCustomer
}

/** Returns what a coupon takes off each seat of a booking: a percentage of each, or an equal part of the amount. */
export function worthOfSeats({ worth }: Pick<Coupon, 'worth'>, seats: number): CouponWorth[] {
  const each = Array.from({ length: seats }, () => 1)
  return 'percent' in worth ? each.map(() => worth) : distribute(worth.amount, each).map((amount) => ({ amount }))
}
