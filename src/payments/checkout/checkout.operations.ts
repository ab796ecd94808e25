import { lockCatalogue } from '../../catalogue/catalogue.operations.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { dueOnline, paymentRule } from '../../catalogue/services/payment-rule.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import type { EventType, LoggedEvent } from '../../history/event.ts'
import { enqueue } from '../../jobs/queue.ts'
import { distribute } from '../../money.ts'
import { editReservation } from '../../reservations/booking/edit.operations.ts'
import { lockBookingsOf } from '../../reservations/booking/offer.operations.ts'
import { renewSeats } from '../../reservations/occupancy.sql.ts'
import { captured, type ReservationPayment, withFeeUncollected } from '../../reservations/payment.ts'
import type { Reservation, ShownReservation } from '../../reservations/reservation.ts'
import { reservationLocks } from '../../reservations/reservation-locks.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { effectiveAt } from '../../undo/undo-seconds.ts'
import { closeLinks, reviewCard, reviewCardsOf } from '../cards/card-release.operations.ts'
import { loadMoney } from '../desk/desk-payments.sql.ts'
import { post } from '../ledger/ledger.operations.ts'
import { type Payment, type Share, seatGrace } from '../payment.ts'
import { disputeJob, type PaymentJob, paymentJobs } from '../payment-jobs.ts'
import {
  findPayment,
  findPaymentOfCharge,
  insertPayment,
  listPaymentsOf,
  listShares,
  listUnpaid,
  recordEvent,
  updatePayment,
  updateShare,
} from '../payments.sql.ts'
import type { Charge } from '../processor.ts'
import { queueCancellationRefund } from '../refunds/cancellation.operations.ts'
import { findProcessor } from '../settings/payment-settings.sql.ts'

/**
 * The name of the event log's consumer `consumePayments`, which reacts to changed reservations and erased customers.
 */
export const paymentsConsumer = 'payments'

type State = ShownReservation & { readonly awaits?: string; readonly payment?: ReservationPayment | null }

/**
 * Creates the payment of each booking that has begun to wait for one, and queues jobs that close payment pages and
 * remove saved cards that are no longer needed, and that refund cancelled reservations. It runs in the transaction that
 * moves the consumer's position in the event log, so no event creates a second payment.
 */
export async function consumePayments(tx: Tx, events: readonly LoggedEvent[]): Promise<void> {
  for (const event of events) {
    const { type, objectId, object, previous } = event
    if (type === 'customer.erased') await reviewCardsOf(tx, objectId)
    // An erasure removes the content of events, also of those that this consumer has not reached yet.
    const [writtenOff] = type === 'payment.written_off' ? (Object(object).reservationIds ?? []) : []
    if (writtenOff !== undefined) await closeUnowedLinks(tx, String(writtenOff))
    if (!type.startsWith('reservation.')) continue
    const [before, after] = [previous as State | null, object as State | null]
    const waits = after?.status === 'pending' && after.awaits === 'payment'
    // A cancelled reservation retains what it waited for; when the cancellation is undone, it waits again.
    if (waits && (before?.awaits !== 'payment' || before.status === 'cancelled')) await startPayment(tx, objectId)
    await reviewCard(tx, event)
    const isRequested = after?.payment?.noShowFee?.state === 'requested'
    if (type === 'reservation.attendance' || isRequested) await closeUnowedLinks(tx, objectId)
    const over = after === null || after.status === 'cancelled'
    // An event that was erased before it was consumed has no states, but its type.
    const isCancellation = before === null ? type === 'reservation.cancelled' : before.status !== 'cancelled'
    if (!over || !isCancellation) continue
    await abandonPayments(tx, event)
    await queueCancellationRefund(tx, event)
  }
}

// Closes the payment links of a reservation whose no-show fee is no longer owed: it was paid or waived, or the
// reservation is no longer marked as a no-show. The stored reservation decides, not the event, because staff may have
// marked it as a no-show again since the event was appended.
async function closeUnowedLinks(tx: Tx, reservationId: string): Promise<void> {
  const reservation = await findReservation(tx.db, reservationId)
  const isOwed = reservation?.attendance.state === 'no_show' && (await loadMoney(tx.db, reservation)).due > 0
  if (!isOwed) await closeLinks(tx, reservationId)
}

