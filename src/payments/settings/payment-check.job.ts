import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job.ts'
import type { PaymentJobOptions } from '../checkout/payment-work.job.ts'
import { type Processor, ProcessorError } from '../processor.ts'
import { checkJob, type RecordCheck } from './payment-settings.operations.ts'
import { findProcessor } from './payment-settings.sql.ts'

/** Returns the handler of the job that asks the processor whether it accepts the keys of the site. */
export function paymentCheckJob(options: PaymentJobOptions): JobHandler {
  return {
    ...{ kind: checkJob, concurrency: 1, maxAttempts: 3, outbound: true },
    run: (_, run) => runCheck(options, run),
  }
}

async function runCheck({ app, connect }: PaymentJobOptions, { signal }: JobRun): Promise<JobResult> {
  const stored = await findProcessor(app.db)
  if (!stored) return 'done'
  const processor = await connect(signal)
  const found = processor ? await accountOf(processor) : { account: '', fault: 'no_key' }
  const context = { ...workerContext('payments'), now: app.now() }
  resultOf(await app.perform('payments.checked', { sealed: stored.sealed, ...found }, context))
  return 'done'
}

async function accountOf(processor: Processor): Promise<Omit<RecordCheck, 'sealed'>> {
  try {
    return { account: await processor.account(), fault: '' }
  } catch (error) {
    if (error instanceof ProcessorError) return { account: '', fault: error.fault }
    throw error
  }
}
