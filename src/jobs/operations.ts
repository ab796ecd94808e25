import type { OperationTable } from '../db/perform/app.ts'
import { claimJobs, renewLeases, settle, startQueue } from './claim.ts'
import { discardJob, retryJob } from './list.ts'
import { resumeOutbound } from './outbound-pause.ts'

/** The writes of a runner, by name. */
export const runnerOperations = {
  'jobs.start': startQueue,
  'jobs.claim': claimJobs,
  'jobs.renew': renewLeases,
  'jobs.settle': settle,
} as const satisfies OperationTable

/** The writes of the queue that users ask for, by name. */
export const queueOperations = {
  'jobs.retry': retryJob,
  'jobs.discard': discardJob,
  'jobs.resume-outbound': resumeOutbound,
} as const satisfies OperationTable

/** The operations that a runner performs. */
export type RunnerOperations = typeof runnerOperations
