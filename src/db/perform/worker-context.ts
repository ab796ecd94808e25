import type { Context } from './app.ts'

/** Returns the context of a background job's writes, without the time; `id` identifies the job in the history. */
export function workerContext(id: string): Omit<Context, 'now'> {
  return { actor: { kind: 'worker', id }, requestId: null, dryRun: false, idempotency: null }
}
