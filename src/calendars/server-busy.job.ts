import type { OutboundResponse } from '../http/outbound/outbound-client.ts'
import { retryAfterOf } from '../http/outbound/response-headers.ts'
import { CalendarFault } from './calendar-fault.ts'

/**
 * Throws a `CalendarFault` for a response with status 429 or 503, with the seconds of its header `Retry-After`, or 0
 * without a valid one; does nothing for other responses. `now` is in Unix seconds.
 */
export function refuseWhenBusy(response: Pick<OutboundResponse, 'status' | 'headers'>, now: number): void {
  const { status } = response
  if (status === 429 || status === 503)
    throw new CalendarFault('server_error', String(status), retryAfterOf(response, now) ?? 0)
}
