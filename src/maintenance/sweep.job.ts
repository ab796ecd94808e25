import { workerContext } from '../db/perform/worker-context.ts'
import type { Daybook } from '../operations.ts'

/**
 * Deletes expired rows in batches until none is left; bookings run between batches. Rejects before the next batch when
 * `signal` is aborted.
 */
export async function sweepAll(app: Pick<Daybook, 'perform' | 'now'>, signal: AbortSignal): Promise<void> {
  for (let more = true; more; ) {
    signal.throwIfAborted()
    const outcome = await app.perform('sweep', {}, { ...byWorker, now: app.now() })
    if ('fault' in outcome) throw new Error(outcome.message)
    more = 'ok' in outcome && outcome.ok.more
  }
}

const byWorker = workerContext('sweep')
