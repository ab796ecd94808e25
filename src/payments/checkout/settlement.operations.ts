import { lockCatalogue } from '../../catalogue/catalogue.operations.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { pageHistory } from '../../history/history.sql.ts'
import { refusal } from '../../messages/refusal.ts'
import { approvalAfterNoShows } from '../../reservations/attendance/no-shows.operations.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import {
  findReservationForUpdate,
  lockReservation,
  progressWhenPaid,
} from '../../reservations/booking/reservations.operations.ts'
import {
  type ReservationPayment,
  unpaid,
  withFeeState,
  withFeeUncollected,
  withPaid,
} from '../../reservations/payment.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { overridesOf } from '../../scheduling/opening-hours.ts'
import { reviewCardAt } from '../cards/card-release.operations.ts'
import { loadMoney } from '../desk/desk-payments.sql.ts'
import type { Payment, Share } from '../payment.ts'
import { listRefunds, listShares, updateShare } from '../payments.sql.ts'
import { beginRefund } from '../refunds/refunds.operations.ts'
import { appendPayment, lockPayment } from './checkout.operations.ts'

/** The input of `bookPaid` and `returnPaid`: the id of a paid payment, and one of the reservations that it covers. */
export interface PaidReservation {
  readonly id: string
  readonly reservationId: string
}

/**
 * Books a reservation whose payment was paid or whose card was saved, or leaves it pending for approval; or records
 * that its no-show fee was paid. A reservation that has expired is booked again if its slot still has a free seat.
 * Refuses when no seat is free, when the reservation, its service or its provider was removed, when the reservation was
 * cancelled otherwise than by its expiry, when it has expired and its start has passed, and when the no-show fee is no
 * longer due.
 */
export const bookPaid: Operation<PaidReservation, Record<never, never>> = async (tx, input) => {
  const found = await lockWaiting(tx, input)
  if (!found) return {}
  const { payment, share } = found
  const catalogue = await lockCatalogue(tx)
  const reservation = await lockReservation(tx, input.reservationId)
  const { status, id } = reservation
  const cancelled = status === 'cancelled'
  // A customer to whom the reservation was given in the meantime did not agree to the fee.
  const isOwed = isMissed(reservation) && reservation.payment?.noShowFee !== undefined
  if (isClaim(payment) && !isOwed) throw refusal('change_too_late')
  if (cancelled && (reservation.start <= tx.now || !(await hasExpired(tx.db, id, payment))))
    throw refusal('change_too_late')
  // If the no-show fee was paid in another way in the meantime, it is not collected twice.
  if (isClaim(payment) && (await loadMoney(tx.db, reservation)).due < share.amount) throw refusal('nothing_due')
  const paid = paidOf(reservation, payment, share)
  const summary = isClaim(payment) ? withFeeState(paid, 'charged') : paid
  // A pending reservation need not wait for the payment any more: staff may have confirmed it and taken that back.
  if (cancelled || (status === 'pending' && !isClaim(payment))) {
    const service = catalogue.service(reservation.serviceId)
    const provider = catalogue.provider(reservation.providerId)
    if (!service || !provider) throw refusal('service_not_found')
    const { approval: ofDate } = overridesOf(provider, catalogue.site.holidays, reservation)
    const approval = (await approvalAfterNoShows(tx.db, catalogue.site.policies, reservation, tx.now)) ?? ofDate
    const { status: next, ...awaiting } = progressWhenPaid(service, approval)
    // The booking rules are not applied again, because they allowed the booking when it was made. Only a lack of free
    // time or seats refuses it and, in a collective service (with several providers together), an ineligible provider.
    const override = { reason: 'Paid in time to pay' }
    await editReservation(tx, { id, status: next, awaiting, payment: summary, override })
  } else await editReservation(tx, { id, payment: summary })
  await updateShare(tx.db, { ...share, state: 'booked' })
  if (payment.purpose === 'card') await reviewCardAt(tx, payment.id, reservation.end)
  return {}
}

