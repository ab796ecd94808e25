import { resultOf } from '../../db/perform/outcome.ts'
import type { Daybook } from '../../operations.ts'

const byWorker = { actor: { kind: 'worker', id: 'backup' }, requestId: null, dryRun: false, idempotency: null } as const

/** Tells administrators of an overdue backup, unless they were told lately. */
export async function reportOverdueBackup(app: Daybook): Promise<void> {
  resultOf(await app.perform('backups.watch', {}, { ...byWorker, now: app.now() }))
}
