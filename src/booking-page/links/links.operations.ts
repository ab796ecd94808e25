import { lockCatalogue, requireService } from '../../catalogue/catalogue.operations.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import { type BookingLink, linkState, shownLink } from './booking-link.ts'
import { findLink, findLinkByHash, insertLink, markLinkRevoked, markLinkUsed } from './links.sql.ts'

/** The input of `addLink`. */
export interface AddLink extends Pick<BookingLink, 'serviceId' | 'singleUse' | 'expiresAt'> {
  /** The hash of the private link's secret. The secret itself is not part of the input. */
  readonly hash: string
}

/** Adds a private link to a service. */
export const addLink: Operation<AddLink, { readonly id: string }> = async (tx, input) => {
  const { serviceId, singleUse, expiresAt, hash } = input
  requireService(await lockCatalogue(tx), serviceId)
  const link: BookingLink = {
    ...{ id: tx.newId('booking_link'), serviceId, singleUse, expiresAt, createdAt: tx.now },
    ...{ usedAt: null, reservationId: null, revokedAt: null },
  }
  await insertLink(tx.db, link, hash)
  await tx.append({ type: 'booking_page.link_created', objectId: link.id, object: shownLink(link), previous: null })
  return { id: link.id }
}

/** Revokes a private link; does nothing when it is already revoked. */
export const revokeLink: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await tx.lock([`booking-link:${id}`])
  const link = await findLink(tx.db, id)
  if (!link) throw refusal('booking_link_not_found')
  if (link.revokedAt !== null) return {}
  await markLinkRevoked(tx.db, id, tx.now)
  await tx.append({ type: 'booking_page.link_revoked', objectId: id, object: null, previous: shownLink(link) })
  return {}
}

/**
 * Returns the private link whose secret has the given hash, locked until the transaction ends. Refuses with
 * `booking_link_invalid` a link that is unknown, used, expired, revoked or for another service.
 */
export async function claimLink(tx: Tx, hash: string, serviceId: string): Promise<BookingLink> {
  const seen = await findLinkByHash(tx.db, hash)
  if (seen?.serviceId !== serviceId) throw refusal('booking_link_invalid')
  await tx.lock([`booking-link:${seen.id}`])
  const link = await findLink(tx.db, seen.id)
  if (!link || linkState(link, tx.now) !== 'open') throw refusal('booking_link_invalid')
  return link
}

/**
 * Marks a single-use link as used by a reservation, in the transaction that books it; does nothing for a link that can
 * be used repeatedly.
 */
export async function spendLink(tx: Tx, { id, singleUse }: BookingLink, reservationId: string): Promise<void> {
  if (singleUse) await markLinkUsed(tx.db, id, reservationId, tx.now)
}
