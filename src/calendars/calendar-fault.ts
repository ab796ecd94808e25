/**
 * Why a connected calendar, or an account on a calendar system, could not be used. The panel shows a sentence for each.
 */
export type CalendarFaultCode =
  | 'url_invalid'
  | 'not_https'
  | 'address_not_public'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'certificate_invalid'
  | 'timeout'
  | 'aborted'
  /**
   * The server of the calendar refused the credentials or denied access, or the site has no OAuth client credentials
   * for the calendar system.
   */
  | 'sign_in_refused'
  /** The server found no calendar at the address, or the account of the calendar was removed. */
  | 'not_found'
  /** The server of the calendar answered with an unexpected HTTP status; `detail` is the status. */
  | 'server_error'
  | 'too_many_redirects'
  | 'too_large'
  | 'not_a_calendar'
  /** The server's response violates its format, such as iCalendar, for example because it is truncated. */
  | 'malformed'
  /**
   * An event of the calendar is in a time zone that neither the zone database nor the calendar defines; `detail` is the
   * zone's name.
   */
  | 'unknown_zone'
  /** The calendar has more events, repetitions or content than the service reads. */
  | 'too_many_events'
  /** Computing the repetitions of the calendar's events took too long. */
  | 'too_complex'
  /** The stored address or credentials of the calendar cannot be decrypted. */
  | 'no_key'

const maxRetryAfter = 86_400

/**
 * Thrown when a calendar of another system cannot be read or written. The calendar's busy times of the last successful
 * reading continue to block time.
 */
export class CalendarFault extends Error {
  readonly code: CalendarFaultCode
  readonly detail: string
  /**
   * Seconds after which the calendar's server accepts another request, at most a day; 0 when the server did not say.
   */
  readonly retryAfter: number

  constructor(code: CalendarFaultCode, detail = '', retryAfter = 0) {
    super(detail === '' ? code : `${code}: ${detail}`)
    this.code = code
    this.detail = detail
    this.retryAfter = Math.min(retryAfter, maxRetryAfter)
  }
}
