import type { OutboundResponse } from '../http/outbound/outbound-client.ts'
import { retryAfterOf } from '../http/outbound/response-headers.ts'
import { CalendarFault } from './calendar-fault.ts'

/**
 * Throws the fault of a server that wants to be asked later, which status 429 or 503 says, with the seconds of its `Retry-After`;
 * does nothing after other answers. `now` is in Unix seconds.
 */
export function refuseWhenBusy(response: Pick<OutboundResponse, 'status' | 'headers'>, now: number): void {
  const { status } = response
  if (status === 429 || status === 503)
    throw new CalendarFault('server_error', String(status), retryAfterOf(response, now) ?? 0)
}
