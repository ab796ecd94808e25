import { lockCatalogue } from '../catalogue/catalogue.operations.ts'
import { shownCustomerInFull } from '../customers/customer.ts'
import { recordWithoutPlaceholder } from '../customers/customer-email.ts'
import { customerLocks } from '../customers/customer-locks.ts'
import { addCustomer, editCustomer, lockCustomer, removeCustomer } from '../customers/customers.operations.ts'
import { findCustomer } from '../customers/customers.sql.ts'
import { removeCustomerNote } from '../customers/notes/notes.operations.ts'
import { sameJson } from '../data.ts'
import { statesIn } from '../db/log/event-log.ts'
import type { Tx } from '../db/perform/app.ts'
import type { LoggedEvent } from '../history/event.ts'
import { storeAttendance } from '../reservations/attendance/attendance.operations.ts'
import {
  type Attendance,
  admitsAttendance,
  expectedAttendance,
  readAttendance,
  type ShownAttendance,
} from '../reservations/attendance/attendance.ts'
import { type EditReservation, editReservation, type FormerTerms } from '../reservations/booking/edit.operations.ts'
import { setNote } from '../reservations/booking/note.operations.ts'
import { lockReservation, removeReservation } from '../reservations/booking/reservations.operations.ts'
import { captured, type ReservationPayment, withFeeState } from '../reservations/payment.ts'
import {
  fullPriceOf,
  isDoubleBooked,
  type Reservation,
  type ReservationStatus,
  type SlotPrice,
} from '../reservations/reservation.ts'
import { changedSince, fieldsBack, keysBack, slotFields, type Undoing, type UndoPlan } from './undo.ts'
import { requireGone, requireUnchanged } from './undo-checks.operations.ts'

const ofReservation = [...slotFields, 'customerId', 'status'] as const

/** How a change of a reservation is undone. */
export interface ReservationUndo {
  /** Whether the customer is notified of the undo; true when absent. */
  readonly notify?: boolean | undefined
  /** Whether the undo overrides booking rules even if the change moved nothing. */
  readonly overridesRules: boolean
}

/**
 * Undoes a change of a reservation: reverts fields, or removes an added reservation. The removal is refused if the
 * site's policy does not allow it, or if more was paid than was refunded.
 */
export async function undoReservation(
  tx: Tx,
  event: LoggedEvent,
  does: Undoing,
  { notify, overridesRules }: ReservationUndo = { overridesRules: false },
): Promise<void> {
  await lockCatalogue(tx)
  const now = await lockReservation(tx, event.objectId)
  const { id } = now
  const course = { ...statesIn<Reservation>(event), now }
  if (event.type === 'reservation.attendance') return undoAttendance(tx, event, now)
  if (does === 'remove') {
    const { after } = statesIn<LoggedAttendance & { readonly note?: string }>(event)
    requireUnchanged([
      ...changedSince(course, [...ofReservation, 'data']),
      ...(now.note === (after.note ?? '') ? [] : ['note']),
      ...(sameJson(now.attendance, loggedAttendance(after)) ? [] : ['attendance']),
    ])
    await removeReservation(tx, { id })
    return
  }
  const { back, since } = fieldsBack(course, ofReservation)
  const data = keysBack({ before: course.before.data, after: course.after.data, now: now.data }, 'data')
  const note = noteBack(statesIn<{ readonly note?: string }>(event), now)
  const moves = slotFields.some((name) => name in back)
  // A slot is booked as a whole: the fields that the move left as they were belong to the slot to return to as well.
  const slotSince = moves ? changedSince(course, slotFields) : []
  const terms = moves ? termsBack(event, now, back.status ?? now.status) : undefined
  requireUnchanged([...new Set([...since, ...slotSince]), ...data.since, ...note.since, ...(terms?.since ?? [])])
  if (note.back !== undefined) await setNote(tx, { id, note: note.back })
  await editReservation(tx, {
    id,
    ...back,
    data: data.back,
    ...('customerId' in back && feeBack(course)),
    ...(back.status === 'pending' && waitBack(event, now, tx.now)),
    ...(back.status === 'cancelled' && { cancelReason: reasonBack(event) }),
    // Moving a reservation back overrides booking rules such as the minimum notice, since the previous time was allowed
    // when it was booked. The undo of any edit of a double-booked reservation overrides them as well.
    ...(terms && { end: back.end ?? now.end, formerly: terms.back }),
    ...((moves || overridesRules || isDoubleBooked(now)) && { override: { reason: 'Undone' } }),
    ...(notify !== undefined && { notify }),
  })
}

/**
 * Returns the price and the attendance that the reservation had before the move to be undone, and the names of those
 * that the move changed and that were changed again since. `status` is that of the reservation after the undo.
 */
function termsBack(
  event: LoggedEvent,
  now: Reservation,
  status: ReservationStatus,
): { back: FormerTerms; since: readonly string[] } {
  const { before, after } = statesIn<LoggedTerms>(event)
  const price = fullPriceOf(now)
  const current = { price, attendance: now.attendance }
  const logged = (state: LoggedTerms) => ({ price: state.fullPrice ?? price, attendance: loggedAttendance(state) })
  const plan = { before: logged(before), after: logged(after), now: current }
  const { back, since } = fieldsBack<FormerTerms, keyof FormerTerms>(plan, ['price', 'attendance'])
  const { attendance = expectedAttendance } = back
  return {
    back: { price, ...back, attendance: admitsAttendance(status, attendance.state) ? attendance : expectedAttendance },
    since,
  }
}