/**
 * Queues the refund of a payment for a reservation that cannot be booked or no longer owes the no-show fee, or the
 * removal of a card that was saved for it. A reservation that still waits for the payment is cancelled.
 */
export const returnPaid: Operation<PaidReservation, Record<never, never>> = async (tx, input) => {
  const found = await lockWaiting(tx, input)
  if (!found) return {}
  const { payment, share } = found
  const reservation = await findReservationForUpdate(tx, input.reservationId)
  // Staff may have refunded a part of the share (the part of the payment for this reservation) before it was decided
  // whether the reservation can be booked. The processor refuses to refund more than the rest.
  const refunds = await listRefunds(tx.db, payment.id)
  const refunded = refunds
    .filter((one) => one.reservationId === share.reservationId && one.state !== 'failed')
    .reduce((sum, one) => sum + one.amount, 0)
  const amount = Math.max(0, share.amount - refunded)
  if (reservation) {
    const waits = reservation.status === 'pending' && reservation.awaits === 'payment'
    const paid = paidOf(reservation, payment, share)
    const summary =
      payment.purpose === 'card' ? withFeeState(paid, 'too_late') : returnedOf(reservation, payment, paid, amount)
    await editReservation(tx, {
      id: reservation.id,
      payment: summary,
      ...(waits && { status: 'cancelled' as const }),
    })
  }
  await updateShare(tx.db, { ...share, state: 'returned' })
  const { reservationId } = share
  if (payment.purpose === 'card') {
    await reviewCardAt(tx, payment.id, tx.now)
    return {}
  }
  if (amount > 0) {
    const { id: paymentId, currency } = payment
    await beginRefund(tx, { paymentId, reservationId, amount, currency, reason: 'not_booked' })
  }
  await appendPayment(tx, 'payment.returned', payment, [share])
  return {}
}

async function lockWaiting(
  tx: Tx,
  { id, reservationId }: PaidReservation,
): Promise<{ readonly payment: Payment; readonly share: Share } | undefined> {
  const payment = await lockPayment(tx, id)
  const share = (await listShares(tx.db, id)).find((one) => one.reservationId === reservationId)
  return payment?.state === 'paid' && share?.state === 'waiting' ? { payment, share } : undefined
}

/**
 * Whether a cancelled reservation was cancelled because it was not paid in time, and not by a customer, staff or a
 * program.
 */
async function hasExpired(db: Tx['db'], id: string, { expiresAt }: Payment): Promise<boolean> {
  const filter = { objectId: id, type: 'reservation.cancelled', actor: undefined, from: undefined, until: undefined }
  const { events } = await pageHistory(db, filter, { limit: 1, offset: 0 })
  const [last] = events
  return last?.actor.kind === 'worker' && last.createdAt >= expiresAt
}

function paidOf(reservation: Reservation, { currency, purpose }: Payment, { amount }: Share): ReservationPayment {
  const before = reservation.payment ?? unpaid({ method: 'online', amount, currency })
  return purpose === 'card' ? before : withPaid(before, { paid: amount })
}

/** Whether the visit was missed, so that its no-show fee may be demanded. */
function isMissed({ status, attendance }: Reservation): boolean {
  return status !== 'cancelled' && attendance.state === 'no_show'
}

/** Whether a payment collects the no-show fee. */
function isClaim({ purpose }: Pick<Payment, 'purpose'>): boolean {
  return purpose === 'fee' || purpose === 'link'
}

/**
 * Returns the payment of a reservation (`paid`) after `amount` of it is returned. A no-show fee that was to be
 * collected is no longer demanded if the no-show was taken back or the reservation cancelled; otherwise, a part of it
 * or all of it was paid in another way.
 */
function returnedOf(
  reservation: Reservation,
  payment: Payment,
  paid: ReservationPayment,
  amount: number,
): ReservationPayment {
  const returned = withPaid(paid, { refunded: amount })
  const waits = paid.noShowFee?.state === 'charging' || paid.noShowFee?.state === 'requested'
  if (!isClaim(payment) || !waits) return returned
  return isMissed(reservation) ? withFeeUncollected(returned) : withFeeState(returned, 'agreed')
}
