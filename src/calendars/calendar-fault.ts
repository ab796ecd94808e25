/** Why a connected calendar could not be read. The panel shows a sentence for each. */
export type CalendarFaultCode =
  | 'url_invalid'
  | 'not_https'
  | 'address_not_public'
  | 'name_not_resolved'
  | 'connection_failed'
  | 'certificate_invalid'
  | 'timeout'
  | 'aborted'
  /** The server requires other credentials. */
  | 'sign_in_refused'
  /** There is no calendar at the address any more. */
  | 'not_found'
  /** The server answered with another status; `detail` is the status. */
  | 'server_error'
  | 'too_many_redirects'
  | 'too_large'
  | 'not_a_calendar'
  /** The file violates the iCalendar standard, for example because it is truncated. */
  | 'malformed'
  /** An event is in a time zone that neither the zone database nor the file defines; `detail` is its name. */
  | 'unknown_zone'
  /** The calendar has more events or repetitions than are expanded. */
  | 'too_many_events'
  /** Computing the repetitions took too long. */
  | 'too_complex'
  /** The address or password cannot be decrypted. */
  | 'no_key'

const maxRetryAfter = 86_400

/** Thrown when a connected calendar cannot be read. The busy times of the last successful reading remain. */
export class CalendarFault extends Error {
  readonly code: CalendarFaultCode
  readonly detail: string
  /** Seconds after which the server accepts another request, at most a day; 0 when the server did not say. */
  readonly retryAfter: number

  constructor(code: CalendarFaultCode, detail = '', retryAfter = 0) {
    super(detail === '' ? code : `${code}: ${detail}`)
    this.code = code
    this.detail = detail
    this.retryAfter = Math.min(retryAfter, maxRetryAfter)
  }
}
