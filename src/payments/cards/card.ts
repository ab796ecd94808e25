import type { AttendanceState } from '../../reservations/attendance/attendance.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import type { CardReference } from '../processor.ts'

/** A card that a customer saved, to which the no-show fee of a reservation can be charged. */
export interface SavedCard extends CardReference {
  /** The id of the payment with the purpose `card` with which the card was saved. */
  readonly paymentId: string
  readonly savedAt: number
  /** When the card was removed at the processor; null while it is stored there. */
  readonly removedAt: number | null
}

/**
 * Seconds for which a card stays saved after the last change of a reservation that is cancelled, whose visit was
 * attended, whose fee was charged, or which was given to another customer, so that staff can correct a mistake.
 */
const graceSeconds = 3_600
/** Maximum seconds after the end of a visit for which its card stays saved, so that a no-show can be charged. */
const chargeSeconds = 30 * 86_400

// The states of an attended visit. `arrived` is not among them, because the service has not begun then.
const attended: readonly AttendanceState[] = ['in_service', 'completed']

/** Whether a state of attendance means that the customer attended the visit: the service has begun or is completed. */
export function isAttended(state: AttendanceState): boolean {
  return attended.includes(state)
}

/**
 * Returns the instant (Unix seconds) until which the saved card of a reservation is needed; an instant in the past when
 * the card is not needed.
 */
export function cardNeededUntil(
  reservation: Pick<Reservation, 'status' | 'attendance' | 'payment' | 'end' | 'updatedAt'> | undefined,
): number {
  if (!reservation) return 0
  const { status, attendance, payment, end, updatedAt } = reservation
  const fee = payment?.noShowFee?.state
  if (fee === 'too_late') return 0
  if (fee === 'charging') return end + chargeSeconds
  const over = status === 'cancelled' || isAttended(attendance.state) || fee === 'charged' || fee === undefined
  return over ? Math.min(updatedAt + graceSeconds, end + chargeSeconds) : end + chargeSeconds
}
