import type { Outcome } from './app.ts'

/**
 * Performs an operation that works in batches until no more remain or a batch is refused; other writes, such as
 * bookings, run between batches. Rejects when a batch fails, and before the next one when `signal` is aborted.
 */
export async function performBatches(
  perform: () => Promise<Outcome<{ readonly more: boolean }>>,
  signal: AbortSignal,
): Promise<void> {
  for (let more = true; more; ) {
    signal.throwIfAborted()
    const outcome = await perform()
    if ('fault' in outcome) throw new Error(outcome.message)
    more = 'ok' in outcome && outcome.ok.more
  }
}
