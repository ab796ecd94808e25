import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'
import { needsIndexing } from './search-index.operations.ts'

/**
 * Writes the missing search terms of all customers, in batches, until none are missing. Rejects before the next batch
 * when `signal` is aborted.
 */
export async function indexAllCustomers(
  app: Pick<Daybook, 'perform' | 'now' | 'db'>,
  signal: AbortSignal,
): Promise<void> {
  for (let more = await needsIndexing(app.db); more; ) {
    signal.throwIfAborted()
    const outcome = await app.perform('customers.words', {}, { ...byWorker, now: app.now() })
    if ('fault' in outcome) throw new Error(outcome.message)
    more = 'ok' in outcome && outcome.ok.more
  }
}

const byWorker = workerContext('customer-words')
