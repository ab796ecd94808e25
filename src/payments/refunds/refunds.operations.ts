import { lockCatalogue } from '../../catalogue/catalogue.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { enqueue } from '../../jobs/queue.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { findReservationForUpdate } from '../../reservations/booking/reservations.operations.ts'
import { withPaid } from '../../reservations/payment.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { post } from '../ledger/ledger.operations.ts'
import type { Refund } from '../payment.ts'
import { findPayment, findRefund, insertRefund, listPaymentsOf, updateRefund } from '../payments.sql.ts'
import type { RefundProgress } from '../processor.ts'

/** The kind of the job that makes one refund. */
export const refundJob = 'payment-refund'

/** The payload of the job that makes one refund: the id of the refund. */
export interface RefundJob {
  readonly id: string
}

/** Returns the refusal of an amount that is more than `most`. */
export function amountTooMuch(most: number): Refusal {
  const because = message('amount_too_much', { most })
  return new Refusal({ code: 'invalid_parameter', message: because, details: { amount: because } })
}

/**
 * Locks the payments of a reservation, the catalogue and then the reservation, in the order in which jobs lock them;
 * the returned reservation is undefined for an unknown id.
 */
export async function lockPaid(
  tx: Tx,
  reservationId: string,
): Promise<{ readonly catalogue: Catalogue; readonly reservation: Reservation | undefined }> {
  const payments = await listPaymentsOf(tx.db, reservationId)
  await tx.lock(payments.map(({ id }) => `payment:${id}`))
  const catalogue = await lockCatalogue(tx)
  return { catalogue, reservation: await findReservationForUpdate(tx, reservationId) }
}

/**
 * Stores a refund of a payment and queues its job. The caller must have recorded the refunded amount in the
 * reservation, if the reservation still exists, and must hold the payment's lock.
 */
export async function beginRefund(
  tx: Tx,
  of: Pick<Refund, 'paymentId' | 'reservationId' | 'amount' | 'currency' | 'reason'>,
): Promise<void> {
  const { paymentId, reservationId, amount, currency, reason } = of
  const id = tx.newId('refund')
  const refund: Refund = {
    ...{ id, paymentId, reservationId, amount, currency, reason },
    ...{ state: 'pending', processorId: null, createdAt: tx.now },
  }
  await insertRefund(tx.db, refund)
  await enqueue(tx, [{ kind: refundJob, key: id, payload: { id } satisfies RefundJob }])
}

/** The input of `recordRefund`: the id of a refund, and its state at the processor. */
export interface RecordRefund {
  readonly id: string
  readonly progress: RefundProgress
}

/**
 * Records the state that the processor reports for a refund, also in the books. If the refund failed, its amount is
 * subtracted from the refunded amount of the reservation, to which it was added when the refund began. Ignores
 * `pending` for a refund that has succeeded.
 */
export const recordRefund: Operation<RecordRefund, Record<never, never>> = async (tx, { id, progress }) => {
  const known = await findRefund(tx.db, id)
  if (!known) return {}
  await tx.lock([`payment:${known.paymentId}`])
  const refund = await findRefund(tx.db, id)
  if (!refund || refund.state === 'failed') return {}
  const { paymentId, reservationId, amount, currency, processorId, state } = refund
  if (processorId === progress.id && state === progress.state) return {}
  // A job may have asked the processor before the refund succeeded, and record the response only afterwards.
  if (state === 'succeeded' && progress.state === 'pending') return {}
  const fact = { cause: id, paymentId, reservationId, amount, currency }
  const failed = progress.state === 'failed'
  // The reservation is locked before the counter of the receipt numbers, which is locked last to prevent deadlocks.
  if (failed) await takeBack(tx, refund)
  // A refund that was refused, or failed at once, has moved no money, so nothing is posted.
  if (!failed || processorId !== null) await post(tx, [{ ...fact, kind: 'refund' }])
  if (failed && processorId !== null) await post(tx, [{ ...fact, kind: 'refund_failed' }])
  await updateRefund(tx.db, { ...refund, state: progress.state, processorId: progress.id }, tx.now)
  const payment = await findPayment(tx.db, paymentId)
  if (payment && progress.state !== 'pending')
    await tx.append({
      type: failed ? 'payment.refund_failed' : 'payment.refunded',
      objectId: paymentId,
      object: { id: paymentId, amount, currency, reservationIds: [reservationId] },
      previous: null,
    })
  return {}
}

async function takeBack(tx: Tx, { reservationId, amount }: Refund): Promise<void> {
  const reservation = await findReservationForUpdate(tx, reservationId)
  if (reservation?.payment)
    await editReservation(tx, { id: reservationId, payment: withPaid(reservation.payment, { refunded: -amount }) })
}
