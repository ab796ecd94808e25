import { performBatches } from '../db/perform/batches.ts'
import { workerContext } from '../db/perform/worker-context.ts'
import type { Daybook } from '../operations.ts'

/** Deletes expired rows until none is left, with `performBatches`. */
export function sweepAll(app: Pick<Daybook, 'perform' | 'now'>, signal: AbortSignal): Promise<void> {
  return performBatches(() => app.perform('sweep', {}, { ...byWorker, now: app.now() }), signal)
}

const byWorker = workerContext('sweep')
