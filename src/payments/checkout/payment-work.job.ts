import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import type { Context } from '../../db/perform/app.ts'
import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { JobResult, JobRun } from '../../jobs/job.ts'
import type { Daybook } from '../../operations.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import type { Payment } from '../payment.ts'
import { listShares } from '../payments.sql.ts'
import { type Charge, type Processor, ProcessorError } from '../processor.ts'

/** The dependencies of the jobs about payments. */
export interface PaymentJobOptions {
  readonly app: Daybook
  /** Returns the processor of the site; undefined when none is connected, or its keys cannot be decrypted. */
  connect(signal: AbortSignal): Promise<Processor | undefined>
  origin(): string
}

/**
 * The maximum number of attempts of a job about a payment: unlimited, because giving up would leave a payment or refund
 * undecided.
 */
export const forever = Number.MAX_SAFE_INTEGER
/** Seconds between the attempts of a job that calls the processor; the last value repeats. */
export const paymentDelays = [5, 10, 20, 40, 60, 120, 300, 600, 900]

/**
 * Runs `work` with the processor. The job is retried later when no processor is connected, its keys cannot be
 * decrypted, or a call fails with a `ProcessorError`.
 */
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

/**
 * The dependencies of work on one payment: those of the jobs about payments, and the processor that `connect` returned.
 */
export interface Advancing extends PaymentJobOptions {
  readonly processor: Processor
}

/** Records that a payment was paid, and books the reservations that it covers or returns their money. */
export async function settle(
  options: PaymentJobOptions,
  { id }: Pick<Payment, 'id'>,
  { chargeId, amount, currency, fee }: Charge,
): Promise<true> {
  const { app } = options
  const charge = { chargeId, amount, currency, fee }
  const { waiting } = resultOf(await app.perform('payments.settle', { id, charge }, paymentsContext(app)))
  await decide(app, id, waiting)
  return true
}

/**
 * Books each of these reservations, or records that its no-show fee was paid, after the payment `id` was paid or its
 * card was saved. When that is refused, a job returns the money, or removes the card once no reservation needs it.
 */
export async function decide(app: Daybook, id: string, reservationIds: readonly string[]): Promise<void> {
  for (const reservationId of reservationIds) {
    const booked = await app.perform('payments.book', { id, reservationId }, paymentsContext(app))
    if ('fault' in booked) throw new Error(booked.message)
    if ('refused' in booked) resultOf(await app.perform('payments.return', { id, reservationId }, paymentsContext(app)))
  }
}

/** Returns the description of a payment for the processor, and the language of the customer or else of the site. */
export async function aboutPayment({ db }: Pick<Daybook, 'db'>, { id, customerId }: Payment) {
  const catalogue = await loadCatalogue(db)
  const [share] = await listShares(db, id)
  const reservation = share && (await findReservation(db, share.reservationId))
  const customer = await findCustomer(db, customerId)
  const service = reservation && catalogue.service(reservation.serviceId)
  const description = [service?.name, catalogue.site.name].filter(Boolean).join(' · ') || 'Daybook'
  return { description: description.slice(0, 200), locale: customer?.language || catalogue.site.language }
}

/** Returns the context of a write by the jobs about payments, with the present time. */
export function paymentsContext(app: Daybook): Context {
  return { ...workerContext('payments'), now: app.now() }
}
