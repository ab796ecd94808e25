import { lockCatalogue, requireProvider } from '../../catalogue/catalogue.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Data } from '../../data.ts'
import type { Database } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { answerForm } from '../../reservations/booking/form-answers.operations.ts'
import { lockBookingsOf } from '../../reservations/booking/offer.operations.ts'
import { lockReservation } from '../../reservations/booking/reservations.operations.ts'
import type { ExpectedPrice } from '../../reservations/booking/slot-price.ts'
import { usualEnd } from '../../reservations/booking/staff.operations.ts'
import { fullPrice } from '../../reservations/payment.ts'
import { hasChangedCustomer, type Reservation } from '../../reservations/reservation.ts'
import { reservationLocks } from '../../reservations/reservation-locks.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { loadPages } from '../settings.sql.ts'
import type { Pages } from '../settings.ts'
import { listGroup, storeRating } from './manage.sql.ts'
import { canChange, canRate } from './policy.ts'

/** The input of `moveBooking`. */
export interface MoveBooking {
  readonly id: string
  readonly providerId: number
  readonly start: number
  /**
   * The price to which the customer agreed, before the reduction by a coupon; the move is refused if the price at the
   * new time differs. Absent when any price is acceptable.
   */
  readonly expectedPrice?: ExpectedPrice
}

/**
 * The result of `moveBooking`: the price of the moved reservation, in the smallest unit of `currency`; null when it has
 * no price.
 */
export interface MovedBooking {
  readonly price: number | null
  /**
   * The price of the moved reservation before the reduction by a coupon, in the smallest unit of `currency`; null when
   * it has no price.
   */
  readonly fullPrice: number | null
  readonly currency: string | null
}

/** Moves a reservation on behalf of its customer. Refuses when the service's policy or a booking rule forbids it. */
export const moveBooking: Operation<MoveBooking, MovedBooking> = async (tx, input) => {
  const { id, providerId, start, expectedPrice } = input
  const catalogue = await lockCatalogue(tx)
  const before = await requireChangeable(tx, catalogue, id)
  requireProvider(catalogue, providerId)
  const end = usualEnd(catalogue, before, { providerId, start })
  await editReservation(tx, { id, providerId, start, end, ...(expectedPrice !== undefined && { expectedPrice }) })
  const moved = await findReservation(tx.db, id)
  const { price = null, currency = null } = moved ?? {}
  return { price, fullPrice: moved ? fullPrice(moved) : null, currency }
}

/** The input of `cancelBooking`. */
export interface CancelBooking {
  readonly id: string
  /** The customer's reason for the cancellation; empty for none. */
  readonly reason: string
  /**
   * Whether to cancel all reservations that were booked with the same form and that the customer can still change;
   * ignored unless `id` is the reservation of the form's first person.
   */
  readonly all: boolean
}

/**
 * Cancels a reservation on behalf of its customer and, with `all`, also the reservations that `listOthers` returns.
 * Refuses when the service's policy forbids the cancellation of the reservation `id`. Returns the number of cancelled
 * reservations.
 */
export const cancelBooking: Operation<CancelBooking, { readonly cancelled: number }> = async (tx, input) => {
  const catalogue = await lockCatalogue(tx)
  const { id, reason, all } = input
  const group = all ? await lockGroup(tx, id) : []
  const own = await requireChangeable(tx, catalogue, id)
  const ids = [id, ...(all ? await listOthers(tx.db, await loadPages(tx.db, catalogue), own, tx.now) : [])]
  const cancelled = group.filter((one) => ids.includes(one.id))
  if (cancelled.length > 1) await lockBookingsOf(tx, catalogue, cancelled)
  for (const one of ids)
    await editReservation(tx, {
      id: one,
      status: 'cancelled',
      ...(reason !== '' && { cancelReason: reason }),
    })
  return { cancelled: ids.length }
}

/**
 * Locks the reservations that were booked with the same form as the reservation `id`, in one call, so that transactions
 * that begin with different reservations of the form cannot wait for each other. Returns them as they are once locked,
 * that of the first person first. Refuses an unknown id.
 */
export async function lockGroup(tx: Tx, id: string): Promise<readonly Reservation[]> {
  const groupId = (await findReservation(tx.db, id))?.groupId ?? null
  if (groupId === null) return [await lockReservation(tx, id)]
  const group = await listGroup(tx.db, groupId)
  await tx.lock(reservationLocks(group.map((one) => one.id)))
  return listGroup(tx.db, groupId)
}

/**
 * Returns the ids of the other reservations that were booked with the same form and that a customer can still cancel;
 * none unless `own` is the reservation of the form's first person. Reservations that were given to another customer
 * since are left out.
 */
export async function listOthers(
  db: Database,
  pages: Pick<Pages, 'service'>,
  { id, groupId }: Pick<Reservation, 'id' | 'groupId'>,
  now: number,
): Promise<string[]> {
  const [first, ...others] = groupId === null ? [] : await listGroup(db, groupId)
  if (first?.id !== id || hasChangedCustomer(first)) return []
  return others
    .filter((one) => !hasChangedCustomer(one) && canChange(one, pages.service(one.serviceId), now))
    .map((one) => one.id)
}

/**
 * Replaces the answers to the service's questions on behalf of the customer; refuses once the appointment has begun or
 * is cancelled.
 */
export const answerBooking: Operation<{ readonly id: string; readonly answers: Data }, Record<string, never>> = async (
  tx,
  { id, answers },
) => {
  const { status, start } = await lockReservation(tx, id)
  if (status === 'cancelled' || start <= tx.now) throw refusal('change_too_late')
  return answerForm(tx, { id, answers })
}

/** The input of `rateBooking`. */
export interface RateBooking {
  readonly id: string
  /** The customer's score for the visit, from 1 to 5. */
  readonly score: number
  readonly comment: string
}

/**
 * Stores the customer's rating of a visit, and replaces an earlier one; refuses unless the visit is confirmed and over.
 */
export const rateBooking: Operation<RateBooking, Record<string, never>> = async (tx, { id, score, comment }) => {
  const reservation = await lockReservation(tx, id)
  if (!canRate(reservation, tx.now)) throw refusal('change_too_late')
  await storeRating(tx.db, { reservationId: id, score, comment, now: tx.now })
  return {}
}

async function requireChangeable(tx: Tx, catalogue: Catalogue, id: string): Promise<Reservation> {
  const reservation = await lockReservation(tx, id)
  const pages = await loadPages(tx.db, catalogue)
  if (!canChange(reservation, pages.service(reservation.serviceId), tx.now)) throw refusal('change_too_late')
  return reservation
}
