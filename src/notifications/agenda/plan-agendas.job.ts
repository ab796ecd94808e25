import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'

const byWorker = workerContext('mail')

/** Queues the jobs that mail the agendas (a provider's appointments of one day) that are due. */
export async function queueAgendas(app: Daybook): Promise<void> {
  resultOf(await app.perform('notifications.agendas', {}, { ...byWorker, now: app.now() }))
}
