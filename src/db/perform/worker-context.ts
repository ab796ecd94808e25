import type { Context } from './app.ts'

/** Returns the context, without its time, of the writes of a background job; `id` names the job in the history. */
export function workerContext(id: string): Omit<Context, 'now'> {
  return { actor: { kind: 'worker', id }, requestId: null, dryRun: false, idempotency: null }
}
