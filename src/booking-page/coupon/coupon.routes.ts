import { paymentMethods, paymentRule } from '../../catalogue/services/payment-rule.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { emailKey } from '../../customers/customer.ts'
import { listCustomersAt } from '../../customers/customers.sql.ts'
import { moneyOf } from '../../money.ts'
import { couponCode, worthOfSeats } from '../../payments/coupons/coupon.ts'
import { findUsable } from '../../payments/coupons/coupons.operations.ts'
import { hasCoupons } from '../../payments/coupons/coupons.sql.ts'
import { reductionOf } from '../../reservations/payment.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import { personFields } from '../details.ts'
import type { PageRequest } from '../page-context.routes.ts'
import type { CouponOffer } from '../views/payment.ts'

/**
 * The service to book, and the price of one seat in minor units of `currency`; `price` is null when no price is set.
 */
interface Priced {
  readonly service: Service
  readonly price: number | null
  readonly currency: string | null
}

/**
 * Returns the coupon code that a visitor entered for a booking, with its reduction of the price of each seat. Every
 * unusable code gets the same message, so that a stranger cannot find out which codes were used.
 */
export async function couponOf(
  { sources, sent, view, request, catalogue, now }: PageRequest,
  { service, price, currency }: Priced,
): Promise<CouponOffer & { readonly parts: readonly number[] }> {
  const { seats } = view.visit
  const { db } = sources.app
  const none = { code: '', reduction: 0, parts: Array.from({ length: seats }, () => 0) }
  const full = moneyOf({ price, currency })
  const payable = full !== null && paymentMethods(paymentRule(service.settings), full).length > 0
  if (!payable || !(await hasCoupons(db, dateAt(catalogue.site.timezone, now)))) return { ...none, asks: false }
  const code = couponCode((sent.get('code') ?? '').slice(0, 60))
  if (code === '') return { ...none, asks: true }
  if (!sources.limits.coupon(request.ip, now)) return { ...none, asks: true, fault: 'tooMany' }
  const emails = Array.from({ length: seats }, (_, index) => emailKey(sent.get(personFields(index).email) ?? ''))
  const known = await listCustomersAt(db, [...new Set(emails.filter((email) => email !== ''))])
  const wish = { code, service, price, currency, customerIds: known.map(({ id }) => id) }
  const coupon = await findUsable(db, catalogue, wish, now)
  if (!coupon) return { ...none, asks: true, fault: 'couponInvalid' }
  const parts = worthOfSeats(coupon, seats).map((worth) => reductionOf(worth, full))
  return { asks: true, code, parts, reduction: parts.reduce((sum, part) => sum + part, 0) }
}
