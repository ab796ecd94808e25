/** One row of the table `connected_calendar`: an external calendar that blocks or opens time of a provider. */
export interface ConnectedCalendarTable {
  id: string
  provider_id: number
  kind: string
  name: string
  host: string
  /** The encrypted address of the calendar (`CalendarSecret`); empty for a calendar of an account. */
  secret: string
  /**
   * JSON: which events of the calendar block the provider's time besides those that are marked as busy (`Blocking`).
   */
  blocking: string
  /** JSON: which events of the calendar open bookable time (`OpeningRule`); empty for none. */
  opening: string
  /** JSON: up to 20 events that match the rule for opening time but cannot be used (a list of `OpeningFault`). */
  opening_faults: string
  /**
   * JSON: what the last successful reading stored (`ReadContent`); empty before the first one, and from a change of the
   * calendar's settings (other than its name) until the next one.
   */
  content: string
  covered_until: number
  read_at: number
  tried_at: number | null
  next_at: number
  failures: number
  fault: string | null
  fault_detail: string
  revision: number
  turn: number
  /** The account that the calendar belongs to; null for a calendar with an address of its own. */
  account_id: string | null
  /** The id of the calendar within its account; null for a calendar with an address of its own. */
  remote: string | null
  created_at: number
  updated_at: number
}

/** One row of the table `calendar_watch`: the request for notifications of changes of a connected calendar. */
export interface CalendarWatchTable {
  calendar_id: string
  secret_hash: string
  channel: string
  /** The id that the calendar system gave the request; empty while there is none. */
  remote: string
  expires_at: number
  next_at: number
  fault: string | null
}

/** One row of the table `calendar_opening`: the time that the events of a connected calendar make bookable. */
export interface CalendarOpeningTable {
  calendar_id: string
  provider_id: number
  /** JSON: the periods that the calendar's events make bookable (a list of `CalendarOpening`). */
  openings: string
}

/** One row of the table `calendar_app`: this site's OAuth client at a calendar system. */
export interface CalendarAppTable {
  kind: string
  client_id: string
  /** The encrypted secret of the OAuth client. */
  secret: string
}

/** One row of the table `calendar_grant`: an OAuth sign-in at a calendar system that a user has started. */
export interface CalendarGrantTable {
  state_hash: string
  person_id: string
  kind: string
  provider_id: number
  account_id: string | null
  /** The encrypted PKCE code verifier. */
  secret: string
  expires_at: number
}

/** One row of the table `calendar_account`: an account of a provider with a calendar system. */
export interface CalendarAccountTable {
  id: string
  provider_id: number
  kind: string
  login: string
  host: string
  /** The encrypted credentials of the account (`AccountSecret` or `GrantSecret`). */
  secret: string
  /** Until when a node exchanges the authorization code in the credentials; 0 when none does. */
  exchanging_until: number
  /** JSON: the calendars of the account, as of `found_at`. */
  found: string
  found_at: number
  fault: string | null
  fault_detail: string
  revision: number
  created_at: number
}

/**
 * One row of the table `calendar_item`: an event or series of events in a calendar of an account, stored without
 * titles.
 */
export interface CalendarItemTable {
  calendar_id: string
  item: string
  etag: string
  /** JSON: the iCalendar components of the item (`StoredComponents`). */
  content: string
}

/** One row of the table `calendar_destination`: the calendar to which the reservations of a provider are written. */
export interface CalendarDestinationTable {
  provider_id: number
  account_id: string
  calendar: string
  name: string
  policy: string
  names: number
  meetings: number
  cursor_text: string
  listed_at: number
  read_at: number
  next_at: number
  failures: number
  fault: string | null
  fault_detail: string
  created_at: number
}

/** One row of the table `calendar_event`: the event of a reservation in the calendar of one provider. */
export interface CalendarEventTable {
  reservation_id: string
  provider_id: number
  account_id: string
  calendar: string
  item: string
  uid: string
  /** The `UID` that the calendar system gave the event instead of `uid`; empty when there is none. */
  assigned_uid: string
  etag: string
  written: string
  start_at: number
  end_at: number
  /** When the calendar system was first asked to create the online meeting that the event lacks; 0 when it was not. */
  meeting_asked_at: number
  restored: number
  fault: string | null
  fault_detail: string
}

/** One row of the table `calendar_feed`: a secret address of a calendar of reservations, identified by its hash. */
export interface CalendarFeedTable {
  id: string
  hash: string
  provider_id: number | null
  service_id: string | null
  names: number
  created_at: number
  read_at: number | null
}
