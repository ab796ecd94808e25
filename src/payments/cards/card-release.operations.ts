import type { Operation, Tx } from '../../db/perform/app.ts'
import type { LoggedEvent } from '../../history/event.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Attendance } from '../../reservations/attendance/attendance.ts'
import type { ReservationPayment } from '../../reservations/payment.ts'
import type { ShownReservation } from '../../reservations/reservation.ts'
import { type PaymentJob, paymentJobs } from '../payment-jobs.ts'
import { listPaymentsOf } from '../payments.sql.ts'
import { isAttended } from './card.ts'
import { findCard, findCardOf, forgetCard, listCardsOfCustomer } from './cards.sql.ts'

/**
 * The kind of the job that removes a saved card at the payment processor once no reservation needs it, or at once when
 * the customer's data was erased (see `CardJob`), except while a no-show fee is being charged to the card.
 */
export const cardJob = 'payment-card'

/**
 * The payload of the job that removes a saved card; `id` is the id of the payment with which the card was saved. With
 * `erased`, the card is removed even if a reservation still needs it, because the customer's data was erased.
 */
export interface CardJob {
  readonly id: string
  readonly erased?: true
}

/**
 * Queues the job that removes the card of a payment at `runAt` or, if a reservation still needs the card then, later.
 */
export async function reviewCardAt(tx: Tx, paymentId: string, runAt: number): Promise<void> {
  await enqueue(tx, [{ kind: cardJob, key: paymentId, runAt, payload: { id: paymentId } satisfies CardJob }])
}

type FullReservation = ShownReservation & {
  readonly attendance?: Pick<Attendance, 'state'>
  readonly payment?: ReservationPayment | null
}

/**
 * Queues the job that removes the card saved for a reservation, after an event that may end the need for the card: the
 * reservation is cancelled, removed or given to another customer, the visit attended, the no-show fee charged, or the
 * card was saved too late.
 */
export async function reviewCard(
  tx: Tx,
  { objectId, object, previous }: Pick<LoggedEvent, 'objectId' | 'object' | 'previous'>,
): Promise<void> {
  const after = object as FullReservation | null
  const fee = after?.payment?.noShowFee?.state
  const attended = isAttended(after?.attendance?.state ?? 'expected')
  const before = previous as FullReservation | null
  const dropped = fee === undefined && before?.payment?.noShowFee !== undefined
  const isOver = after === null || after.status === 'cancelled' || attended || dropped
  if (!isOver && fee !== 'charged' && fee !== 'too_late') return
  if (dropped) await closeLinks(tx, objectId)
  const card = await findCardOf(tx.db, objectId)
  if (card?.removedAt === null) await reviewCardAt(tx, card.paymentId, tx.now)
}

/** Queues the removal of all saved cards of a customer whose data was erased. */
export async function reviewCardsOf(tx: Tx, customerId: string): Promise<void> {
  const ids = await listCardsOfCustomer(tx.db, customerId)
  const payload = (id: string): CardJob => ({ id, erased: true })
  // The key is not the one of `reviewCardAt`, which would replace this job by one that waits until the card is not
  // needed.
  await enqueue(
    tx,
    ids.map((id) => ({ kind: cardJob, key: `${id} erased`, payload: payload(id) })),
  )
}

/**
 * Queues jobs that close the open payment links of a reservation, so that its no-show fee can no longer be paid by a
 * link.
 */
export async function closeLinks(tx: Tx, reservationId: string): Promise<void> {
  const open = (await listPaymentsOf(tx.db, reservationId)).filter(
    ({ purpose, state }) => purpose === 'link' && (state === 'starting' || state === 'open'),
  )
  const payload = (id: string): PaymentJob => ({ id, close: true })
  await enqueue(
    tx,
    open.map(({ id }) => ({ kind: paymentJobs.expiry, key: id, payload: payload(id) })),
  )
}

/** Queues the job that removes a saved card; it runs at `runAt`, when a reservation may no longer need the card. */
export const postponeCard: Operation<{ readonly id: string; readonly runAt: number }, Record<never, never>> = async (
  tx,
  { id, runAt },
) => {
  await reviewCardAt(tx, id, runAt)
  return {}
}

/** Records that a card was removed at the processor; does nothing when this is already recorded. */
export const recordRemovedCard: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await tx.lock([`payment:${id}`])
  const card = await findCard(tx.db, id)
  if (card?.removedAt !== null) return {}
  await forgetCard(tx.db, id, tx.now)
  await tx.append({ type: 'payment.card_removed', objectId: id, object: { id }, previous: null })
  return {}
}
