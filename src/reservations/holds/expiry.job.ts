import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'

/**
 * Cancels expired reservations and deletes expired holds (slots reserved for open booking forms) in batches, until none
 * is left or a batch is refused; other writes, such as bookings, run between batches. Rejects before the next batch
 * when `signal` is aborted.
 */
export async function expireAll(app: Pick<Daybook, 'perform' | 'now'>, signal: AbortSignal): Promise<void> {
  for (let more = true; more; ) {
    signal.throwIfAborted()
    const outcome = await app.perform('reservations.expire', {}, { ...byWorker, now: app.now() })
    if ('fault' in outcome) throw new Error(outcome.message)
    more = 'ok' in outcome && outcome.ok.more
  }
}

const byWorker = workerContext('expiry')
