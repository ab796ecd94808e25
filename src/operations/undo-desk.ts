import type { Tx } from '../app.ts'
import { shownCustomerInFull } from '../domain/customer.ts'
import { recordWithoutPlaceholder } from '../domain/customer-email.ts'
import type { LoggedEvent } from '../domain/event.ts'
import type { Reservation } from '../domain/reservation.ts'
import { changedSince, fieldsBack, keysBack, slotFields, type Undoing } from '../domain/undo.ts'
import { findCustomer } from '../storage/customers.ts'
import { statesIn } from '../storage/events.ts'
import { lockCatalogue } from './booking.ts'
import { removeCustomerNote } from './customer-notes.ts'
import { addCustomer, editCustomer, lockCustomer, removeCustomer } from './customers.ts'
import { editReservation } from './reservation-edit.ts'
import { lockReservation, removeReservation } from './reservations.ts'
import { requireGone, requireUnchanged } from './undo-course.ts'

const ofReservation = [...slotFields, 'customerId', 'status'] as const

/** Puts a reservation back, or removes one that was added where the site's policy allows it. */
export async function undoReservation(tx: Tx, event: LoggedEvent, does: Undoing): Promise<void> {
  await lockCatalogue(tx)
  const now = await lockReservation(tx, event.objectId)
  const { id } = now
  const course = { ...statesIn<Reservation>(event), now }
  if (does === 'remove') {
    requireUnchanged(changedSince(course, [...ofReservation, 'data']))
    await removeReservation(tx, { id })
    return
  }
  const { back, since } = fieldsBack(course, ofReservation)
  const data = keysBack({ before: course.before.data, after: course.after.data, now: now.data }, 'data')
  requireUnchanged([...since, ...data.since])
  const moves = slotFields.some((name) => name in back)
  await editReservation(tx, {
    id,
    ...back,
    data: data.back,
    // It was there before: what has become impossible since, such as its lead time, does not keep it away.
    ...(moves && { end: back.end ?? now.end, anyway: { reason: 'Undone' } }),
  })
}

const ofCustomer = ['name', 'email', 'phone', 'host_user', 'timezone', 'language', 'status'] as const

type LoggedCustomer = ReturnType<typeof shownCustomerInFull>

/** Puts a customer's profile back, removes one who was added and to whom no reservation refers, or adds one again. */
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
  const { host_user: hostUserId, ...own } = back
  await editCustomer(tx, { id, ...own, ...(hostUserId !== undefined && { hostUserId }) })
}

// Under the old id, to which cancelled reservations still refer.
async function addAgain(tx: Tx, { host_user: hostUserId, ...before }: LoggedCustomer): Promise<void> {
  await tx.lock([`customer:${before.id}`])
  requireGone(await findCustomer(tx.db, before.id))
  await addCustomer(tx, { ...before, hostUserId, createUser: false })
}

/** Removes a note that was added about a customer. */
export async function undoCustomerNote(tx: Tx, event: LoggedEvent): Promise<void> {
  const { after } = statesIn<{ readonly id: string }>(event)
  await removeCustomerNote(tx, { id: after.id })
}
