import type { ReadDatabase } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import type { LoggedEvent } from '../../history/event.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { shownReservation } from '../../reservations/reservation.ts'
import { findReservation } from '../../reservations/reservations.sql.ts'
import { type Customer, emailKey, shownCustomerInFull } from '../customer.ts'
import { recordWithoutPlaceholder } from '../customer-email.ts'
import { customerLocks } from '../customer-locks.ts'
import { unknownCustomer } from '../customers.operations.ts'
import { deleteCustomer, findCustomer, updateCustomer, updateCustomerKey } from '../customers.sql.ts'
import { deleteDeletionRequest, findDeletionRequests } from '../deletion/deletion.sql.ts'
import { lockWithReservations } from '../merge/merge.operations.ts'
import { listNotes } from '../notes/notes.sql.ts'
import { findSmsConsent } from '../sms-consent/sms-consent.sql.ts'
import { listMessagesTo, listPaymentsBy, listReceiptsTo, listRefundsTo, listSuppressionsOf } from './exported.sql.ts'
import {
  blankReassigned,
  type ComparedReservation,
  compareReassigned,
  listLogsBefore,
  listReassigned,
  replaceEventBodies,
} from './reassigned.sql.ts'
import { dataSince, eventsOfOthers } from './reassigned-events.ts'
import {
  blankEventsAbout,
  blankRefundReasons,
  blankReservationsOf,
  type CustomerTraces,
  deleteBookingsAccess,
  deleteHostUsersOf,
  deleteMessagesOf,
  deleteNotesOf,
  findTraces,
  hasTraces,
  listBookingsAccess,
  listEventsAbout,
  listIdsOf,
  listRatingsOf,
  listReservationsOf,
} from './traces.sql.ts'

/**
 * Erases a customer's personal data, such as the profile, notes, messages, and data in reservations and the event log.
 * Of payments, only the reasons that staff gave for refunds and write-offs are erased. The customer need not exist any
 * more: the event log's data about a customer who was removed, merged into another, or removed by undoing an import is
 * erased as well. Reservations remain without personal data. A reservation that was reassigned to another customer
 * loses the integration data, note, rating and reason for a cancellation that it had before and that are unchanged
 * since; that customer's messages, and the reasons for refunds and write-offs given since, remain. Of the event log of
 * a reservation that another customer had before or after, the states that belong to that customer remain, without
 * texts. Refuses while a pending or confirmed reservation of the customer has not ended, and when neither the customer
 * nor data about the customer in the event log exists.
 */
export const eraseCustomer: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  // The reservations that were reassigned to another customer from this customer or a customer merged into this one,
  // each with its integration data before the reassignment, which the event log contains.
  const reassigned = await listReassigned(tx.db, await listIdsOf(tx.db, id))
  const reassignedIds = reassigned.map((one) => one.id)
  const reservations = await lockWithReservations(tx, [id], reassignedIds)
  const given = await Promise.all(reassigned.map((one) => compareReassigned(tx.db, one)))
  const customer = await findCustomer(tx.db, id)
  const kept = reservations.filter(({ status }) => status !== 'cancelled')
  if (kept.some(({ end }) => end > tx.now))
    throw new Refusal({ code: 'customer_has_reservations', message: message('customer_has_coming_reservations') })
  const traces = await findTraces(tx.db, id)
  // The log of a message that is being sent to a merged customer is written with the lock of that customer.
  await tx.lock(customerLocks(traces.customerIds))
  if (!customer && !(await hasTraces(tx.db, traces))) throw unknownCustomer()
  const before = await listLogsBefore(tx.db, traces)
  const hostUserIds = await deleteHostUsersOf(tx.db, id, traces.hostUserIds)
  await blankEventsAbout(tx.db, { ...traces, hostUserIds })
  // Unsent messages to the customers to whom the reservations were given are composed from these events. Exports and
  // erasures of the customers who had the reservations before, and their receipts, rely on them.
  await replaceEventBodies(tx.db, eventsOfOthers([...before, ...given], traces.customerIds))
  await blankReservationsOf(tx.db, id)
  await blankRefundReasons(tx.db, traces.ownReservationIds)
  for (const one of given) {
    await blankRefundReasons(tx.db, [one.id], one.at)
    await clearReassigned(tx, one)
  }
  await deleteNotesOf(tx.db, id)
  const addresses = [...traces.addresses, ...(customer ? [customer.email] : [])]
  await deleteMessagesOf(tx.db, traces, addresses)
  await deleteDeletionRequest(tx.db, id)
  await deleteBookingsAccess(tx.db, addresses.map(emailKey))
  const nobody = customer && kept.length > 0 ? anonymised(customer) : null
  if (nobody) {
    await updateCustomer(tx.db, nobody, tx.now)
    await updateCustomerKey(tx.db, id, null)
  } else if (customer) await deleteCustomer(tx.db, id)
  const object = nobody && shownCustomerInFull(nobody)
  await tx.append({ type: 'customer.erased', objectId: id, object, previous: null })
  return {}
}

