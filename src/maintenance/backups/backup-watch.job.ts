import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'

const byWorker = workerContext('backup')

/** Notifies administrators of an overdue backup when a notification is due (see `isReportDue`). */
export async function reportOverdueBackup(app: Daybook): Promise<void> {
  resultOf(await app.perform('backups.watch', {}, { ...byWorker, now: app.now() }))
}
