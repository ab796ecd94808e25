import { createHmac } from 'node:crypto'

/**
 * Returns the URL of the owner's page to which customers continue after a booking. With the secret of the host site
 * (the owner's website), the URL contains the id of the reservation, the time in Unix seconds, and an HMAC-SHA-256
 * signature of both in hexadecimal, by which the owner's page can verify that the booking page created the URL. Without
 * a secret, the URL is `afterUrl`.
 */
export function signedAfterUrl(
  afterUrl: string,
  {
    reservationId,
    secret,
    now,
  }: { readonly reservationId: string; readonly secret: string | undefined; readonly now: number },
): string {
  if (secret === undefined) return afterUrl
  const url = new URL(afterUrl)
  const signature = createHmac('sha256', secret).update(`${reservationId}.${now}`).digest('hex')
  url.searchParams.set('daybook_reservation', reservationId)
  url.searchParams.set('daybook_time', String(now))
  url.searchParams.set('daybook_signature', signature)
  return url.href
}
