import { resultOf } from '../../db/perform/outcome.ts'
import type { Daybook } from '../../operations.ts'
import { listDueHosts } from '../calendars.sql.ts'
import { byWorker } from './sync.job.ts'

/** Enqueues the jobs that read the calendars that are due; writes nothing while none is due. */
export async function queueSyncs(app: Daybook): Promise<void> {
  const now = app.now()
  if ((await listDueHosts(app.db, now)).length === 0) return
  resultOf(await app.perform('calendars.plan', {}, { ...byWorker, now }))
}