async function startPayment(tx: Tx, reservationId: string): Promise<void> {
  // On a site with vouchers or earlier payments, the consumer runs without a processor as well.
  if (!(await findProcessor(tx.db))) return
  const catalogue = await lockCatalogue(tx)
  const first = await findReservation(tx.db, reservationId)
  if (!first) return
  const ids = await listUnpaid(tx.db, first)
  await tx.lock(reservationLocks([...new Set([reservationId, ...ids])]))
  await resumePayment(tx, reservationId)
  const id = tx.newId('payment')
  const shares: Share[] = []
  let due: { readonly expiresAt: number; readonly currency: string; readonly purpose: 'pay' | 'card' } | undefined
  for (const one of ids) {
    const reservation = await findReservation(tx.db, one)
    const service = reservation && catalogue.service(reservation.serviceId)
    if (!service || reservation.awaits !== 'payment' || !reservation.payment || !reservation.expiresAt) continue
    const { payment, expiresAt } = reservation
    const fee = payment.noShowFee?.amount
    const online = dueOnline(paymentRule(service.settings), payment, payment.method)
    // An amount that a voucher has paid reduces the amount to be paid online.
    const amount = fee ?? Math.max(0, online - captured(payment))
    due ??= { expiresAt, currency: payment.currency, purpose: fee === undefined ? 'pay' : 'card' }
    shares.push({ paymentId: id, reservationId: reservation.id, amount, state: 'waiting' })
    await renewSeats(tx.db, { reservationId: reservation.id, expiresAt: expiresAt + seatGrace }, tx.now)
  }
  const amount = shares.reduce((sum, share) => sum + share.amount, 0)
  if (!due || amount === 0) return
  const own = { id, customerId: first.customerId, amount, ...due, createdAt: tx.now }
  const payment: Payment = { ...own, state: 'starting', checkoutId: null, checkoutUrl: null, chargeId: null }
  await insertPayment(tx.db, payment, shares)
  await enqueue(tx, [
    { kind: paymentJobs.sync, key: id, payload: { id } satisfies PaymentJob },
    { kind: paymentJobs.expiry, key: id, runAt: payment.expiresAt, payload: { id } satisfies PaymentJob },
  ])
}

// A reservation that waits again, such as after the undo of its cancellation, may have a payment that is still open.
// The job that would close its page is replaced by one at the end of the time to pay.
async function resumePayment(tx: Tx, reservationId: string): Promise<void> {
  const reservation = await findReservation(tx.db, reservationId)
  const open = (await listPaymentsOf(tx.db, reservationId)).filter(isOpenPage)
  if (reservation?.awaits !== 'payment' || !reservation.expiresAt || open.length === 0) return
  await renewSeats(tx.db, { reservationId, expiresAt: reservation.expiresAt + seatGrace }, tx.now)
  const jobs = open.map(({ id, expiresAt }) => {
    const payload: PaymentJob = { id }
    return { kind: paymentJobs.expiry, key: id, runAt: expiresAt, payload }
  })
  await enqueue(tx, jobs)
}

// The page stays open for as long as a user may undo the cancellation. A payment in that time is returned.
async function abandonPayments(tx: Tx, event: LoggedEvent): Promise<void> {
  for (const payment of await listPaymentsOf(tx.db, event.objectId)) {
    if (!isOpenPage(payment)) continue
    const { id } = payment
    const shares = await listShares(tx.db, id)
    const found = await Promise.all(shares.map((share) => findReservation(tx.db, share.reservationId)))
    if (found.some((one) => one !== undefined && one.status !== 'cancelled')) continue
    const payload: PaymentJob = { id, close: true }
    await enqueue(tx, [{ kind: paymentJobs.expiry, key: id, runAt: effectiveAt(event), payload }])
  }
}

function isOpenPage({ state, purpose }: Payment): boolean {
  return (state === 'starting' || state === 'open') && purpose !== 'fee'
}

/** The input of `openPayment`: the id of a payment, with the id and the URL of its page at the processor. */
export interface OpenPayment {
  readonly id: string
  readonly checkoutId: string
  readonly url: string
}

