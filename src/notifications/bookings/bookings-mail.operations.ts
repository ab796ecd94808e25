import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../customers/customer.ts'
import { listCustomersAt } from '../../customers/customers.sql.ts'
import type { Operation } from '../../db/perform/app.ts'
import { enqueue } from '../../jobs/queue.ts'

/** The kind of the jobs that send a link to the bookings of an address. */
export const bookingsJobKind = 'bookings-mail'

/**
 * The payload of a job that sends a link to bookings. It does not contain the e-mail address, because a job that has
 * failed in its last attempt remains stored with its payload.
 */
export interface BookingsJob {
  /** The id of a customer with the address; empty when no customer has the address. */
  readonly customerId: string
  readonly language: string
}

/**
 * Queues a message with a link to the bookings of an e-mail address. For an address without a customer, a job that
 * sends nothing is queued as well, so that the duration of the request does not reveal who is a customer. Several
 * requests before the job starts result in one message.
 */
export const askForBookings: Operation<
  { readonly email: string; readonly language: string },
  Record<never, never>
> = async (tx, { email, language }) => {
  const key = emailKey(email)
  const [customer] = await listCustomersAt(tx.db, [key])
  const payload: BookingsJob = { customerId: customer?.id ?? '', language }
  await enqueue(tx, [{ kind: bookingsJobKind, key: hashed(key), payload }])
  return {}
}

/** Returns a new random secret for a link to bookings, and its hash, under which the database stores the link. */
export function newBookingsSecret(): { readonly secret: string; readonly hash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashed(secret) }
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
