import { type Message, message } from '../messages/message.ts'
import type { CalendarKind } from './calendar.ts'
import type { CalendarFaultCode } from './calendar-fault.ts'
import { grantKinds } from './oauth/oauth.ts'

/**
 * Returns the URL for a calendar address that a user entered; `webcal:`, which calendar programs use, becomes `https:`.
 */
export function calendarAddress(text: string): string {
  return text.trim().replace(/^webcals?:/i, 'https:')
}

const faultMessages: Readonly<Record<CalendarFaultCode, (detail: string) => Message>> = {
  url_invalid: () => message('calendar_fault_url_invalid'),
  not_https: () => message('calendar_fault_not_https'),
  address_not_public: () => message('calendar_fault_address_not_public'),
  name_not_resolved: () => message('calendar_fault_name_not_resolved'),
  connection_failed: () => message('calendar_fault_connection_failed'),
  certificate_invalid: () => message('calendar_fault_certificate_invalid'),
  timeout: () => message('calendar_fault_timeout'),
  aborted: () => message('calendar_fault_aborted'),
  sign_in_refused: () => message('calendar_fault_sign_in_refused'),
  not_found: () => message('calendar_fault_not_found'),
  server_error: (detail) => message('calendar_fault_server_error', { detail }),
  too_many_redirects: () => message('calendar_fault_too_many_redirects'),
  too_large: () => message('calendar_fault_too_large'),
  not_a_calendar: () => message('calendar_fault_not_a_calendar'),
  malformed: () => message('calendar_fault_malformed'),
  unknown_zone: (detail) => message('calendar_fault_unknown_zone', { detail }),
  too_many_events: () => message('calendar_fault_too_many_events'),
  too_complex: () => message('calendar_fault_too_complex'),
  no_key: () => message('calendar_fault_no_key'),
}

/**
 * Returns the message about why a calendar or account could not be used; `detail` is `CalendarFault.detail`, and `kind`
 * that of the calendar or of its account.
 */
export function faultMessage(code: CalendarFaultCode, detail: string, kind: CalendarKind): Message {
  const isGranted = grantKinds.some((one) => one === kind)
  // A calendar with an OAuth sign-in has neither an address nor a password to check.
  if (isGranted && code === 'sign_in_refused') return message('calendar_fault_access_ended')
  return faultMessages[code](detail)
}
