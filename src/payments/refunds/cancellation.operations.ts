import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { paymentRule, refundPercent } from '../../catalogue/services/payment-rule.ts'
import type { Database } from '../../db/database.ts'
import { findEventBefore, findEventOf, parseSeq } from '../../db/log/event-log.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import type { Actor, LoggedEvent } from '../../history/event.ts'
import { enqueue } from '../../jobs/queue.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { captured, withPaid } from '../../reservations/payment.ts'
import {
  type CancellationRefund,
  isAwaiting,
  type Reservation,
  type ShownReservation,
} from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { effectiveAt } from '../../undo/undo-seconds.ts'
import { listRefundable } from '../payments.sql.ts'
import { returnToVouchers } from '../vouchers/redemption.operations.ts'
import { findPaidByVoucher } from '../vouchers/vouchers.sql.ts'
import { splitCancellation, sumOfParts } from './cancellation.ts'
import { beginRefund, lockPaid } from './refunds.operations.ts'

/** The kind of the job that refunds a cancelled reservation. */
export const cancellationJob = 'payment-cancellation'

/** The input of `refundCancelled`, and the payload of the job of the kind `cancellationJob`. */
export interface CancelledReservation {
  readonly reservationId: string
  /** Seconds between the cancellation and the start of the reservation. */
  readonly notice: number
  readonly refund: CancellationRefund
}

/** What the cancellation of one or more reservations would refund in one currency, in its smallest unit. */
export interface CancellationPreview {
  readonly currency: string
  /**
   * The amount to refund by the cancellation rules of the services; the full amount for a booking that still waits for
   * the customer, and for a pending one that staff decline.
   */
  readonly rule: number
  /** The total that can be refunded to vouchers and through the processor, whatever the cancellation rules say. */
  readonly all: number
}

/**
 * Returns what cancelling these reservations now would refund, for each currency in which something can be refunded.
 * `by` says who cancels them.
 */
export async function previewCancellations(
  db: Database,
  ids: readonly string[],
  { now, by }: { readonly now: number; readonly by: Actor['kind'] },
): Promise<CancellationPreview[]> {
  const catalogue = await loadCatalogue(db)
  const previews = new Map<string, CancellationPreview>()
  for (const id of ids) {
    const reservation = await findReservation(db, id)
    if (!reservation?.payment || reservation.status === 'cancelled') continue
    const { currency } = reservation.payment
    const parts = await listRefundable(db, id)
    const before = previews.get(currency) ?? { currency, rule: 0, all: 0 }
    const voucher = await findPaidByVoucher(db, id)
    const refunded = (percent: number) => {
      const split = splitCancellation(parts, voucher, percent)
      return split.voucher + sumOfParts(split.parts)
    }
    const isInFull = isAwaiting(reservation) || isDeclined(reservation, by)
    const rule = refunded(isInFull ? 100 : percentByRule(catalogue, reservation, reservation.start - now))
    previews.set(currency, { currency, rule: before.rule + rule, all: before.all + refunded(100) })
  }
  return [...previews.values()].filter(({ all }) => all > 0)
}

function percentByRule(catalogue: Catalogue, { serviceId }: Pick<Reservation, 'serviceId'>, notice: number): number {
  const service = catalogue.service(serviceId)
  return service ? refundPercent(paymentRule(service.settings), notice) : 0
}

/**
 * Whether a cancellation declines a request, which is refunded in full unless staff choose otherwise: the cancellation
 * rule is for customers who withdraw.
 */
function isDeclined({ status }: Pick<ShownReservation, 'status'>, by: Actor['kind']): boolean {
  return status === 'pending' && by !== 'customer'
}

type Logged = ShownReservation & { readonly refund?: CancellationRefund; readonly awaits?: string }

/**
 * Queues the refund of a cancelled reservation, delayed by `undoSeconds` when a user cancelled it. The undo of a
 * restoration refunds what the cancellation that the restoration had lifted would have refunded. Does nothing when
 * nothing was paid, when everything was refunded, and when the reservation was removed.
 */
