import { resultOf } from '../../db/perform/outcome.ts'
import type { Daybook } from '../../operations.ts'

const byWorker = { actor: { kind: 'worker', id: 'mail' }, requestId: null, dryRun: false, idempotency: null } as const

/** Queues the agendas that are due. */
export async function queueAgendas(app: Daybook): Promise<void> {
  resultOf(await app.perform('notifications.agendas', {}, { ...byWorker, now: app.now() }))
}
