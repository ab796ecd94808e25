import { resultOf } from '../../db/perform/outcome.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import type { Daybook } from '../../operations.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { chargeFee } from '../cards/charge-fee.job.ts'
import { type Payment, pageExpiresAt } from '../payment.ts'
import { type PaymentJob, paymentJobs } from '../payment-jobs.ts'
import { findPayment, listRefunds, listShares } from '../payments.sql.ts'
import { type CardReference, ProcessorError } from '../processor.ts'
import {
  type Advancing,
  aboutPayment,
  decide,
  forever,
  type PaymentJobOptions,
  paymentDelays,
  paymentsContext,
  repeatedWhenDown,
  settle,
} from './payment-work.job.ts'

/**
 * Returns the handlers of the jobs about one payment at the processor. They open its Checkout page or charge the saved
 * card, read its state, and close the page when the time to pay has ended or nothing needs to be paid any more.
 */
export function checkoutJobs(options: PaymentJobOptions): readonly JobHandler[] {
  const run = async (payload: unknown, job: JobRun) => runPayment(options, payload as PaymentJob, job)
  const shared = { concurrency: 4, maxAttempts: forever, delays: paymentDelays, outbound: true, run } as const
  return [
    { kind: paymentJobs.sync, ...shared },
    { kind: paymentJobs.expiry, ...shared },
  ]
}

function runPayment(options: PaymentJobOptions, payload: PaymentJob, job: JobRun): Promise<JobResult> {
  return repeatedWhenDown(options, job, async (processor, later) =>
    (await advancePayment({ ...options, processor }, payload)) ? 'done' : later('The payment is being decided.'),
  )
}

/**
 * Begins one payment at the processor, or brings it to the state that the processor reports; returns false when the
 * processor must be asked again soon.
 */
async function advancePayment(options: Advancing, { id, close, chargeId }: PaymentJob): Promise<boolean> {
  const { app, processor } = options
  const payment = await findPayment(app.db, id)
  if (!payment) return true
  if (payment.purpose === 'fee' && payment.state !== 'paid') return chargeFee(options, payment, chargeId)
  if (payment.state === 'paid') return finish(options, payment)
  if (payment.state === 'closed' && payment.checkoutId === null) return true
  // The page of a closed payment is closed at the processor as well. If the customer had paid on it before, the payment
  // is settled: its reservations are booked again or their money is returned.
  const abandoned = close === true && !(await isAwaited(app.db, payment))
  const over = abandoned || payment.state === 'closed' || app.now() >= payment.expiresAt
  if (payment.checkoutId === null) return over ? await closed(options, payment) : await begin(options, payment)
  const checkout = over
    ? await processor.closeCheckout(payment.checkoutId)
    : await processor.findCheckout(payment.checkoutId)
  if (checkout.state === 'paid') return settle(options, payment, checkout)
  if (checkout.state === 'saved') return keepCard(options, payment, checkout.card)
  if (checkout.state === 'closed') return closed(options, payment)
  return !over
}

// The cancellation that queued the job may have been undone since.
async function isAwaited(db: Daybook['db'], { id }: Payment): Promise<boolean> {
  const shares = await listShares(db, id)
  const found = await Promise.all(shares.map(({ reservationId }) => findReservation(db, reservationId)))
  return found.some((one) => one?.status === 'pending' && one.awaits === 'payment')
}

/**
 * Opens the processor's page for a payment and stores its address. When the payment was closed in the meantime, the
 * page is closed again; no customer has received its address. Returns false when the processor must be asked again.
 */
async function begin(options: Advancing, payment: Payment): Promise<boolean> {
  const { app, processor } = options
  const { id } = payment
  try {
    const checkout = await processor.openCheckout(await requestOf(options, payment))
    if (checkout.state !== 'open') return false
    const stored = { id, checkoutId: checkout.id, url: checkout.url }
    const { wanted } = resultOf(await app.perform('payments.opened', stored, paymentsContext(app)))
    if (!wanted) await processor.closeCheckout(checkout.id)
    return true
  } catch (error) {
    if (!(error instanceof ProcessorError) || error.fault !== 'refused') throw error
    // The processor refuses the payment for good, such as an amount below its minimum, so it is closed at once.
    app.log.warn({ fault: error.message }, 'the payment processor refused a payment')
    return closed(options, payment, { refused: true })
  }
}

async function closed({ app }: Advancing, { id, checkoutId }: Payment, { refused = false } = {}): Promise<boolean> {
  return resultOf(await app.perform('payments.close', { id, checkoutId, refused }, paymentsContext(app))).closed
}

async function keepCard(options: Advancing, { id }: Payment, card: CardReference): Promise<true> {
  const { app } = options
  const { waiting } = resultOf(await app.perform('payments.cards.save', { id, card }, paymentsContext(app)))
  await decide(app, id, waiting)
  return true
}

/**
 * Completes a payment that is already recorded as paid: books its reservations that are still undecided or returns
 * their money, updates its refunds from the processor, and records the processor's fee once it is known.
 */
async function finish(options: Advancing, payment: Payment): Promise<true> {
  const { app, processor } = options
  const { id } = payment
  const shares = await listShares(app.db, id)
  await decide(
    app,
    id,
    shares.filter(({ state }) => state === 'waiting').map(({ reservationId }) => reservationId),
  )
  for (const { id: refundId, processorId, state } of await listRefunds(app.db, id)) {
    if (processorId === null || state === 'failed') continue
    const progress = await processor.findRefund(processorId)
    resultOf(await app.perform('payments.refunds.record', { id: refundId, progress }, paymentsContext(app)))
  }
  if (payment.purpose === 'fee' && payment.chargeId !== null)
    return settle(options, payment, await processor.findCharge(payment.chargeId))
  if (payment.checkoutId === null || payment.purpose === 'card') return true
  const checkout = await processor.findCheckout(payment.checkoutId)
  return checkout.state === 'paid' ? settle(options, payment, checkout) : true
}

async function requestOf({ app, origin }: Advancing, payment: Payment) {
  const { id, amount, currency } = payment
  const { locale, description } = await aboutPayment(app, payment)
  return {
    paymentId: id,
    savesCard: payment.purpose === 'card',
    amount,
    currency,
    description,
    locale,
    returnUrl: `${origin()}/manage/payment/?back=1&payment=${id}`,
    cancelUrl: `${origin()}/manage/?payment=${id}`,
    expiresAt: pageExpiresAt(payment, app.now()),
  }
}
