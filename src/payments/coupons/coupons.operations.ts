import { lockCatalogue, requireServices } from '../../catalogue/catalogue.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { paymentMethods, paymentRule } from '../../catalogue/services/payment-rule.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { emailKey } from '../../customers/customer.ts'
import { findCustomer, listCustomersAt } from '../../customers/customers.sql.ts'
import type { Database } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { fieldRefusal, refusal, wrongFields } from '../../messages/refusal.ts'
import { moneyOf } from '../../money.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { findParties, lockBooking } from '../../reservations/booking/offer.operations.ts'
import { unknownReservation } from '../../reservations/booking/reservations.operations.ts'
import { reduced } from '../../reservations/payment.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import { listPaymentsOf } from '../payments.sql.ts'
import { lockPaid } from '../refunds/refunds.operations.ts'
import { type Coupon, codePattern, couponCode, isUsable } from './coupon.ts'
import { countUses, findCoupon, findCouponOf, insertCoupon, insertUses, updateCoupon } from './coupons.sql.ts'

/** A booking for which a coupon code was entered, with that code. */
export interface CouponWish {
  /** The coupon code in any spelling; `couponCode` normalises it. */
  readonly code: string
  readonly service: Service
  /**
   * The price of one seat (for one person) in the smallest unit of the currency; null when the service has no price.
   */
  readonly price: number | null
  readonly currency: string | null
  /**
   * The ids of all customers who may be among the persons booked; their uses count together for the limit per customer.
   */
  readonly customerIds: readonly string[]
}

/**
 * Returns the coupon of a code if the booking can use it at `now`; undefined for an unknown code or an unusable coupon.
 */
export async function findUsable(
  db: Database,
  { site }: Catalogue,
  wish: CouponWish,
  now: number,
): Promise<Coupon | undefined> {
  const { service, customerIds } = wish
  const coupon = await findCouponOf(db, couponCode(wish.code))
  if (!coupon) return undefined
  const isPaid = paymentMethods(paymentRule(service.settings), moneyOf(wish)).length > 0
  const usable = isUsable(coupon, {
    ...{ serviceId: service.id, currency: isPaid ? wish.currency : null },
    ...{ today: dateAt(site.timezone, now), ...(await countUses(db, coupon.id, customerIds)) },
  })
  return usable ? coupon : undefined
}

/**
 * Returns the coupon that a booking uses, locked until the transaction ends, so that concurrent bookings cannot exceed
 * its limit of uses; refuses an unusable code. The caller must already hold all other locks of the booking, and must
 * record the use with `insertUses`.
 */
export async function claimCoupon(tx: Tx, catalogue: Catalogue, wish: CouponWish): Promise<Coupon> {
  const seen = await findCouponOf(tx.db, couponCode(wish.code))
  if (seen) await tx.lock([`coupon:${seen.id}`])
  const coupon = await findUsable(tx.db, catalogue, wish, tx.now)
  if (!coupon) throw fieldRefusal('code', 'coupon_invalid')
  return coupon
}

/** The input of `addCoupon`: the fields of the new coupon. */
export type AddCoupon = Omit<Coupon, 'id' | 'createdAt' | 'active'>

/**
 * Adds an active coupon; refuses a malformed code, one that another coupon has, a last date before the first, and
 * unknown services.
 */
export const addCoupon: Operation<AddCoupon, { readonly id: string }> = async (tx, input) => {
  const code = couponCode(input.code)
  if (!codePattern.test(code)) throw wrongFields({ code: message('coupon_code_wrong') })
  const catalogue = await lockCatalogue(tx)
  await tx.lock([`coupon-code:${code}`])
  if (await findCouponOf(tx.db, code)) throw wrongFields({ code: message('coupon_code_taken') })
  requireOrder(input)
  requireServices(catalogue, 'serviceIds', input.serviceIds)
  const coupon: Coupon = { ...input, code, id: tx.newId('coupon'), active: true, createdAt: tx.now }
  await insertCoupon(tx.db, coupon)
  await appendCoupon(tx, coupon, null)
  return { id: coupon.id }
}

/** The input of `editCoupon`: the id of a coupon, and the new values of the fields to change. */
export type EditCoupon = Pick<Coupon, 'id'> & Partial<Omit<Coupon, 'id' | 'code' | 'worth' | 'currency' | 'createdAt'>>

/**
 * Changes whether, when, how often and for which services a coupon can be used; existing bookings keep their reduction.
 */
export const editCoupon: Operation<EditCoupon, Record<never, never>> = async (tx, input) => {
  const catalogue = await lockCatalogue(tx)
  await tx.lock([`coupon:${input.id}`])
  const before = await findCoupon(tx.db, input.id)
  if (!before) throw refusal('coupon_invalid')
  const coupon = { ...before, ...input }
  requireOrder(coupon)
  // A service of the coupon may have been removed since, which does not prevent other changes.
  const added = coupon.serviceIds.filter((id) => !before.serviceIds.includes(id))
  requireServices(catalogue, 'serviceIds', added)
  await updateCoupon(tx.db, coupon)
  await appendCoupon(tx, coupon, before)
  return {}
}

/** The input of `applyCoupon`: the id of a reservation, and the coupon code that reduces its price. */
export interface ApplyCoupon {
  readonly reservationId: string
  readonly code: string
}

/**
 * Reduces the price of a reservation by a coupon. Refuses an unusable code, and a reservation that is free or
 * cancelled, whose service or provider was removed, for which anything was paid or a payment is open, or whose price a
 * coupon has already reduced.
 */
export const applyCoupon: Operation<ApplyCoupon, Record<never, never>> = async (tx, { reservationId, code }) => {
  const { catalogue, reservation } = await lockPaid(tx, reservationId)
  if (!reservation) throw unknownReservation()
  const { payment, status, customerId, price, currency } = reservation
  const parties = findParties(catalogue, reservation)
  if (!payment || !parties || status === 'cancelled') throw refusal('nothing_due')
  const payments = await listPaymentsOf(tx.db, reservationId)
  const isOpen =
    reservation.awaits === 'payment' || payments.some(({ state, purpose }) => state !== 'closed' && purpose !== 'card')
  if (payment.paid > 0 || payment.coupon || isOpen) throw refusal('coupon_too_late')
  // Locks are taken in the same order as in a booking, to prevent deadlocks: customer and resources first, then the
  // coupon.
  await lockBooking(tx, [customerId], [parties])
  const customer = await findCustomer(tx.db, customerId)
  const same = customer?.email ? await listCustomersAt(tx.db, [emailKey(customer.email)]) : []
  const customerIds = [...new Set([customerId, ...same.map(({ id }) => id)])]
  const coupon = await claimCoupon(tx, catalogue, { code, service: parties.service, price, currency, customerIds })
  await editReservation(tx, { id: reservationId, payment: reduced(payment, payment.amount, coupon) })
  await insertUses(tx.db, coupon.id, [reservationId])
  return {}
}

function requireOrder({ validFrom, validUntil }: Pick<Coupon, 'validFrom' | 'validUntil'>): void {
  if (validFrom !== null && validUntil !== null && validUntil < validFrom)
    throw wrongFields({ validUntil: message('must_not_precede_first_day') })
}

async function appendCoupon(tx: Tx, coupon: Coupon, previous: Coupon | null): Promise<void> {
  await tx.append({
    type: 'payment_settings.updated',
    objectId: coupon.id,
    object: { ...coupon },
    previous: previous && { ...previous },
  })
}
