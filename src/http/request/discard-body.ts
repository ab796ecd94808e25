import type { IncomingMessage } from 'node:http'

/**
 * Maximum bytes of a body that is read only to discard it. Such a body is a browser's report of a policy violation or a
 * posted HTML form, and both are shorter.
 */
const maxBytes = 65_536

/**
 * Reads a body to its end and discards it. Calls `then(true)` at the end of the body, or `then(false)` as soon as its
 * length is known to exceed the maximum. Calls neither if the client disconnects before.
 */
export function discardBody(request: IncomingMessage, then: (complete: boolean) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    then(false)
    return
  }
  let size = 0
  const take = (part: Uint8Array): void => {
    size += part.length
    if (size > maxBytes) leave(false)
  }
  const end = (): void => leave(true)
  const leave = (complete: boolean): void => {
    request.off('data', take).off('end', end).pause()
    then(complete)
  }
  request.on('data', take).on('end', end)
}
