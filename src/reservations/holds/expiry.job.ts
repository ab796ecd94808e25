import { performBatches } from '../../db/perform/batches.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'

/**
 * Cancels expired reservations and deletes expired holds (slots reserved for open booking forms) until none is left,
 * with `performBatches`.
 */
export function expireAll(app: Pick<Daybook, 'perform' | 'now'>, signal: AbortSignal): Promise<void> {
  return performBatches(() => app.perform('reservations.expire', {}, { ...byWorker, now: app.now() }), signal)
}

const byWorker = workerContext('expiry')
