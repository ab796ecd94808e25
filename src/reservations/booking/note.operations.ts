import type { Operation } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { shownNote, shownReservation } from '../reservation.ts'
import { updateReservation } from '../reservations.sql.ts'
import { lockOwnReservation } from './reservations.operations.ts'

/** The input of `setNote`: the internal note of staff on a reservation. */
export interface SetNote {
  /** The id of the reservation. */
  readonly id: string
  /** The new note; an empty text removes the note. */
  readonly note: string
  /** The note that the user has edited; the request is refused when it has changed since. Absent for any note. */
  readonly was?: string
  /**
   * Restricts the request to reservations of this provider; the reservation of another provider is refused as unknown.
   */
  readonly ofProvider?: number
}

/** Replaces the internal note of staff on a reservation, which customers and integrations do not see. */
export const setNote: Operation<SetNote, Record<string, never>> = async (tx, input) => {
  const { id, note, was } = input
  const before = await lockOwnReservation(tx, input)
  if (before.note === note) return {}
  if (was !== undefined && was !== before.note) throw refusal('changed_since', { fields: ['note'] })
  const after = { ...before, note, updatedAt: tx.now, version: before.version + 1 }
  await updateReservation(tx.db, after)
  await tx.append({
    type: 'reservation.updated',
    objectId: id,
    object: { ...shownReservation(after, { full: true }), ...shownNote(after) },
    previous: { ...shownReservation(before, { full: true }), ...shownNote(before) },
  })
  return {}
}
