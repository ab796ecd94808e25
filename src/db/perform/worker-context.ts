import type { Context } from './app.ts'

/** Returns the context of a background job's writes, without the time; `id` is the actor id of their events. */
export function workerContext(id: string): Omit<Context, 'now'> {
  return { actor: { kind: 'worker', id }, requestId: null, dryRun: false, idempotency: null }
}
