import type { Operation } from '../../db/perform/app.ts'
import { addCounts } from './funnel.sql.ts'
import type { StepCount } from './funnel.ts'

/** Adds counted steps of bookings to the stored counters. */
export const storeCounts: Operation<{ readonly counts: readonly StepCount[] }, Record<never, never>> = async (
  tx,
  { counts },
) => {
  // Several processes may update the same counters, so their transactions are serialised by a lock to prevent
  // deadlocks.
  await tx.lock(['booking-steps'])
  await addCounts(tx.db, counts)
  return {}
}
