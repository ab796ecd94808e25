import type { Reservation } from '../../reservations/reservation.ts'
import { toInstant, wallTime } from './zone.ts'

/** What says when an appointment is: by the clock on the wall, and as an instant. */
export type LocalPlacement = Pick<Reservation, 'start' | 'localStart' | 'zone'>

/**
 * The instant that the wall time of an appointment means by now, when its zone's rules have changed since it was
 * booked and its own instant shows another time; undefined where both still say the same.
 */
export function intendedInstant({ start, localStart, zone }: LocalPlacement): number | undefined {
  return wallTime(zone, start) === localStart ? undefined : toInstant(zone, localStart)
}
