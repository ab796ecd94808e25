import type { Operation } from '../../db/perform/app.ts'
import { addCounts } from './funnel.sql.ts'
import type { StepCount } from './funnel.ts'

/** Stores counted steps. */
export const storeCounts: Operation<{ readonly counts: readonly StepCount[] }, Record<never, never>> = async (
  tx,
  { counts },
) => {
  // Nodes update the same counters, so the transactions are serialised by a lock to prevent deadlocks.
  await tx.lock(['booking-steps'])
  await addCounts(tx.db, counts)
  return {}
}
