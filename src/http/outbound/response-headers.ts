import type { OutboundResponse } from './outbound-client.ts'

type WithHeaders = Pick<OutboundResponse, 'headers'>

/** Returns the first value of a header, undefined when the header is absent; `name` must be in lower case. */
export function headerOf({ headers }: WithHeaders, name: string): string | undefined {
  return [headers[name] ?? []].flat()[0]
}

/**
 * Returns the seconds to wait according to `Retry-After`, which contains seconds or an HTTP date; null when the header
 * is absent or invalid, or its date is not after `now` (Unix seconds).
 */
export function retryAfterOf(response: WithHeaders, now: number): number | null {
  const header = headerOf(response, 'retry-after')
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header) / 1_000
  return Number.isFinite(at) && at > now ? Math.ceil(at - now) : null
}