export async function queueCancellationRefund(tx: Tx, event: LoggedEvent): Promise<void> {
  const { objectId } = event
  const terms = await findRefundTerms(tx.db, event)
  if (!terms) return
  const payload: CancelledReservation = { reservationId: objectId, ...terms }
  await enqueue(tx, [{ kind: cancellationJob, key: objectId, runAt: effectiveAt(event), payload }])
}

type RefundTerms = Pick<CancelledReservation, 'notice' | 'refund'>

async function findRefundTerms(db: Database, event: LoggedEvent): Promise<RefundTerms | undefined> {
  const { object, previous } = event
  if (object === null && previous === null) return termsOfErased(db, event)
  const before = previous as Logged | null
  if (object === null || before === null || !('payment' in before) || captured(before.payment ?? null) <= 0) return
  return refundTerms(await findDecidingCancellation(db, event)) ?? refundTerms(event)
}

/**
 * Returns what a cancellation refunds whose event was erased with the customer's data before it was consumed: what a
 * customer who withdraws gets or, for a booking that still waited, everything. The rule also decides for a request that
 * staff declined and in place of the choice of staff, because the event no longer has them.
 */
async function termsOfErased(db: Database, { objectId, createdAt }: LoggedEvent): Promise<RefundTerms | undefined> {
  const reservation = await findReservation(db, objectId)
  if (reservation?.status !== 'cancelled' || captured(reservation.payment) <= 0) return undefined
  return { notice: reservation.start - createdAt, refund: reservation.awaits === null ? 'rule' : 'all' }
}

/** Returns what a cancellation refunds; undefined when its event was erased. */
function refundTerms({ object, previous, createdAt, actor }: LoggedEvent): RefundTerms | undefined {
  const [before, after] = [previous as Logged | null, object as Logged | null]
  if (after === null || before === null) return undefined
  return {
    notice: before.start - createdAt,
    // What a voucher paid for a booking that still waited is refunded in full.
    refund: isAwaiting(before) ? 'all' : (after.refund ?? (isDeclined(before, actor.kind) ? 'all' : 'rule')),
  }
}

/**
 * Returns the cancellation that decides what is refunded: `event` itself or, when it undid a restoration, the
 * cancellation that the restoration had lifted.
 */
async function findDecidingCancellation(db: Database, event: LoggedEvent): Promise<LoggedEvent> {
  const { objectId, undid } = event
  const undone = undid && (await findEventOf(db, { kind: 'reservation', objectId, id: undid }))
  const before = undone && undone.type === 'reservation.restored' ? parseSeq(undone.seq) : undefined
  const lifted = before && (await findEventBefore(db, { type: 'reservation.cancelled', objectId, before }))
  return lifted ? findDecidingCancellation(db, lifted) : event
}

/**
 * Refunds a cancelled reservation by the service's cancellation rule (`rule`), in full (`all`), or not at all, as
 * `refund` specifies: to vouchers first, then through the processor. Deducts earlier refunds. Refunds nothing when the
 * reservation was restored in the meantime.
 */
export const refundCancelled: Operation<CancelledReservation, Record<never, never>> = async (tx, input) => {
  const { reservationId, notice, refund } = input
  const { catalogue, reservation } = await lockPaid(tx, reservationId)
  if (reservation?.status !== 'cancelled' || !reservation.payment) return {}
  const percent = { all: 100, none: 0, rule: percentByRule(catalogue, reservation, notice) }[refund]
  const voucher = await findPaidByVoucher(tx.db, reservationId)
  const split = splitCancellation(await listRefundable(tx.db, reservationId), voucher, percent)
  const { parts } = split
  if (parts.length === 0 && split.voucher === 0) return {}
  const payment = withPaid(reservation.payment, { refunded: split.voucher + sumOfParts(parts) })
  await editReservation(tx, { id: reservationId, payment })
  for (const part of parts) await beginRefund(tx, { ...part, reservationId, reason: 'cancelled' })
  const { currency } = payment
  if (split.voucher > 0) await returnToVouchers(tx, { reservationId, amount: split.voucher, currency })
  return {}
}