/** Removes what a reservation had when it was reassigned and what is unchanged since. */
async function clearReassigned(tx: Tx, before: ComparedReservation): Promise<void> {
  const reservation = await findReservation(tx.db, before.id)
  if (!reservation) return
  await blankReassigned(tx.db, { ...before, data: dataSince(reservation.data, before.data) })
}

// Returns the customer that overwrites the row of an erased customer who has reservations that were not cancelled,
// which refer to the customer by id. Without such reservations, the row is deleted. The customer has no e-mail address,
// so that no message is sent.
function anonymised({ id }: Customer): Customer {
  return { id, name: 'Erased', email: '', phone: '', hostUserId: 0, status: 0, timezone: null, language: '' }
}

/**
 * Returns an event with only those states of its object that belong to the customer: a reservation may have belonged to
 * another customer before or after. Returns no event if it has no such state.
 */
function eventOf(event: LoggedEvent, { customerIds }: CustomerTraces): readonly LoggedEvent[] {
  const isOther = (state: LoggedEvent['object']): boolean =>
    typeof state?.customerId === 'string' && !customerIds.includes(state.customerId)
  const object = isOther(event.object) ? null : event.object
  const previous = isOther(event.previous) ? null : event.previous
  return object === event.object || object || previous ? [{ ...event, object, previous }] : []
}

/**
 * Returns the data that is stored about a customer, such as notes, reservations, messages, payments and history, for
 * the customer's request. Times are Unix seconds.
 */
export function exportCustomer(db: ReadDatabase, id: string) {
  return db.snapshot(async (read) => {
    const customer = await findCustomer(read, id)
    if (!customer) throw unknownCustomer()
    const reservations = await listReservationsOf(read, [id])
    const traces = await findTraces(read, id)
    const events = (await listEventsAbout(read, traces)).flatMap((event) => eventOf(event, traces))
    const messages = await listMessagesTo(read, id)
    const shortMessages = (await findSmsConsent(read, id)) ?? null
    const addresses = [customer.email, ...traces.addresses]
    const recipients = [...addresses, ...messages.map(({ recipient }) => recipient)]
    if (shortMessages) recipients.push(shortMessages.number)
    return {
      customer: recordWithoutPlaceholder(shownCustomerInFull(customer)),
      notes: (await listNotes(read, id)).map(({ text, createdAt }) => ({ text, created: createdAt })),
      reservations: reservations.map((one) => shownReservation(one, { full: true })),
      ratings: await listRatingsOf(read, id),
      shortMessages,
      deletionRequested: (await findDeletionRequests(read, [id])).get(id) ?? null,
      bookingsAccess: await listBookingsAccess(read, addresses.map(emailKey)),
      messages,
      suppressions: await listSuppressionsOf(read, recipients),
      payments: await listPaymentsBy(read, id),
      refunds: await listRefundsTo(read, id, traces),
      receipts: await listReceiptsTo(read, traces),
      history: events.map(({ type, objectId, createdAt, object, previous }) => ({
        type,
        id: objectId,
        created: createdAt,
        object: object && recordWithoutPlaceholder(object),
        previous: previous && recordWithoutPlaceholder(previous),
      })),
    }
  })
}
