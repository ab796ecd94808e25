import type { Operation, Tx } from '../../db/perform/app.ts'
import type { LoggedEvent } from '../../history/event.ts'
import { enqueue } from '../../jobs/queue.ts'
import { type PaymentJob, paymentJobs } from '../payment-jobs.ts'
import { listPaymentsOf } from '../payments.sql.ts'
import { findCard, findCardOf, forgetCard, listCardsOfCustomer } from './cards.sql.ts'

/** The kind of the job that removes a card at the processor once it is no longer needed. */
export const cardJob = 'payment-card'

/** The payload of the job about the card of one payment; with `erased`, the card is removed whatever it is needed for. */
export interface CardJob {
  readonly id: string
  readonly erased?: true
}

/** Has a job look at an instant whether the card of a payment is still needed. */
export async function reviewCardAt(tx: Tx, paymentId: string, runAt: number): Promise<void> {
  await enqueue(tx, [{ kind: cardJob, key: paymentId, runAt, payload: { id: paymentId } satisfies CardJob }])
}

/** Has a job look whether the card of a reservation is still needed, when a change may have ended that. */
export async function reviewCard(tx: Tx, { objectId, object, type }: LoggedEvent): Promise<void> {
  const ends = type === 'reservation.attendance' || type === 'reservation.updated'
  if (!ends && object !== null && object.status !== 'cancelled') return
  const card = await findCardOf(tx.db, objectId)
  if (card?.removedAt === null) await reviewCardAt(tx, card.paymentId, tx.now)
}

/** Has the cards of a customer removed who was erased. */
export async function reviewCardsOf(tx: Tx, customerId: string): Promise<void> {
  const ids = await listCardsOfCustomer(tx.db, customerId)
  const payload = (id: string): CardJob => ({ id, erased: true })
  await enqueue(
    tx,
    ids.map((id) => ({ kind: cardJob, key: id, payload: payload(id) })),
  )
}

/** Closes the links of a reservation by which its fee could still be paid. */
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

/** Records that a card was removed at the processor, once. */
export const recordRemovedCard: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await tx.lock([`payment:${id}`])
  const card = await findCard(tx.db, id)
  if (card?.removedAt !== null) return {}
  await forgetCard(tx.db, id, tx.now)
  await tx.append({ type: 'payment.card_removed', objectId: id, object: { id }, previous: null })
  return {}
}
