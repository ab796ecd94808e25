import type { AttendanceState } from '../../reservations/attendance/attendance.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import type { CardReference } from '../processor.ts'

/** A card that a customer saved for the fee of a missed visit. */
export interface SavedCard extends CardReference {
  /** The payment of the purpose `card` that saved it. */
  readonly paymentId: string
  readonly savedAt: number
  /** When it was removed at the processor; null while it is there. */
  readonly removedAt: number | null
}

/** Seconds for which a card stays saved after its visit was cancelled or attended, so that staff can correct a mistaken status. */
const graceSeconds = 3_600
/** Seconds after the end of a visit for which a no-show can be charged. */
const chargeSeconds = 30 * 86_400

// A visit at which the customer has arrived is no missed one.
const attended: readonly AttendanceState[] = ['in_service', 'completed']

/** Whether a state of attendance says that the visit was not missed. */
export function isAttended(state: AttendanceState): boolean {
  return attended.includes(state)
}

/** Returns until when the card of a reservation is needed; an instant in the past when it no longer is. */
export function cardNeededUntil(
  reservation: Pick<Reservation, 'status' | 'attendance' | 'payment' | 'end' | 'updatedAt'> | undefined,
): number {
  if (!reservation) return 0
  const { status, attendance, payment, end, updatedAt } = reservation
  const fee = payment?.noShowFee?.state
  if (fee === 'too_late') return 0
  if (fee === 'charging') return end + chargeSeconds
  const over = status === 'cancelled' || isAttended(attendance.state) || fee === 'charged'
  return over ? Math.min(updatedAt + graceSeconds, end + chargeSeconds) : end + chargeSeconds
}
