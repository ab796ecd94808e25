import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'

const byWorker = workerContext('backup')

/** Notifies administrators of an overdue backup, unless they were notified recently. */
export async function reportOverdueBackup(app: Daybook): Promise<void> {
  resultOf(await app.perform('backups.watch', {}, { ...byWorker, now: app.now() }))
}
