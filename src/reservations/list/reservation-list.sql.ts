import type { ReservationStatus } from '../reservation.ts'

/** Which reservations to list; an absent filter lets all pass, an empty list none. */
export interface ReservationFilter {
  readonly customerIds?: readonly string[]
  readonly serviceIds?: readonly string[]
  readonly providerIds?: readonly number[]
  readonly status?: ReservationStatus
  /** Only those that end later than this (Unix seconds). */
  readonly endsAfter?: number
}

/** A whole list of reservations, by start then id, as it is asked for; plain data. */
export interface ReservationList {
  readonly filter: ReservationFilter
  /** Whether each is shown with all its fields. */
  readonly full: boolean
}