/**
 * Stores the id and the URL of the processor's page of a payment that has none; `wanted` is false when the payment has
 * another page, or was closed or paid without one.
 */
export const openPayment: Operation<OpenPayment, { readonly wanted: boolean }> = async (
  tx,
  { id, checkoutId, url },
) => {
  const payment = await lockPayment(tx, id)
  if (payment?.state === 'starting')
    await updatePayment(tx.db, { ...payment, state: 'open', checkoutId, checkoutUrl: url }, tx.now)
  return { wanted: payment?.state === 'starting' || payment?.checkoutId === checkoutId }
}

/** The input of `settlePayment`: the id of a payment, and the charge that paid it. */
export interface SettlePayment {
  readonly id: string
  readonly charge: Charge
}

/**
 * Records that a payment was paid, and returns the ids of the reservations that must now be either booked or refunded;
 * repeated calls record only the processor's fee, once it is known. A payment that was already closed is recorded as
 * paid as well, because the processor has the money.
 */
export const settlePayment: Operation<SettlePayment, { readonly waiting: readonly string[] }> = async (tx, input) => {
  const { id, charge } = input
  const payment = await lockPayment(tx, id)
  if (!payment) return { waiting: [] }
  const shares = payment.state === 'paid' ? await listShares(tx.db, id) : await recordCharge(tx, payment, charge)
  const fee = { amount: charge.fee ?? 0, currency: charge.currency }
  await post(tx, [{ kind: 'fee', cause: id, paymentId: id, ...fee }])
  return { waiting: shares.filter(({ state }) => state === 'waiting').map(({ reservationId }) => reservationId) }
}

async function recordCharge(tx: Tx, payment: Payment, charge: Charge): Promise<Share[]> {
  const { id } = payment
  const { amount, currency, chargeId } = charge
  const shares = await listShares(tx.db, id)
  // Normally the processor charges the requested amount. If the charged amount differs, the ledger and the payment's
  // shares (one part for each reservation) record the charged amount.
  const parts = distribute(
    amount,
    shares.map((share) => share.amount),
  )
  const paid: Share[] = shares.map((share, at) => ({ ...share, amount: parts[at] ?? 0, state: 'waiting' }))
  for (const share of paid) {
    await updateShare(tx.db, share)
    const { reservationId } = share
    const fact = { kind: 'charge', cause: `${id}/${reservationId}`, paymentId: id, reservationId } as const
    await post(tx, [{ ...fact, amount: share.amount, currency }])
  }
  await updatePayment(tx.db, { ...payment, state: 'paid', chargeId }, tx.now)
  await appendPayment(tx, 'payment.paid', { ...payment, amount, currency }, paid)
  return paid
}

/** The input of `closePayment`: the id of a payment that can no longer be paid, with the id of its page. */
export interface ClosePayment {
  readonly id: string
  /** The id of the page that can no longer be paid; null when no page was opened. */
  readonly checkoutId: string | null
  /** Whether the processor refused the payment for good. */
  readonly refused: boolean
}

/**
 * Records that a payment can no longer be paid. The reservations that still wait for it are cancelled if the time to
 * pay has ended or the processor refused the payment. Otherwise they get another payment, for example because the
 * cancellation that made the page close was undone in the meantime. A no-show fee that was requested by a link is
 * marked as declined. `closed` is false when a page was stored in the meantime, which must be closed at the processor
 * first.
 */
export const closePayment: Operation<ClosePayment, { readonly closed: boolean }> = async (tx, input) => {
  const { id, checkoutId, refused } = input
  const payment = await lockPayment(tx, id)
  if (payment?.state !== 'starting' && payment?.state !== 'open') return { closed: true }
  if (payment.checkoutId !== checkoutId) return { closed: false }
  const shares = await listShares(tx.db, id)
  const ids = shares.map(({ reservationId }) => reservationId)
  const catalogue = await lockCatalogue(tx)
  await tx.lock(reservationLocks(ids))
  await updatePayment(tx.db, { ...payment, state: 'closed' }, tx.now)
  for (const share of shares) await updateShare(tx.db, { ...share, state: 'closed' })
  const isOver = refused || payment.expiresAt <= tx.now
  if (isOver && payment.purpose !== 'link') await cancelUnpaid(tx, catalogue, ids)
  else {
    // `startPayment` passes over reservations that are cancelled or no longer wait for a payment.
    const follow = payment.purpose === 'link' ? withdrawLink : startPayment
    for (const one of ids) await follow(tx, one)
  }
  await appendPayment(tx, 'payment.expired', payment, shares)
  return { closed: true }
}

