import type { Database } from '../../db/database.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { needsMeeting } from './destination.ts'
import { findDestination } from './destinations.sql.ts'
import { findPlanned } from './events.sql.ts'

/**
 * Returns the address of the meeting of a reservation as it is now, of which an event that was logged before it was created does
 * not know; `expected` while a calendar system is to create it, and null for none.
 */
export async function awaitedMeeting(
  db: Database,
  {
    id,
    providerId,
    status,
    meeting,
  }: { readonly meeting?: string | null } & Pick<Reservation, 'id' | 'providerId' | 'status'>,
): Promise<string | 'expected' | null> {
  if (status !== 'confirmed' || meeting) return meeting ?? null
  const destination = await findDestination(db, providerId)
  if (!destination?.meetings) return null
  const planned = await findPlanned(db, id)
  if (planned?.providerId !== providerId) return null
  return needsMeeting(planned, destination) ? 'expected' : planned.meeting || null
}
