import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { Context } from '../../db/perform/app.ts'
import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import type { Daybook } from '../../operations.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { type Payment, pageExpiresAt } from '../payment.ts'
import { findPayment, listRefunds, listShares } from '../payments.sql.ts'
import { type Checkout, type Processor, ProcessorError } from '../processor.ts'
import { type PaymentJob, paymentJobs } from './checkout.operations.ts'

/** What the jobs of payments need. */
export interface PaymentJobOptions {
  readonly app: Daybook
  /** Opens the processor of the site; undefined when none is connected, or its keys cannot be decrypted. */
  connect(signal: AbortSignal): Promise<Processor | undefined>
  origin(): string
}

// Money must not be forgotten: a job about a payment is never parked.
const forever = Number.MAX_SAFE_INTEGER
/** Seconds before the processor is asked again that did not answer. */
export const paymentDelays = [5, 10, 20, 40, 60, 120, 300, 600, 900]

/** The jobs that ask the processor about one payment: open its page, look at it, and close it when the time has ended. */
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

/** Runs work with the processor, and has the job repeated when the processor cannot be reached or refuses. */
export async function repeatedWhenDown(
  { app, connect }: PaymentJobOptions,
  job: JobRun,
  work: (processor: Processor, later: (why: string) => JobResult) => Promise<JobResult>,
): Promise<JobResult> {
  const processor = await connect(job.signal)
  const delay = paymentDelays[Math.min(job.attempt, paymentDelays.length) - 1] ?? 900
  const later = (why: string): JobResult => ({ retryAt: app.now() + delay, why })
  if (!processor) return later('No payment processor is connected, or its keys cannot be decrypted.')
  try {
    return await work(processor, later)
  } catch (error) {
    if (error instanceof ProcessorError) return later(`${error.fault}: ${error.message}`)
    throw error
  }
}

interface Advancing extends PaymentJobOptions {
  readonly processor: Processor
}

/** Brings one payment to the state that the processor reports; false when it must be asked again soon. */
async function advancePayment(options: Advancing, { id, close }: PaymentJob): Promise<boolean> {
  const { app, processor } = options
  const payment = await findPayment(app.db, id)
  if (!payment) return true
  if (payment.state === 'paid') return finish(options, payment)
  if (payment.state === 'closed' && payment.checkoutId === null) return true
  // A page that was closed takes no money; if one ever did, the money goes back.
  const over = close === true || payment.state === 'closed' || app.now() >= payment.expiresAt
  if (payment.checkoutId === null) return over ? await closed(options, payment) : await begin(options, payment)
  const checkout = over
    ? await processor.closeCheckout(payment.checkoutId)
    : await processor.findCheckout(payment.checkoutId)
  if (checkout.state === 'paid') return settle(options, payment, checkout)
  if (checkout.state === 'closed') return closed(options, payment)
  return !over
}

/**
 * Opens the processor's page for a payment and stores its address. When the payment was closed in the meantime, the page is
 * closed again; no customer has received its address.
 */
async function begin(options: Advancing, payment: Payment): Promise<boolean> {
  const { app, processor } = options
  const { id } = payment
  try {
    const checkout = await processor.openCheckout(await requestOf(options, payment))
    if (checkout.state !== 'open') return false
    const stored = { id, checkoutId: checkout.id, url: checkout.url }
    const { wanted } = resultOf(await app.perform('payments.opened', stored, contextOf(app)))
    if (!wanted) await processor.closeCheckout(checkout.id)
    return true
  } catch (error) {
    if (!(error instanceof ProcessorError) || error.fault !== 'refused') throw error
    // The processor will not take this payment, such as an amount below its least, so the seat is given back at once.
    app.log.warn({ fault: error.message }, 'the payment processor refused a payment')
    return closed(options, payment)
  }
}

async function closed({ app }: Advancing, { id, checkoutId }: Payment): Promise<boolean> {
  return resultOf(await app.perform('payments.close', { id, checkoutId }, contextOf(app))).closed
}

async function settle(
  options: Advancing,
  { id }: Payment,
  { chargeId, amount, currency, fee }: Extract<Checkout, { state: 'paid' }>,
): Promise<true> {
  const { app } = options
  const charge = { chargeId, amount, currency, fee }
  const { waiting } = resultOf(await app.perform('payments.settle', { id, charge }, contextOf(app)))
  await decide(app, id, waiting)
  return true
}

/** Completes a payment that is known to be paid: undecided shares, the fee, and refunds that the processor still works on. */
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
    resultOf(await app.perform('payments.refunds.record', { id: refundId, progress }, contextOf(app)))
  }
  if (payment.checkoutId === null) return true
  const checkout = await processor.findCheckout(payment.checkoutId)
  return checkout.state === 'paid' ? settle(options, payment, checkout) : true
}

/** Books each reservation that was paid, or gives its money back. */
async function decide(app: Daybook, id: string, reservationIds: readonly string[]): Promise<void> {
  for (const reservationId of reservationIds) {
    const booked = await app.perform('payments.book', { id, reservationId }, contextOf(app))
    if ('fault' in booked) throw new Error(booked.message)
    if ('refused' in booked) resultOf(await app.perform('payments.return', { id, reservationId }, contextOf(app)))
  }
}

async function requestOf({ app, origin }: Advancing, payment: Payment) {
  const { id, customerId, amount, currency } = payment
  const catalogue = await loadCatalogue(app.db)
  const [share] = await listShares(app.db, id)
  const reservation = share && (await findReservation(app.db, share.reservationId))
  const customer = await findCustomer(app.db, customerId)
  const service = reservation && catalogue.service(reservation.serviceId)
  const description = [service?.name, catalogue.site.name].filter(Boolean).join(' · ') || 'Daybook'
  return {
    paymentId: id,
    amount,
    currency,
    description: description.slice(0, 200),
    locale: customer?.language || catalogue.site.language,
    returnUrl: `${origin()}/manage/payment/?back=1`,
    cancelUrl: `${origin()}/manage/`,
    expiresAt: pageExpiresAt(payment, app.now()),
  }
}

function contextOf(app: Daybook): Context {
  return { ...workerContext('payments'), now: app.now() }
}
