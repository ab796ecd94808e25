import type { Reservation } from '../../reservations/reservation.ts'
import { toInstant, wallTime } from './zone.ts'

/** The time of an appointment, as wall time in a zone and as an instant. */
export type LocalPlacement = Pick<Reservation, 'start' | 'localStart' | 'zone'>

/**
 * Returns the instant at which an appointment's wall time now falls, when the zone's rules have changed since it was
 * booked and its stored instant shows another wall time; undefined when both agree.
 */
export function intendedInstant({ start, localStart, zone }: LocalPlacement): number | undefined {
  return wallTime(zone, start) === localStart ? undefined : toInstant(zone, localStart)
}
