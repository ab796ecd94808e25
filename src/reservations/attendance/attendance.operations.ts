import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { lockOwnReservation } from '../booking/reservations.operations.ts'
import { captured, isFeeClaimed, isFeePaid, type ReservationPayment, withFeeState } from '../payment.ts'
import { type EditResult, type Reservation, shownReservation } from '../reservation.ts'
import { updateReservation } from '../reservations.sql.ts'
import { type Attendance, type AttendanceState, admitsAttendance, markedAttendance } from './attendance.ts'

/** The input of `markAttendance`: the id of a reservation, and the state of attendance to mark. */
export interface MarkAttendance {
  readonly id: string
  readonly state: AttendanceState
  /**
   * Restricts the request to reservations of this provider; the reservation of another provider is refused as unknown.
   */
  readonly ofProvider?: number
}

/**
 * Marks whether the customer of a reservation came. Marking the current state again changes nothing. A cancelled
 * reservation refuses every mark except a reset to `expected`.
 */
export const markAttendance: Operation<MarkAttendance, EditResult> = async (tx, input) => {
  const { state } = input
  const before = await lockOwnReservation(tx, input)
  if (!admitsAttendance(before.status, state))
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('attendance_of_cancelled'),
      details: { state: message('attendance_of_cancelled') },
    })
  const attendance = markedAttendance(before.attendance, state, tx.now)
  if (attendance.state === before.attendance.state) return { change: null }
  return { change: await storeAttendance(tx, before, attendance) }
}

/**
 * Stores the attendance of a locked reservation, appends its event and returns the event's id. With any state but
 * `no_show`, the customer no longer owes a no-show fee that was demanded; such a state is refused while the fee is
 * being charged, and once it was paid and not refunded.
 */
export async function storeAttendance(tx: Tx, before: Reservation, attendance: Attendance): Promise<string> {
  const payment = attendance.state === 'no_show' ? before.payment : withoutNoShowFee(before.payment)
  const after = { ...before, attendance, payment, updatedAt: tx.now, version: before.version + 1 }
  await updateReservation(tx.db, after)
  return tx.append({
    type: 'reservation.attendance',
    objectId: before.id,
    object: shownReservation(after, { full: true }),
    previous: shownReservation(before, { full: true }),
  })
}

/**
 * Returns the payment of a reservation that is no longer a no-show, so that the customer no longer owes the no-show
 * fee. Refuses while the fee is being charged, and once it was paid and not refunded. A part that was paid of a fee
 * that could not be charged then counts towards the price.
 */
export function withoutNoShowFee(payment: ReservationPayment | null): ReservationPayment | null {
  const fee = payment?.noShowFee
  if (!payment || !fee || !isFeeClaimed(payment)) return payment
  const isPaid = fee.state === 'charged' ? captured(payment) > 0 : isFeePaid(payment)
  if (fee.state === 'charging' || isPaid)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('no_show_charged'),
      details: { state: message('no_show_charged') },
    })
  return withFeeState(payment, 'agreed')
}
