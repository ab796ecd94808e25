import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import type { PaymentJobOptions } from '../checkout/payment-work.job.ts'
import { findPayment, findRefund } from '../payments.sql.ts'
import { type Processor, ProcessorError, type RefundProgress } from '../processor.ts'
import { type CancelledReservation, cancellationJob } from './cancellation.operations.ts'
import { type RefundJob, refundJob } from './refunds.operations.ts'

const delays = [5, 20, 60, 300, 900, 3_600]
// Seconds after which the state of a pending refund is requested again. The processor's event about it may be lost.
const pendingSeconds = 21_600
// Half of the 24 hours for which Stripe stores idempotency keys, in seconds. When a refund is older, `Processor.refund`
// first looks for an earlier attempt.
const keySeconds = 43_200

/**
 * Returns the handlers of two kinds of jobs: one refunds a cancelled reservation to vouchers and queues its refunds
 * through the processor, and one makes a single such refund and is repeated until the refund has succeeded or failed.
 */
export function refundJobs(options: PaymentJobOptions): readonly JobHandler[] {
  return [
    {
      ...{ kind: cancellationJob, concurrency: 2, maxAttempts: Number.MAX_SAFE_INTEGER, delays },
      run: async (payload) => {
        const context = { ...workerContext('payments'), now: options.app.now() }
        resultOf(await options.app.perform('payments.refund-cancelled', payload as CancelledReservation, context))
        return 'done'
      },
    },
    {
      ...{ kind: refundJob, concurrency: 2, maxAttempts: Number.MAX_SAFE_INTEGER, delays, outbound: true },
      run: (payload, run) => runRefund(options, payload as RefundJob, run),
    },
  ]
}

async function runRefund(options: PaymentJobOptions, { id }: RefundJob, run: JobRun): Promise<JobResult> {
  const { app, connect } = options
  const refund = await findRefund(app.db, id)
  const payment = refund && (await findPayment(app.db, refund.paymentId))
  if (refund?.state !== 'pending' || !payment?.chargeId) return 'done'
  const processor = await connect(run.signal)
  const delay = delays[Math.min(run.attempt, delays.length) - 1] ?? 3_600
  if (!processor) return { retryAt: app.now() + delay, why: 'No payment processor is connected.' }
  const { amount, currency, processorId, createdAt } = refund
  const old = app.now() - createdAt > keySeconds
  let progress: RefundProgress
  try {
    progress =
      processorId === null
        ? await processor.refund({ refundId: id, chargeId: payment.chargeId, amount, currency, old })
        : await processor.findRefund(processorId)
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error
    // Only the request to make a refund can be refused for good. Reading the state of an existing refund is retried.
    if (error.fault !== 'refused' || processorId !== null)
      return { retryAt: app.now() + delay, why: `${error.fault}: ${error.message}` }
    app.log.warn({ fault: error.message }, 'the payment processor refused a refund')
    progress = { id: '', state: 'failed' }
  }
  if (progress.state === 'pending' && processorId === null) progress = await currentState(processor, progress)
  const context = { ...workerContext('payments'), now: app.now() }
  resultOf(await app.perform('payments.refunds.record', { id, progress }, context))
  if (progress.state !== 'pending') return 'done'
  return { retryAt: app.now() + pendingSeconds, why: 'The bank has not decided about the refund.' }
}

/**
 * Returns the current state of a refund that was just requested, because the response to a repeated request may be that
 * of the first one. If the current state cannot be read, returns the given state, and the job reads the state later.
 */
async function currentState(processor: Processor, requested: RefundProgress): Promise<RefundProgress> {
  try {
    return await processor.findRefund(requested.id)
  } catch (error) {
    if (!(error instanceof ProcessorError)) throw error
    return requested
  }
}
