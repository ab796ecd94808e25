import type { ReservationStatus } from '../reservation.ts'

/** A filter of reservations; an absent field matches all, an empty list none. */
export interface ReservationFilter {
  readonly customerIds?: readonly string[]
  readonly serviceIds?: readonly string[]
  readonly providerIds?: readonly number[]
  readonly status?: ReservationStatus
  /** Only reservations that end after this instant (Unix seconds). */
  readonly endsAfter?: number
}

/**
 * The parameters of a streamed list of reservations, ordered by start and id. They are plain data, because they are
 * sent to another thread.
 */
export interface ReservationList {
  readonly filter: ReservationFilter
  /**
   * Whether each reservation is listed with the additional fields of `shownReservation`, such as data and timestamps.
   */
  readonly full: boolean
}

/**
 * The time of the reservations to list: `upcoming` for those that have not begun, `past` for those that have, and
 * `from_today` for those that begin today, in the site's time zone, or later.
 */
export type ListedTime = 'upcoming' | 'from_today' | 'past'
