import type { ServerResponse } from 'node:http'

/** Maximum bytes that all connections together may have queued for sending. */
const maxQueued = 128 * 1024 * 1024

/** Responses with unsent bytes and their number of bytes, ordered by the time of the last write, the oldest first. */
const queued = new Map<ServerResponse, number>()
let total = 0

/**
 * Tracks the unsent bytes of a response until it has been sent; call it after each write. When all connections together
 * have more than 128 MiB unsent, the responses whose last write is oldest are destroyed; a client that reads keeps causing
 * writes and is not among them.
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

/** Returns the bytes queued for sending over all connections. */
export function queuedBytes(): number {
  return total
}

function forget(response: ServerResponse): void {
  total -= queued.get(response) ?? 0
  queued.delete(response)
}
