import type { Operation } from '../../db/perform/app.ts'
import { emailKey } from '../customer.ts'
import { unknownCustomer } from '../customers.operations.ts'
import { listCustomersAt } from '../customers.sql.ts'
import { deleteDeletionRequest, insertDeletionRequest } from './deletion.sql.ts'

/**
 * Stores, for every customer with the given e-mail address, a request to delete the customer's data, on which staff
 * decide. Returns the number of new requests; a customer with an open request is not counted.
 */
export const requestDeletion: Operation<{ readonly email: string }, { readonly requested: number }> = async (
  tx,
  { email },
) => {
  const customers = await listCustomersAt(tx.db, [emailKey(email)])
  let requested = 0
  for (const { id } of customers) {
    if (!(await insertDeletionRequest(tx.db, id, tx.now))) continue
    requested += 1
    await tx.append({ type: 'booking_page.deletion_requested', objectId: id, object: { id }, previous: null })
  }
  return { requested }
}

/**
 * Removes a customer's request for deletion; the customer's data stays. Erasing the customer removes the request as
 * well.
 */
export const declineDeletion: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  if (!(await deleteDeletionRequest(tx.db, id))) throw unknownCustomer()
  await tx.append({ type: 'booking_page.deletion_declined', objectId: id, object: { id }, previous: null })
  return {}
}
