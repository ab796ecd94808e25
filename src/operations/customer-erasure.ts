import type { Operation } from '../app.ts'
import { type Customer, shownCustomerInFull } from '../domain/customer.ts'
import { recordWithoutPlaceholder } from '../domain/customer-email.ts'
import { Refusal } from '../domain/refusal.ts'
import { shownReservation } from '../domain/reservation.ts'
import { listNotes } from '../storage/customer-notes.ts'
import {
  blankEventsAbout,
  blankReservationsOf,
  deleteHostUsersOf,
  deleteNotesOf,
  findTraces,
  listEventsAbout,
  listReservationsOf,
} from '../storage/customer-traces.ts'
import { deleteCustomer, findCustomer, updateCustomer, updateCustomerKey } from '../storage/customers.ts'
import type { ReadDatabase } from '../storage/database.ts'
import { lockWithReservations } from './customer-merge.ts'
import { mostNotes } from './customer-notes.ts'
import { unknownCustomer } from './customers.ts'

/**
 * Takes everything personal of a customer out of the database: profile, notes, what reservations and the log say.
 * Past reservations stay, of nobody. Refuses while reservations are to come.
 */
export const eraseCustomer: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  const reservations = await lockWithReservations(tx, [id])
  const customer = await findCustomer(tx.db, id)
  if (!customer) throw unknownCustomer()
  const kept = reservations.filter(({ status }) => status !== 'cancelled')
  if (kept.some(({ end }) => end > tx.now))
    throw new Refusal(
      'customer_has_reservations',
      'This customer has pending or confirmed reservations to come. Cancel those first.',
    )
  const traces = await findTraces(tx.db, customer)
  const hostUserIds = await deleteHostUsersOf(tx.db, id, traces.hostUserIds)
  await blankEventsAbout(tx.db, { ...traces, hostUserIds })
  await blankReservationsOf(tx.db, id)
  await deleteNotesOf(tx.db, id)
  const nobody = kept.length > 0 ? nobodyInPlaceOf(customer) : null
  if (nobody) {
    await updateCustomer(tx.db, nobody, tx.now)
    await updateCustomerKey(tx.db, id, null)
  } else await deleteCustomer(tx.db, id)
  const object = nobody && shownCustomerInFull(nobody)
  await tx.append({ type: 'customer.erased', objectId: id, object, previous: null })
  return {}
}

// Past reservations refer to it, and whoever lists them still finds a customer.
function nobodyInPlaceOf({ id }: Customer): Customer {
  const email = `${id.replace(/[^0-9A-Za-z]/g, '')}@erased.invalid`
  return { id, name: 'Erased', email, phone: '', hostUserId: 0, status: 0, timezone: null, language: '' }
}

/** Everything that the service holds of a customer. */
export function exportCustomer(db: ReadDatabase, id: string) {
  return db.snapshot(async (read) => {
    const customer = await findCustomer(read, id)
    if (!customer) throw unknownCustomer()
    const reservations = await listReservationsOf(read, [id])
    const events = await listEventsAbout(read, await findTraces(read, customer))
    return {
      customer: recordWithoutPlaceholder(shownCustomerInFull(customer)),
      notes: (await listNotes(read, id, mostNotes)).map(({ text, createdAt }) => ({ text, created: createdAt })),
      reservations: reservations.map((one) => shownReservation(one, { full: true })),
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
