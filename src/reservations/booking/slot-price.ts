import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Provider, SlotOverrides } from '../../catalogue/providers/provider.ts'
import { noShowFeeOf, type PaymentMethod, paymentMethods, paymentRule } from '../../catalogue/services/payment-rule.ts'
import type { EffectiveSettings, Service } from '../../catalogue/services/service.ts'
import { refusal } from '../../messages/refusal.ts'
import { overridesOf } from '../../scheduling/opening-hours.ts'
import type { Offer } from '../../scheduling/plan/plan.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { type AppliedCoupon, type ReservationPayment, reduced, repriced, unpaid } from '../payment.ts'
import type { Reservation, SlotPrice } from '../reservation.ts'

/** The site with its catalogue, as far as a price depends on it. */
interface OfSite {
  readonly catalogue: Pick<Catalogue, 'site'>
}

/** The price that the caller displayed; null when it displayed none. */
export type ExpectedPrice = {
  /** The price in the smallest unit of the currency. */
  readonly amount: number
  readonly currency: string
} | null

/** Returns the price of a slot: that of the slot's overrides, else the provider's, else the service's. */
export function slotPrice({ catalogue }: OfSite, { slot, rule }: Offer): SlotPrice {
  return priceOf(catalogue, rule, slot.overrides)
}

/**
 * Returns the price of a time whether or not it can be booked: that of the opening hours at this time, else the
 * provider's, else the service's.
 */
export function priceAt(
  { site }: Pick<Catalogue, 'site'>,
  { rule, provider }: { readonly rule: EffectiveSettings; readonly provider: Provider },
  time: Interval,
): SlotPrice {
  return priceOf({ site }, rule, overridesOf(provider, site.holidays, time))
}

/** Returns the price with these overrides: theirs, else the provider's, else the service's. */
export function priceOf(
  { site }: Pick<Catalogue, 'site'>,
  rule: Pick<EffectiveSettings, 'price' | 'currency'>,
  overrides: Pick<SlotOverrides, 'price' | 'currency'>,
): SlotPrice {
  const price = overrides.price ?? rule.price
  return { price, currency: price === null ? null : (overrides.currency ?? rule.currency ?? site.currency) }
}

/** Refuses a price that differs from the expected one; any price is expected when `expected` is undefined. */
export function requirePrice({ price, currency }: SlotPrice, expected: ExpectedPrice | undefined): void {
  if (expected === undefined) return
  const isExpected = expected === null ? price === null : price === expected.amount && currency === expected.currency
  if (!isExpected) throw refusal('slot_price_changed')
}

/** Returns the price after the reduction by a coupon, as a field to store; an empty object without a coupon. */
export function reducedPrice(payment: ReservationPayment | null): Partial<Pick<Reservation, 'price'>> {
  return payment?.coupon ? { price: payment.amount } : {}
}

/**
 * Returns the payment of a new reservation, by the method that the customer chose or else the first method of the
 * service; null when nothing has to be paid.
 */
export function firstPayment(
  { settings }: Service,
  { price, currency }: SlotPrice,
  chosen: PaymentMethod | undefined,
): ReservationPayment | null {
  if (price === null || currency === null) return null
  const methods = paymentMethods(paymentRule(settings), { amount: price, currency })
  const method = methods.find((one) => one === chosen) ?? methods[0]
  return method === undefined ? null : unpaid({ method, amount: price, currency })
}

/** How a new reservation is paid. */
export interface NewPayment {
  /** Whether staff book it: it is then paid at the desk, and the customer has agreed to no no-show fee. */
  readonly byStaff?: boolean
  /** The method that the customer chose; if undefined or not offered, the service's first. Ignored with `byStaff`. */
  readonly pays?: PaymentMethod | undefined
  readonly coupon?: AppliedCoupon | undefined
}

/**
 * Returns the payment of a new reservation, reduced by the coupon, with the no-show fee to which a customer who saves a
 * card agrees; null when nothing has to be paid.
 */
export function newPayment(
  service: Service,
  slot: SlotPrice,
  { byStaff = false, pays, coupon }: NewPayment,
): ReservationPayment | null {
  const full = firstPayment(service, slot, byStaff ? 'on_site' : pays)
  const payment = full && coupon ? reduced(full, full.amount, coupon) : full
  if (byStaff || payment?.method !== 'card') return payment
  const amount = noShowFeeOf(paymentRule(service.settings), payment)
  return amount > 0 ? { ...payment, noShowFee: { amount, state: 'agreed' } } : payment
}

/**
 * Returns the price and the payment of a reservation that moves to a time with the price `slot`. A reservation that had
 * no price is paid there like one that staff book.
 */
export function movedPrice(
  service: Service,
  before: Pick<Reservation, 'price' | 'payment'>,
  slot: SlotPrice,
): Pick<Reservation, 'price' | 'currency' | 'payment'> {
  const isNew = before.price === null && before.payment === null
  const payment = isNew ? firstPayment(service, slot, 'on_site') : repriced(before.payment, slot)
  return { ...slot, ...(payment?.currency === slot.currency && reducedPrice(payment)), payment }
}
