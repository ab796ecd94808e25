import { createHash, randomBytes } from 'node:crypto'
import { lockCatalogue, requireProvider, requireService } from '../../catalogue/catalogue.operations.ts'
import type { Operation } from '../../db/perform/app.ts'
import { refusal } from '../../messages/refusal.ts'
import type { CalendarFeed, FeedScope } from './feed.ts'
import { deleteFeed, findFeed, insertFeed, listFeeds, markFeedRead } from './feeds.sql.ts'

/** The maximum number of calendar feeds of one provider, and of all feeds without a provider together. */
const maxFeeds = 50

/** Returns a new secret of a calendar feed, with 256 random bits. */
export function newFeedSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the hash under which the secret of a calendar feed is stored. */
export function hashFeedSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** The input of `addFeed`. */
export interface AddFeed extends FeedScope {
  readonly names: boolean
  /** The hash of the feed's secret. The secret itself is not part of the input. */
  readonly hash: string
  /** The provider to which the acting user is restricted; undefined for a user without such a restriction. */
  readonly ofProvider?: number
}

/**
 * Adds a calendar feed of a provider, a service or the site. A user with the role `provider` is refused any feed but
 * one of their own provider.
 */
export const addFeed: Operation<AddFeed, { readonly id: string }> = async (tx, input) => {
  const { providerId, serviceId, names, hash, ofProvider } = input
  const catalogue = await lockCatalogue(tx)
  if (ofProvider !== undefined && providerId !== ofProvider) throw refusal('provider_not_found')
  if (providerId !== null) requireProvider(catalogue, providerId)
  if (serviceId !== null) requireService(catalogue, serviceId)
  await tx.lock(['calendar-feeds'])
  if ((await listFeeds(tx.db, providerId)).length >= maxFeeds) throw refusal('feed_limit', { count: maxFeeds })
  const id = tx.newId('calendar_feed')
  const feed: CalendarFeed = { id, providerId, serviceId, names, createdAt: tx.now, readAt: null }
  await insertFeed(tx.db, feed, hash)
  await tx.append({ type: 'calendar.feed_created', objectId: id, object: shown(feed), previous: null })
  return { id }
}

/** Revokes a calendar feed; its address then returns the same response as an unknown address. */
export const revokeFeed: Operation<
  { readonly id: string; readonly ofProvider?: number },
  Record<string, never>
> = async (tx, { id, ofProvider }) => {
  await tx.lock(['calendar-feeds'])
  const feed = await findFeed(tx.db, id)
  if (!feed || (ofProvider !== undefined && feed.providerId !== ofProvider)) throw refusal('feed_not_found')
  await deleteFeed(tx.db, id)
  await tx.append({ type: 'calendar.feed_revoked', objectId: id, object: null, previous: shown(feed) })
  return {}
}

/** Records the UTC day on which a calendar feed was read. */
export const recordFeedRead: Operation<{ readonly id: string; readonly day: number }, Record<string, never>> = async (
  tx,
  { id, day },
) => {
  await markFeedRead(tx.db, id, day)
  return {}
}

function shown({ id, providerId, serviceId, names }: CalendarFeed) {
  return { id, providerId, serviceId, names }
}
