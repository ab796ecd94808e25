import type { Operation, Tx } from '../../db/perform/app.ts'
import { enqueue } from '../../jobs/queue.ts'
import { message } from '../../messages/message.ts'
import { refusal, wrongFields } from '../../messages/refusal.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { findReservationForUpdate, unknownReservation } from '../../reservations/booking/reservations.operations.ts'
import { type ReservationPayment, withFeeState } from '../../reservations/payment.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { appendPayment, lockPayment } from '../checkout/checkout.operations.ts'
import { loadMoney } from '../desk/desk-payments.sql.ts'
import type { Payment, Share } from '../payment.ts'
import { type PaymentJob, paymentJobs } from '../payment-jobs.ts'
import { insertPayment, listShares, updatePayment, updateShare } from '../payments.sql.ts'
import type { CardReference } from '../processor.ts'
import { lockPaid } from '../refunds/refunds.operations.ts'
import { closeLinks } from './card-release.operations.ts'
import { findCardOf, insertCard } from './cards.sql.ts'

/** The input of `saveCard`: the id of the payment with which the card was saved, and the card. */
export interface SaveCard {
  readonly id: string
  readonly card: CardReference
}

/**
 * Records that a customer saved a card, and returns the ids of the reservations that the caller must now book; where
 * that is refused, the caller cancels the reservation and removes the card. Repeated calls record nothing more. A
 * payment that was already closed is recorded as `paid` as well, because the processor has stored the card.
 */
export const saveCard: Operation<SaveCard, { readonly waiting: readonly string[] }> = async (tx, { id, card }) => {
  const payment = await lockPayment(tx, id)
  if (!payment) return { waiting: [] }
  const shares = await listShares(tx.db, id)
  if (payment.state !== 'paid') {
    for (const share of shares) await updateShare(tx.db, { ...share, state: 'waiting' })
    await updatePayment(tx.db, { ...payment, state: 'paid' }, tx.now)
    await insertCard(tx.db, { ...card, paymentId: id, savedAt: tx.now, removedAt: null })
    await appendPayment(tx, 'payment.card_saved', payment, shares)
    return { waiting: shares.map(({ reservationId }) => reservationId) }
  }
  return { waiting: shares.filter(({ state }) => state === 'waiting').map(({ reservationId }) => reservationId) }
}

/** The input of `chargeNoShow` and `sendFeeLink`, which collect the no-show fee of a reservation. */
export interface ChargeNoShow {
  readonly reservationId: string
  /** The amount that the preview showed, in the smallest unit of the currency; refused when another amount is due. */
  readonly amount: number
}

/**
 * Queues the charge of the no-show fee to the saved card. Refuses when the visit was not missed, no fee was agreed, the
 * fee is already charged, being charged or requested by a link, the amount differs from what is due, or no card is
 * stored.
 */
export const chargeNoShow: Operation<ChargeNoShow, Record<never, never>> = async (tx, { reservationId, amount }) => {
  const { reservation, payment } = await requireNoShow(tx, reservationId)
  const fee = payment.noShowFee
  const may = fee.state === 'agreed' || fee.state === 'declined' || fee.state === 'authentication'
  const card = await findCardOf(tx.db, reservationId)
  if (!may || card?.removedAt !== null) throw refusal('nothing_due')
  await requireSame(tx, reservation, amount)
  await closeLinks(tx, reservationId)
  const id = await startLater(tx, reservation, { purpose: 'fee', amount, expiresAt: tx.now })
  await editReservation(tx, { id: reservationId, payment: withFeeState(payment, 'charging') })
  await enqueue(tx, [{ kind: paymentJobs.sync, key: id, payload: { id } satisfies PaymentJob }])
  return {}
}

/** The input of `failNoShow`: the id of the payment of a no-show fee, and why the charge failed. */
export interface FailNoShow {
  readonly id: string
  readonly reason: 'declined' | 'authentication'
}

/**
 * Records that the bank declined a charge of the no-show fee or requires authentication, for staff to see at the
 * reservation.
 */
