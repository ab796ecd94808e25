/** The messages about connected calendars, calendar feeds and meeting links, in English. */
export const calendars = {
  calendar_not_found: 'This calendar is not connected.',
  calendar_limit: 'A provider has at most {{count, number}} connected calendars. Disconnect one first.',
  calendar_account_limit: 'A provider has at most {{count, number}} calendar accounts. Disconnect one first.',
  calendar_app_missing: 'An administrator first enters the client ID and secret in the settings.',
  calendar_grant_expired: 'The sign-in took too long, or was used already. Begin again.',
  feed_not_found: 'There is no calendar feed with this id.',
  feed_limit: 'At most {{count, number}} calendar feeds can exist here. Revoke one first.',
  meeting_link_wrong: 'Enter an https:// address. Placeholders: {reservation}, {service}.',
  calendar_url_wrong:
    'Enter the address of a calendar, which begins with https:// or webcal:// and is reachable from the internet. The operator can allow other networks.',
  calendar_account_in_use:
    'Calendars of {{host}} are in use. Connect the other server as an account of its own, or disconnect these first.',
  slot_calendar_unread:
    'A connected calendar of the provider could not be read recently, or is not known so far ahead. Choose another time or provider.',
  undo_calendar: 'A connected calendar is changed at its provider.',
  calendar_fault_url_invalid: 'This is not an address of a calendar.',
  calendar_fault_not_https: 'The address must begin with https://.',
  calendar_fault_address_not_public:
    'The address is not on the public internet. The operator can allow other networks.',
  calendar_fault_name_not_resolved: 'There is no server with this name.',
  calendar_fault_connection_failed: 'The server does not answer.',
  calendar_fault_certificate_invalid: 'The certificate of the server is not valid.',
  calendar_fault_timeout: 'The server took too long to answer.',
  calendar_fault_aborted: 'Reading was interrupted and will be repeated.',
  calendar_fault_sign_in_refused: 'The server refuses access. Check the address or password.',
  calendar_fault_access_ended: 'The server refuses access. Sign in again at the account.',
  calendar_fault_not_found: 'There is no calendar at this address any more.',
  calendar_fault_server_error: 'The server reports an error ({{detail}}).',
  calendar_fault_too_many_redirects: 'The server redirects too often.',
  calendar_fault_too_large: 'The calendar is larger than 50 MB.',
  calendar_fault_not_a_calendar: 'The address leads to something other than a calendar, such as a page.',
  calendar_fault_malformed: 'The file is incomplete or contradicts the standard.',
  calendar_fault_unknown_zone: 'An event is in an unknown time zone: {{detail}}.',
  calendar_fault_too_many_events: 'The calendar has too many events or repetitions.',
  calendar_fault_too_complex: 'The repetitions of an event could not be computed in time.',
  calendar_fault_no_key: 'The address cannot be decrypted: no key, or another DAYBOOK_SECRET_KEY.',
  check_calendars: 'connected calendars',
  calendars_read: {
    one: '{{count, number}} calendar, read recently.',
    other: '{{count, number}} calendars, all read recently.',
  },
  calendars_failing: {
    one: '{{count, number}} calendar could not be read last time; see Providers → Calendars in the panel.',
    other: '{{count, number}} calendars could not be read last time; see Providers → Calendars in the panel.',
  },
  calendars_too_old: {
    one: '{{count, number}} calendar was not read for too long, so that its provider is not offered; see Providers → Calendars in the panel.',
    other:
      '{{count, number}} calendars were not read for too long, so that their providers are not offered; see Providers → Calendars in the panel.',
  },
  check_destinations: 'calendars that reservations are written to',
  destinations_written: {
    one: '{{count, number}} calendar, all events written.',
    other: '{{count, number}} calendars, all events written.',
  },
  destinations_failing: {
    one: 'Events could not be written to {{count, number}} calendar last time; see Providers → Calendars in the panel.',
    other:
      'Events could not be written to {{count, number}} calendars last time; see Providers → Calendars in the panel.',
  },
} as const
