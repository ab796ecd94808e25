import { createHmac } from 'node:crypto'
import type { Reservation } from '../../reservations/reservation.ts'

/**
 * Returns the URL of the owner's page to which customers continue after a booking. With the secret of the host site
 * (the owner's website), the URL contains the id of the reservation, when it was booked, and an HMAC-SHA-256
 * signature of both in hexadecimal, by which the owner's page can verify that the booking page created the URL. Without
 * a secret, the URL is `afterUrl`.
 */
export function signedAfterUrl(
  afterUrl: string,
  { id, createdAt }: Pick<Reservation, 'id' | 'createdAt'>,
  secret: string | undefined,
): string {
  if (secret === undefined) return afterUrl
  const url = new URL(afterUrl)
  const signature = createHmac('sha256', secret).update(`${id}.${createdAt}`).digest('hex')
  url.searchParams.set('daybook_reservation', id)
  url.searchParams.set('daybook_time', String(createdAt))
  url.searchParams.set('daybook_signature', signature)
  return url.href
}
