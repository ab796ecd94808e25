import type { EventType } from '../history/event.ts'
import type { Message } from '../messages/message.ts'

export type ReservationStatus = 'pending' | 'confirmed' | 'cancelled'

/** Why this provider was given the reservation, kept as it was at the time. */
export interface Assignment {
  readonly mode: string
  readonly eligible: readonly number[]
  readonly chosen: number
  /** Whom the routing rule would have picked at that moment. */
  readonly picked: number
  readonly because: Message
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

/** What an edit of a reservation asks for; an absent field stays. */
export interface ReservationChange {
  readonly serviceId?: string
  readonly customerId?: string
  readonly providerId?: number
  readonly start?: number
  readonly end?: number
  readonly status?: ReservationStatus
}

type InSlot = Pick<Reservation, 'serviceId' | 'providerId' | 'start' | 'end'>

/** Whether the edit puts the reservation into another slot: another service, provider, start or end. */
export function movesSlot(from: InSlot, to: InSlot): boolean {
  return (
    from.serviceId !== to.serviceId ||
    from.providerId !== to.providerId ||
    from.start !== to.start ||
    from.end !== to.end
  )
}

/** What the log of events calls the change from one state of a reservation to the next; the status speaks first. */
export function reservationChange(from: Reservation, to: Reservation): ReservationEvent {
  if (from.status === to.status) return 'reservation.updated'
  if (to.status === 'cancelled') return 'reservation.cancelled'
  if (from.status === 'cancelled') return 'reservation.restored'
  return to.status === 'confirmed' ? 'reservation.confirmed' : 'reservation.pending'
}

type ReservationEvent = Extract<EventType, `reservation.${string}`>

/** The reservation as lists and events show it, under the names of the contract; `full` adds data and times of change. */
export function shownReservation(of: Reservation, { full }: { readonly full: boolean }) {
  const shown = {
    id: of.id,
    serviceId: of.serviceId,
    customerId: of.customerId,
    providerId: of.providerId,
    availabilityId: of.availabilityId,
    start: of.start,
    end: of.end,
    status: of.status,
  }
  return full ? { ...shown, data: of.data, created: of.createdAt, updated: of.updatedAt } : shown
}

export type ShownReservation = ReturnType<typeof shownReservation>