interface LoggedTerms extends LoggedAttendance {
  readonly fullPrice?: SlotPrice
}

/**
 * Returns what the reservation waited for before the change to be undone, unless the time for that has ended or the
 * customer has paid since.
 */
function waitBack(event: LoggedEvent, now: Reservation, at: number): Pick<EditReservation, 'awaiting'> {
  const { before } = statesIn<LoggedWait>(event)
  const { awaits, expires, payment = null } = before
  if (!awaits || !expires || expires <= at || captured(now.payment) > captured(payment)) return {}
  return { awaiting: { awaits, expiresAt: expires } }
}

/** Returns the reason of the cancellation that the change to be undone lifted. */
function reasonBack(event: LoggedEvent): string {
  return statesIn<{ readonly cancelReason?: string }>(event).before.cancelReason ?? ''
}

interface LoggedWait {
  readonly awaits?: Reservation['awaits']
  readonly expires?: number
  readonly payment?: ReservationPayment | null
}

/** Returns the payment with the no-show fee to which the previous customer agreed, and which the edit dropped. */
function feeBack({ before, now }: UndoPlan<Reservation>): { readonly payment?: ReservationPayment } {
  const fee = before.payment?.noShowFee
  if (!fee || !now.payment || now.payment.noShowFee) return {}
  return { payment: withFeeState({ ...now.payment, noShowFee: fee }, 'agreed') }
}

/**
 * Compares the notes before and after the change to be undone. If they differ, `back` is the previous note, and `since`
 * contains `note` if the note was changed again later. Otherwise `back` is absent and `since` is empty.
 */
function noteBack(
  { before, after }: { readonly before: { readonly note?: string }; readonly after: { readonly note?: string } },
  now: Reservation,
): { readonly back?: string; readonly since: readonly string[] } {
  const [from, to] = [before.note ?? '', after.note ?? '']
  if (from === to) return { since: [] }
  return { back: from, since: now.note === to ? [] : ['note'] }
}

interface LoggedAttendance {
  readonly attendance?: ShownAttendance
}

async function undoAttendance(tx: Tx, event: LoggedEvent, now: Reservation): Promise<void> {
  const { before, after } = statesIn<LoggedAttendance>(event)
  const back = loggedAttendance(before)
  requireUnchanged(sameJson(now.attendance, loggedAttendance(after)) ? [] : ['attendance'])
  // The reservation may have been cancelled in the meantime.
  requireUnchanged(admitsAttendance(now.status, back.state) ? [] : ['status'])
  await storeAttendance(tx, now, back)
}

function loggedAttendance({ attendance }: LoggedAttendance): Attendance {
  return attendance ? readAttendance(attendance) : expectedAttendance
}

const ofCustomer = ['name', 'email', 'phone', 'host_user', 'timezone', 'language', 'status', 'details'] as const

type LoggedCustomer = ReturnType<typeof shownCustomerInFull>

/**
 * Undoes a change of a customer: reverts the profile, removes an added customer who has no pending or confirmed
 * reservations, or restores a removed one.
 */
export async function undoCustomer(tx: Tx, event: LoggedEvent, does: Undoing): Promise<void> {
  const logged = statesIn<LoggedCustomer>(event)
  const states = {
    before: logged.before && recordWithoutPlaceholder(logged.before),
    after: logged.after && recordWithoutPlaceholder(logged.after),
  }
  if (does === 'add') {
    await addAgain(tx, states.before)
    return
  }
  const now = recordWithoutPlaceholder(shownCustomerInFull(await lockCustomer(tx, event.objectId)))
  const { id } = now
  const course = { ...states, now }
  if (does === 'remove') {
    requireUnchanged(changedSince(course, ofCustomer))
    await removeCustomer(tx, { id })
    return
  }
  const { back, since } = fieldsBack(course, ofCustomer)
  requireUnchanged(since)
  const { host_user: hostUserId, details, ...own } = back
  const restored = details && { birthday: null, tags: [], phones: [], ...details }
  await editCustomer(tx, {
    ...{ id, ...own },
    ...(hostUserId !== undefined && { hostUserId }),
    ...('details' in back && { details: restored ?? null }),
  })
}

// Adds a removed customer again under the previous id, to which cancelled reservations still refer.
async function addAgain(tx: Tx, { host_user: hostUserId, ...before }: LoggedCustomer): Promise<void> {
  await tx.lock(customerLocks([before.id]))
  requireGone(await findCustomer(tx.db, before.id))
  await addCustomer(tx, { ...before, hostUserId, createUser: false })
}

/** Undoes the addition of a note by removing the note. */
export async function undoCustomerNote(tx: Tx, event: LoggedEvent): Promise<void> {
  const { after } = statesIn<{ readonly id: string }>(event)
  await removeCustomerNote(tx, { id: after.id })
}
