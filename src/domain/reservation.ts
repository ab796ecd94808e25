export type ReservationStatus = 'pending' | 'confirmed' | 'cancelled'
export const reservationStatuses: readonly ReservationStatus[] = ['pending', 'confirmed', 'cancelled']

/** Why this provider was given the reservation, kept as it was at the time. */
export interface Assignment {
  readonly mode: string
  readonly eligible: readonly number[]
  readonly chosen: number
  /** Whom the routing rule would have picked at that moment. */
  readonly picked: number
  readonly because: string
}

export interface Reservation {
  readonly id: string
  readonly serviceId: string
  readonly customerId: string
  readonly providerId: number
  /** The slot id as booked; `''` for an imported one. */
  readonly availabilityId: string
  readonly start: number
  readonly end: number
  readonly status: ReservationStatus
  readonly data: Readonly<Record<string, unknown>>
  readonly createdAt: number
  readonly updatedAt: number
  /** Price as booked, in the smallest unit of `currency`. */
  readonly price: number | null
  readonly currency: string | null
  /** The appointment's wall-clock start in the provider's zone, and the zone database that said so. */
  readonly localStart: string
  readonly zone: string
  readonly zoneVersion: string
  readonly assignedBecause: Assignment | null
  readonly version: number
}
