import type { OperationTable } from '../db/perform/app.ts'
import { claimJobs, renewLeases, settle, startQueue } from './claim.ts'
import { type DiscardEffects, discardOperation, retryJob } from './list.ts'
import { resumeOutbound } from './outbound-pause.ts'

/** The operations that a job runner performs, by name. */
export const runnerOperations = {
  'jobs.start': startQueue,
  'jobs.claim': claimJobs,
  'jobs.renew': renewLeases,
  'jobs.settle': settle,
} as const satisfies OperationTable

/** Returns the operations on the job queue that users request, by name. */
export function queueOperations(effects: DiscardEffects) {
  return {
    'jobs.retry': retryJob,
    'jobs.discard': discardOperation(effects),
    'jobs.resume-outbound': resumeOutbound,
  } as const satisfies OperationTable
}

/** The type of the operations that a job runner performs. */
export type RunnerOperations = typeof runnerOperations
