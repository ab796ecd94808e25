import { lockCatalogue, requireProvider } from '../../catalogue/catalogue.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Data } from '../../data.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { answerForm } from '../../reservations/booking/form-answers.operations.ts'
import { type ExpectedPrice, lockReservation } from '../../reservations/booking/reservations.operations.ts'
import { usualEnd } from '../../reservations/booking/staff.operations.ts'
import { fullPrice } from '../../reservations/payment.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { loadPages } from '../settings.sql.ts'
import { listGroup, storeRating } from './manage.sql.ts'
import { canChange, canRate } from './policy.ts'

/** The input of `moveBooking`. */
export interface MoveBooking {
  readonly id: string
  readonly providerId: number
  readonly start: number
  /** The price to which the customer agreed; any other is refused. */
  readonly expectedPrice?: ExpectedPrice
}

/** What a moved reservation costs; null when it has no price. */
export interface MovedBooking {
  readonly price: number | null
  /** The price before the reduction of a coupon. */
  readonly fullPrice: number | null
  readonly currency: string | null
}

/** Moves a reservation for its customer, within the service's policy; every rule of a booking applies. */
export const moveBooking: Operation<MoveBooking, MovedBooking> = async (tx, input) => {
  const { id, providerId, start, expectedPrice } = input
  const catalogue = await lockCatalogue(tx)
  const before = await requireChangeable(tx, catalogue, id)
  requireProvider(catalogue, providerId)
  const end = usualEnd(catalogue, before, { providerId, start })
  await editReservation(tx, { id, providerId, start, end, ...(expectedPrice && { expectedPrice }) })
  const moved = await findReservation(tx.db, id)
  const { price = null, currency = null } = moved ?? {}
  return { price, fullPrice: moved ? fullPrice(moved) : null, currency }
}

/** The input of `cancelBooking`. */
export interface CancelBooking {
  readonly id: string
  /** The customer's reason; empty for none. */
  readonly reason: string
  /** Whether all reservations of the same form are cancelled; only the first person of the form may do so. */
  readonly all: boolean
}

/** Cancels a reservation for its customer, or all of the same form, within the service's policy. */
export const cancelBooking: Operation<CancelBooking, { readonly cancelled: number }> = async (tx, input) => {
  const catalogue = await lockCatalogue(tx)
  const { id, reason, all } = input
  const own = await requireChangeable(tx, catalogue, id)
  const group = all && own.groupId !== null ? await listGroup(tx.db, own.groupId) : []
  const ids = group[0] === id ? group : [id]
  await tx.lock(ids.map((one) => `reservation:${one}`))
  for (const one of ids)
    await editReservation(tx, {
      id: one,
      status: 'cancelled',
      ...(reason !== '' && { cancelReason: reason }),
    })
  return { cancelled: ids.length }
}

/** Replaces the answers to the booking form for the customer, until the appointment begins. */
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
  /** From 1 to 5. */
  readonly score: number
  readonly comment: string
}

/** Stores the customer's rating of a visit that is over; a later one replaces it. */
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
