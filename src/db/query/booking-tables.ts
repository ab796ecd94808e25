/** One row of the table `hold`: seats of a slot that are reserved for an open booking form until `expires_at`. */
export interface HoldTable {
  id: string
  form_hash: string
  address_hash: string
  service_id: string
  provider_id: number
  start_at: number
  end_at: number
  seats: number
  /** 1 when the expiry of the seats reserved for the form has been extended, otherwise 0. */
  extended: number
  placed_at: number
  expires_at: number
}

/** One row of the table `booking_page`: the settings of the booking page, as JSON. */
export interface BookingPageTable {
  id: string
  body: string
}

/** One row of the table `service_page`: the settings of a service on the booking page, as JSON. */
export interface ServicePageTable {
  service_id: string
  body: string
}

/** One row of the table `service_slug`: a path that was set for a service on the booking page, present or former. */
export interface ServiceSlugTable {
  slug: string
  service_id: string
  ordinal: number
}

/**
 * One row of the table `booking_link`: a private link, sent to chosen recipients, with which one service can be booked.
 */
export interface BookingLinkTable {
  id: string
  service_id: string
  hash: string
  /** 1 for a link that books once, otherwise 0. */
  single_use: number
  expires_at: number | null
  created_at: number
  used_at: number | null
  reservation_id: string | null
  revoked_at: number | null
}

/**
 * One row of the table `bookings_access`: access to "My bookings" of an e-mail address, either by a link in a mail or
 * by a browser in which such a link was opened; identified by the hash of the secret of the link or browser.
 */
export interface BookingsAccessTable {
  hash: string
  kind: string
  email_key: string
  created_at: number
  expires_at: number
}

/** One row of the table `deletion_request`: a customer's open request for the deletion of their data. */
export interface DeletionRequestTable {
  customer_id: string
  requested_at: number
}

/** One row of the table `host_secret`: the encrypted secret with which the host site signs tokens for its users. */
export interface HostSecretTable {
  id: string
  sealed: string
  created_at: number
}

/**
 * One row of the table `booking_step_count`: how many visitors took a step of booking, by day, service and source (the
 * campaign or site from which they came).
 */
export interface BookingStepCountTable {
  day: string
  service_id: string
  step: string
  source: string
  count: number
}

/** One row of the table `rating`: a customer's rating of a visit. */
export interface RatingTable {
  reservation_id: string
  score: number
  comment: string
  created_at: number
}
