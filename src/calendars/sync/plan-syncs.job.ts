import { resultOf } from '../../db/perform/outcome.ts'
import type { Daybook } from '../../operations.ts'
import { listDueHosts } from '../calendars.sql.ts'
import { listDueDestinations } from '../destinations/destinations.sql.ts'
import { byWorker } from './sync.job.ts'

/**
 * Queues jobs for the calendars that are due: jobs that read connected calendars, and jobs that compare reservations
 * with the calendars to which they are written. Writes nothing when no calendar is due.
 */
export async function queueSyncs(app: Daybook): Promise<void> {
  const now = app.now()
  const due = [await listDueHosts(app.db, now), await listDueDestinations(app.db, now)]
  if (due.every(({ length }) => length === 0)) return
  resultOf(await app.perform('calendars.plan', {}, { ...byWorker, now }))
}
