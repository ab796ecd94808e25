import type { CouponWorth } from '../../reservations/payment.ts'
import { chargeableParts } from '../chargeable.ts'

/** A coupon: a code that reduces the price of bookings. */
export interface Coupon {
  readonly id: string
  /** The code of the coupon, normalised by `couponCode`; it cannot be changed. */
  readonly code: string
  /** The reduction; cannot be changed, so that a price that a customer has seen remains valid. */
  readonly worth: CouponWorth
  /** The currency of a fixed reduction; null for a percentage. */
  readonly currency: string | null
  /**
   * The first and the last date on which the coupon can be used, in the site's time zone (`YYYY-MM-DD`); null for no
   * limit.
   */
  readonly validFrom: string | null
  readonly validUntil: string | null
  readonly maxUses: number | null
  readonly maxUsesPerCustomer: number | null
  /** The ids of the services for which the coupon can be used; empty when it can be used for all services. */
  readonly serviceIds: readonly string[]
  readonly active: boolean
  readonly createdAt: number
}

/** The properties of a booking that decide whether a coupon can be used for it. */
export interface CouponCase {
  readonly serviceId: string
  /** The currency of the price of the booking; null when nothing has to be paid. */
  readonly currency: string | null
  /** The date on which the booking is made, in the site's time zone. */
  readonly today: string
  /** The number of bookings that count as uses of the coupon: of all customers, and of the customer who books. */
  readonly uses: number
  readonly usesOfCustomer: number
}

/** Matches a valid coupon code after `couponCode`: 3 to 40 capitals, letters without case, digits, `_` and `-`. */
export const codePattern = /^[\p{Lu}\p{Lo}\p{N}_-]{3,40}$/u

/** Returns the code as it is stored and compared: in Unicode normal form NFKC, in capitals, and without whitespace. */
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

/**
 * Returns the reduction by a coupon of the price of each seat (one person) of a booking: its percentage, or its amount
 * divided as evenly as possible.
 */
export function worthOfSeats({ worth, currency }: Pick<Coupon, 'worth' | 'currency'>, seats: number): CouponWorth[] {
  const each = Array.from({ length: seats }, () => 1)
  if ('percent' in worth) return each.map(() => worth)
  return chargeableParts(worth.amount, each, currency).map((amount) => ({ amount }))
}
