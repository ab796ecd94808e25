import type { ServerResponse } from 'node:http'

/** Maximum bytes that all connections together may have queued for sending. */
const maxQueued = 128 * 1024 * 1024

/**
 * The unsent bytes of each response at the last `countQueued` of the response, in the order of these calls, oldest
 * first.
 */
const queued = new Map<ServerResponse, number>()
let total = 0

/**
 * Counts the unsent bytes of a response until the response has been sent. Callers call this function after each write
 * that leaves bytes unsent. When all connections together have more than 128 MiB unsent, the responses whose last
 * counted write is oldest are destroyed. A streamed response whose client reads is destroyed late, since its writes are
 * recent.
 */
export function countQueued(response: ServerResponse): void {
  const bytes = response.socket?.writableLength ?? 0
  if (bytes === 0) return
  if (!queued.has(response)) response.once('close', () => forget(response))
  forget(response)
  queued.set(response, bytes)
  total += bytes
  for (const [oldest] of queued) {
    if (total <= maxQueued) return
    forget(oldest)
    oldest.destroy()
  }
}

/** Returns the bytes queued for sending over all connections, as of the last `countQueued` of each response. */
export function queuedBytes(): number {
  return total
}

function forget(response: ServerResponse): void {
  total -= queued.get(response) ?? 0
  queued.delete(response)
}
