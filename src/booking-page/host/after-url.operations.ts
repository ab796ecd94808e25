import { createHmac } from 'node:crypto'

/**
 * Returns the address of the owner's page after a booking. With the secret of the host site, it contains the id of the
 * reservation, the time, and a signature (HMAC-SHA-256 of both, in hexadecimal) by which the page knows that they are ours.
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
