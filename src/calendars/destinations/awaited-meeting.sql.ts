import type { Database } from '../../db/database.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { needsMeeting } from './destination.ts'
import { findDestination } from './destinations.sql.ts'
import { findPlanned } from './events.sql.ts'

/**
 * Returns the URL of a reservation's online meeting: the given `meeting` or, if that is absent, the stored URL,
 * provided that the reservation is confirmed and the calendar to which it is written creates meetings. Returns
 * `expected` while the calendar system has yet to create the meeting, at most until the end of the reservation, and
 * null otherwise. `now` is in Unix seconds.
 */
export async function awaitedMeeting(
  db: Database,
  {
    id,
    providerId,
    status,
    meeting,
  }: { readonly meeting?: string | null } & Pick<Reservation, 'id' | 'providerId' | 'status'>,
  now: number,
): Promise<string | 'expected' | null> {
  if (status !== 'confirmed' || meeting) return meeting ?? null
  const destination = await findDestination(db, providerId)
  if (!destination?.meetings) return null
  const planned = await findPlanned(db, id)
  if (planned?.providerId !== providerId) return null
  return needsMeeting(planned, destination, now) ? 'expected' : planned.meeting || null
}
