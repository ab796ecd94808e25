import type { Operation } from '../../db/perform/app.ts'
import { shownReservation } from '../reservation.ts'
import { updateReservation } from '../reservations.sql.ts'
import { findReservationForUpdate } from './reservations.operations.ts'

/** The input of `recordMeeting`: the address of a meeting that a calendar system created for a reservation. */
export interface CreatedMeeting {
  /** The id of the reservation. */
  readonly id: string
  /** The provider in whose calendar the meeting was created. */
  readonly providerId: number
  readonly meeting: string
}

/**
 * Stores the address of a meeting that a calendar system created for a reservation. Does nothing when the reservation
 * already has an address, is not confirmed, or was reassigned to another provider.
 */
export const recordMeeting: Operation<CreatedMeeting, Record<string, never>> = async (
  tx,
  { id, providerId, meeting },
) => {
  const before = await findReservationForUpdate(tx, id)
  if (before?.status !== 'confirmed' || before.meeting !== null || before.providerId !== providerId) return {}
  const after = { ...before, meeting, updatedAt: tx.now, version: before.version + 1 }
  await updateReservation(tx.db, after)
  await tx.append({
    ...{ type: 'reservation.updated', objectId: id },
    object: shownReservation(after, { full: true }),
    previous: shownReservation(before, { full: true }),
  })
  return {}
}
