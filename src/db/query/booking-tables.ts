/** One row of the table `hold`. */
export interface HoldTable {
  id: string
  form_hash: string
  address_hash: string
  service_id: string
  provider_id: number
  start_at: number
  end_at: number
  seats: number
  /** 1 when the hold has been extended, otherwise 0. */
  extended: number
  placed_at: number
  expires_at: number
}

/** One row of the table `booking_page`. */
export interface BookingPageTable {
  id: string
  body: string
}

/** One row of the table `service_page`. */
export interface ServicePageTable {
  service_id: string
  body: string
}

/** One row of the table `service_slug`. */
export interface ServiceSlugTable {
  slug: string
  service_id: string
  ordinal: number
}

/** One row of the table `booking_link`. */
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

/** One row of the table `bookings_access`. */
export interface BookingsAccessTable {
  hash: string
  kind: string
  email_key: string
  created_at: number
  expires_at: number
}

/** One row of the table `deletion_request`. */
export interface DeletionRequestTable {
  customer_id: string
  requested_at: number
}

/** One row of the table `host_secret`. */
export interface HostSecretTable {
  id: string
  sealed: string
  created_at: number
}

/** One row of the table `booking_step_count`. */
export interface BookingStepCountTable {
  day: string
  service_id: string
  step: string
  source: string
  count: number
}

/** One row of the table `rating`. */
export interface RatingTable {
  reservation_id: string
  score: number
  comment: string
  created_at: number
}
