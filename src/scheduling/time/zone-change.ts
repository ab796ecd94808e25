import type { Reservation } from '../../reservations/reservation.ts'
import { toInstant, wallTime } from './zone.ts'

/** The time of an appointment, as wall time in a zone and as an instant. */
export type LocalPlacement = Pick<Reservation, 'start' | 'localStart' | 'zone'>

/**
 * Returns the instant at which an appointment's booked wall time falls now, if the zone's rules have changed since the
 * booking and the stored instant has another wall time; undefined when the stored instant still has the booked wall
 * time.
 */
export function intendedInstant({ start, localStart, zone }: LocalPlacement): number | undefined {
  return wallTime(zone, start) === localStart ? undefined : toInstant(zone, localStart)
}
