import type { Operation } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { countAccesses, deleteAccess, findAccess, insertAccess } from './access.sql.ts'

/**
 * Seconds for which a link to "My bookings" is valid. Once the customer has opened the link, the browser has access for
 * the same number of seconds.
 */
export const accessSeconds = 3_600
// The maximum number of links to "My bookings" per e-mail address and hour, so that strangers cannot flood a mailbox. A
// link that was opened counts for an hour from its opening, or until the customer ends the access.
const maxLinksPerHour = 5

/**
 * Creates access to the bookings of an e-mail address through a link, which the caller sends to this address; `issued`
 * is false when the address has reached its limit per hour.
 */
export const issueAccess: Operation<
  { readonly emailKey: string; readonly hash: string },
  { readonly issued: boolean }
> = async (tx, { emailKey, hash }) => {
  await tx.lock([`bookings-access:${emailKey}`])
  if ((await countAccesses(tx.db, emailKey, tx.now - accessSeconds)) >= maxLinksPerHour) return { issued: false }
  await insertAccess(tx.db, { kind: 'link', emailKey, expiresAt: tx.now + accessSeconds }, { hash, now: tx.now })
  return { issued: true }
}

/**
 * Exchanges a link to "My bookings" for access by the browser in which it was opened; refuses a link that was used or
 * has expired.
 */
export const openAccess: Operation<
  { readonly hash: string; readonly browserHash: string },
  Record<never, never>
> = async (tx, { hash, browserHash }) => {
  await tx.lock([`bookings-access:${hash}`])
  const link = await findAccess(tx.db, 'link', hash, tx.now)
  if (!link) throw refusal('link_invalid')
  await deleteAccess(tx.db, hash)
  const access = { kind: 'browser', emailKey: link.emailKey, expiresAt: tx.now + accessSeconds } as const
  await insertAccess(tx.db, access, { hash: browserHash, now: tx.now })
  return {}
}

/** Ends the access of a browser to "My bookings". */
export const endAccess: Operation<{ readonly hash: string }, Record<never, never>> = async (tx, { hash }) => {
  await deleteAccess(tx.db, hash)
  return {}
}
