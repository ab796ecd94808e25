import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import { type PaymentJobOptions, paymentDelays, repeatedWhenDown } from '../checkout/payment-work.job.ts'
import { disputeJob } from '../payment-jobs.ts'

// Seconds between requests for the state of an undecided dispute. A dispute lasts for weeks, and the event about the
// decision may be lost.
const undecidedSeconds = 86_400

/**
 * Returns the handler of the job that asks the processor for the state of one dispute, repeatedly until it is decided.
 */
export function disputeJobs(options: PaymentJobOptions): JobHandler {
  return {
    ...{
      kind: disputeJob,
      concurrency: 2,
      maxAttempts: Number.MAX_SAFE_INTEGER,
      delays: paymentDelays,
      outbound: true,
    },
    run: (payload, run) => runDispute(options, payload as { readonly id: string }, run),
  }
}

function runDispute(options: PaymentJobOptions, { id }: { readonly id: string }, run: JobRun): Promise<JobResult> {
  return repeatedWhenDown(options, run, async (processor) => {
    const { app } = options
    const context = { ...workerContext('payments'), now: app.now() }
    const progress = await processor.findDispute(id)
    const { undecided } = resultOf(await app.perform('payments.disputes.record', progress, context))
    if (!undecided) return 'done'
    return { retryAt: app.now() + undecidedSeconds, why: 'The bank has not decided about the dispute.' }
  })
}
