import type { Reservation } from '../../reservations/reservation.ts'
import type { ServicePage } from '../settings.ts'

type Placed = Pick<Reservation, 'status' | 'start' | 'end'>

/**
 * Returns the latest time at which a customer may cancel or move a reservation (Unix seconds); undefined when the
 * service does not allow it.
 */
export function changeableUntil(
  { start }: Placed,
  { changeHours }: Pick<ServicePage, 'changeHours'>,
): number | undefined {
  return changeHours === null ? undefined : start - changeHours * 3_600
}

/** Whether the customer may cancel or move a reservation now. */
export function canChange(reservation: Placed, page: Pick<ServicePage, 'changeHours'>, now: number): boolean {
  const until = changeableUntil(reservation, page)
  return reservation.status !== 'cancelled' && reservation.start > now && until !== undefined && now <= until
}

/** Whether the customer may rate a visit now: the reservation is confirmed and the visit is over. */
export function canRate({ status, end }: Placed, now: number): boolean {
  return status === 'confirmed' && end <= now
}

/** A customer's rating of a visit, with a score from 1 to 5. */
export interface Rating {
  readonly score: number
  readonly comment: string
}
