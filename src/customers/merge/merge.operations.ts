import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import { type Reservation, shownReservation } from '../../reservations/reservation.ts'
import { reservationLocks } from '../../reservations/reservation-locks.ts'
import { blocked, type Customer, shownCustomerInFull } from '../customer.ts'
import { customerLocks } from '../customer-locks.ts'
import { unknownCustomer } from '../customers.operations.ts'
import { deleteCustomer, findCustomer, updateCustomer } from '../customers.sql.ts'
import { findDeletionRequests, insertDeletionRequest } from '../deletion/deletion.sql.ts'
import { mergedDetails } from '../details/customer-details.ts'
import { listReservationsOf, moveTraces } from '../erasure/traces.sql.ts'

/** The input of `mergeCustomers`: the ids of two customers, one of which remains. */
export interface MergeCustomers {
  /** The id of the customer who remains after the merge. */
  readonly id: string
  /**
   * The id of the customer who is removed. Reservations, notes, payments and messages move to the remaining customer.
   */
  readonly from: string
}

/**
 * Merges two customers into one. Fields that are empty in the remaining customer are taken from the removed one. The
 * remaining customer is blocked if either of the two was. When the removed customer asked for the deletion of their
 * data, this request becomes one of the remaining customer.
 */
export const mergeCustomers: Operation<MergeCustomers, Record<never, never>> = async (tx, { id, from }) => {
  if (id === from)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('merge_with_itself'),
      details: {
        from: message('same_customer'),
      },
    })
  const reservations = await lockWithReservations(tx, [id, from])
  const before = await requireCustomer(tx, id)
  const gone = await requireCustomer(tx, from)
  const after = filledFrom(before, gone)
  await moveTraces(tx.db, from, id, tx.now)
  const requestedAt = (await findDeletionRequests(tx.db, [from])).get(from)
  if (requestedAt !== undefined) await insertDeletionRequest(tx.db, id, requestedAt)
  // This also deletes the removed customer's consent to short messages (SMS). The consent applies to the removed
  // customer's own number, so it is not transferred to the remaining customer.
  await deleteCustomer(tx.db, from)
  await updateCustomer(tx.db, after, tx.now)
  for (const reservation of reservations.filter(({ customerId }) => customerId === from))
    await tx.append({
      type: 'reservation.updated',
      objectId: reservation.id,
      object: shownReservation({ ...reservation, customerId: id, updatedAt: tx.now }, { full: true }),
      previous: shownReservation(reservation, { full: true }),
    })
  await tx.append({
    type: 'customer.merged',
    objectId: id,
    object: { ...shownCustomerInFull(after), mergedFrom: from },
    previous: shownCustomerInFull(before),
  })
  await tx.append({ type: 'customer.removed', objectId: from, object: null, previous: shownCustomerInFull(gone) })
  return {}
}

/**
 * Locks customers, all of their reservations and the reservations with the ids in `others` until the transaction ends,
 * and returns the reservations of the customers.
 */
export async function lockWithReservations(
  tx: Tx,
  customerIds: readonly string[],
  others: readonly string[] = [],
): Promise<Reservation[]> {
  // The catalogue is locked before the customers also if there is no reservation yet, since the second call of `lock`
  // may lock it.
  const lock = async (): Promise<void> => {
    const found = await listReservationsOf(tx.db, customerIds)
    await tx.lock(['catalogue', ...reservationLocks([...new Set([...others, ...found.map(({ id }) => id)])])])
  }
  // Reservations are locked before customers. The edit of a reservation takes its locks in the same order, so that the
  // two do not deadlock. The second call of `lock` locks the few reservations that were added after the first call;
  // only for these, a deadlock is possible.
  await lock()
  await tx.lock(customerLocks(customerIds))
  await lock()
  return listReservationsOf(tx.db, customerIds)
}

async function requireCustomer(tx: Tx, id: string): Promise<Customer> {
  const customer = await findCustomer(tx.db, id)
  if (!customer) throw unknownCustomer()
  return customer
}

function filledFrom(stays: Customer, gone: Customer): Customer {
  const { details: _, ...rest } = stays
  const details = mergedDetails(stays, gone)
  return {
    ...rest,
    ...(details && { details }),
    email: stays.email || gone.email,
    phone: stays.phone || gone.phone,
    hostUserId: stays.hostUserId || gone.hostUserId,
    timezone: stays.timezone ?? gone.timezone,
    language: stays.language || gone.language,
    // The person behind both records must not get around a block by the removal of one record.
    status: gone.status === blocked ? blocked : stays.status,
  }
}
