import { createHash, randomBytes } from 'node:crypto'
import { emailKey } from '../../customers/customer.ts'
import { listCustomersAt } from '../../customers/customers.sql.ts'
import type { Operation } from '../../db/perform/app.ts'
import { enqueue } from '../../jobs/queue.ts'

/** The kind of the jobs that send a link to the bookings of an address. */
export const bookingsJobKind = 'bookings-mail'

/** What such a job carries: not the address, which would stay in a job that is parked. */
export interface BookingsJob {
  /** A customer with the address; empty for an address that nobody has. */
  readonly customerId: string
  readonly language: string
}

/**
 * Queues a message with a link to the bookings of an address. An address that nobody has is queued as well, and its job sends
 * nothing: the duration of the request tells nobody who is a customer. Asking again before the message is sent sends one.
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

/** Returns the secret of a new link, and the hash under which its access is stored. */
export function newBookingsSecret(): { readonly secret: string; readonly hash: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, hash: hashed(secret) }
}

function hashed(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