export const failNoShow: Operation<FailNoShow, Record<never, never>> = async (tx, { id, reason }) => {
  const payment = await lockPayment(tx, id)
  if (payment?.state !== 'starting') return {}
  const shares = await listShares(tx.db, id)
  await updatePayment(tx.db, { ...payment, state: 'closed' }, tx.now)
  for (const share of shares) {
    await updateShare(tx.db, { ...share, state: 'closed' })
    const reservation = await findReservationForUpdate(tx, share.reservationId)
    if (reservation?.payment?.noShowFee?.state === 'charging')
      await editReservation(tx, { id: reservation.id, payment: withFeeState(reservation.payment, reason) })
  }
  await appendPayment(tx, 'payment.fee_declined', payment, shares, { reason })
  return {}
}

/** Seconds for which a payment link can be used; Stripe closes a Checkout page after 24 hours at most. */
const linkSeconds = 23 * 3_600

/**
 * Requests the no-show fee of a missed visit through a payment page, whose link the customer receives. Refuses while
 * the fee is being charged or a link is open, when nothing is due, and when the amount differs from what is due.
 */
export const sendFeeLink: Operation<ChargeNoShow, Record<never, never>> = async (tx, { reservationId, amount }) => {
  const { reservation, payment } = await requireNoShow(tx, reservationId)
  await requireSame(tx, reservation, amount)
  const expiresAt = tx.now + linkSeconds
  const id = await startLater(tx, reservation, { purpose: 'link', amount, expiresAt })
  await editReservation(tx, { id: reservationId, payment: withFeeState(payment, 'requested') })
  await enqueue(tx, [
    { kind: paymentJobs.sync, key: id, payload: { id } satisfies PaymentJob },
    { kind: paymentJobs.expiry, key: id, runAt: expiresAt, payload: { id } satisfies PaymentJob },
  ])
  return {}
}

type FeePayment = ReservationPayment & Required<Pick<ReservationPayment, 'noShowFee'>>

/**
 * Loads the reservation of a missed visit and locks it with its payments; refuses a reservation that has no no-show fee
 * or whose visit was not missed, and while the fee is being charged or a link to pay it is open.
 */
async function requireNoShow(
  tx: Tx,
  reservationId: string,
): Promise<{ readonly reservation: Reservation; readonly payment: FeePayment }> {
  const { reservation } = await lockPaid(tx, reservationId)
  if (!reservation) throw unknownReservation()
  const { payment, status, attendance } = reservation
  const missed = status === 'confirmed' && attendance.state === 'no_show'
  if (!payment?.noShowFee || !missed) throw refusal('nothing_due')
  const { state } = payment.noShowFee
  if (state === 'charging' || state === 'requested') throw refusal(`fee_${state}`)
  return { reservation, payment: { ...payment, noShowFee: payment.noShowFee } }
}

/** Refuses an amount that differs from what the customer owes for a reservation including the no-show fee. */
async function requireSame(tx: Tx, { payment, ...reservation }: Reservation, amount: number): Promise<void> {
  const claimed = payment && withFeeState(payment, 'charging')
  const { due } = await loadMoney(tx.db, { ...reservation, payment: claimed })
  if (due === 0) throw refusal('nothing_due')
  if (due !== amount) throw wrongFields({ amount: message('amount_too_much', { most: due }) })
}

async function startLater(
  tx: Tx,
  { id: reservationId, customerId, payment: of }: Reservation,
  { purpose, amount, expiresAt }: Pick<Payment, 'purpose' | 'amount' | 'expiresAt'>,
): Promise<string> {
  const id = tx.newId('payment')
  const shares: Share[] = [{ paymentId: id, reservationId, amount, state: 'waiting' }]
  const payment: Payment = {
    ...{ id, customerId, purpose, amount, currency: of?.currency ?? '', expiresAt, createdAt: tx.now },
    ...{ state: 'starting', checkoutId: null, checkoutUrl: null, chargeId: null },
  }
  await insertPayment(tx.db, payment, shares)
  return id
}
