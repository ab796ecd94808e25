import type { Operation, OperationTable } from '../../src/db/perform/app.ts'
import { queueOperations, runnerOperations } from '../../src/jobs/operations.ts'
import { pauseOutbound } from '../../src/jobs/outbound-pause.ts'
import { cancelJobs, enqueue, type NewJob } from '../../src/jobs/queue.ts'
import { refusal } from '../../src/messages/refusal.ts'
import { operations as service } from '../../src/operations.ts'

const enqueueJobs: Operation<{ readonly jobs: readonly NewJob[]; readonly refused?: true }, null> = async (
  tx,
  { jobs, refused },
) => {
  await enqueue(tx, jobs)
  if (refused) throw refusal('slot_full')
  return null
}

const cancel: Operation<{ readonly kind: string; readonly keys: readonly string[] }, null> = async (
  tx,
  { kind, keys },
) => {
  await cancelJobs(tx, kind, keys)
  return null
}

const pause: Operation<Record<never, never>, null> = async (tx) => {
  await pauseOutbound(tx)
  return null
}

/** The operations of the job queue, and further ones that exist only in tests. */
export const operations = {
  ...runnerOperations,
  ...queueOperations({}),
  'site.prepare': service['site.prepare'],
  'test.enqueue': enqueueJobs,
  'test.cancel': cancel,
  'test.pause': pause,
} as const satisfies OperationTable
