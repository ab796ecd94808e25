import { performBatches } from '../../db/perform/batches.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Daybook } from '../../operations.ts'
import { needsIndexing } from './search-index.operations.ts'

/** Writes the missing search terms of all customers until none are missing, with `performBatches`. */
export async function indexAllCustomers(
  app: Pick<Daybook, 'perform' | 'now' | 'db'>,
  signal: AbortSignal,
): Promise<void> {
  if (!(await needsIndexing(app.db))) return
  await performBatches(() => app.perform('customers.words', {}, { ...byWorker, now: app.now() }), signal)
}

const byWorker = workerContext('customer-words')