async function withdrawLink(tx: Tx, reservationId: string): Promise<void> {
  const reservation = await findReservation(tx.db, reservationId)
  if (reservation?.payment?.noShowFee?.state === 'requested')
    await editReservation(tx, { id: reservationId, payment: withFeeUncollected(reservation.payment) })
}

/** Cancels those of the reservations that still wait for their payment; the caller must have locked them. */
async function cancelUnpaid(tx: Tx, catalogue: Catalogue, ids: readonly string[]): Promise<void> {
  const unpaid: Reservation[] = []
  for (const id of ids) {
    const found = await findReservation(tx.db, id)
    if (found?.status === 'pending' && found.awaits === 'payment') unpaid.push(found)
  }
  await lockBookingsOf(tx, catalogue, unpaid)
  for (const { id } of unpaid) await editReservation(tx, { id, status: 'cancelled' })
}

/**
 * The input of `receiveEvent`: a signed event of the processor, and the payment, charge or dispute that it concerns.
 */
export interface ReceiveEvent {
  readonly eventId: string
  readonly type: string
  readonly paymentId: string | null
  readonly chargeId: string | null
  /** The id of the dispute that the event concerns; null for other events. */
  readonly disputeId: string | null
}

/**
 * Records an event of the processor and, if it concerns a known payment, queues a job that asks the processor for the
 * state of the payment or dispute. Duplicated, late and reordered events are harmless, because only the processor's
 * answer is applied, never the content of the event.
 */
export const receiveEvent: Operation<ReceiveEvent, Record<never, never>> = async (tx, input) => {
  const { eventId, type, paymentId, chargeId, disputeId } = input
  if (!(await recordEvent(tx.db, { id: eventId, type, now: tx.now }))) return {}
  const named = paymentId === null ? undefined : await findPayment(tx.db, paymentId)
  const payment = named ?? (chargeId === null ? undefined : await findPaymentOfCharge(tx.db, chargeId))
  if (payment && disputeId !== null)
    await enqueue(tx, [{ kind: disputeJob, key: disputeId, payload: { id: disputeId } }])
  else if (payment) {
    const payload: PaymentJob = { id: payment.id, ...(chargeId !== null && { chargeId }) }
    await enqueue(tx, [{ kind: paymentJobs.sync, key: payment.id, payload }])
  }
  return {}
}

/**
 * Queues jobs that ask the processor for the state of a reservation's open payments, when the customer returns from the
 * processor's page or opens the page for paying after the time to pay has ended.
 */
export const checkPayments: Operation<{ readonly reservationId: string }, Record<never, never>> = async (
  tx,
  { reservationId },
) => {
  const open = (await listPaymentsOf(tx.db, reservationId)).filter(
    ({ state }) => state === 'starting' || state === 'open',
  )
  await enqueue(
    tx,
    open.map(({ id }) => ({ kind: paymentJobs.sync, key: id, payload: { id } })),
  )
  return {}
}

/** Loads a payment, locked until the transaction ends; undefined for an unknown id. */
export async function lockPayment(tx: Tx, id: string): Promise<Payment | undefined> {
  await tx.lock([`payment:${id}`])
  return findPayment(tx.db, id)
}

/** Appends an event about a payment and the reservations that it covers to the event log. */
export async function appendPayment(
  tx: Tx,
  type: Extract<EventType, `payment.${string}`>,
  { id, amount, currency }: Pick<Payment, 'id' | 'amount' | 'currency'>,
  shares: readonly Pick<Share, 'reservationId'>[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const reservationIds = shares.map(({ reservationId }) => reservationId)
  await tx.append({ type, objectId: id, object: { id, amount, currency, reservationIds, ...more }, previous: null })
}
