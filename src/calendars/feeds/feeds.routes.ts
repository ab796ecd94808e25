import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { narrowed, ownProvider, type PanelContext } from '../../access/sessions/panel-session.routes.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { calendarFeedRoutes } from '../../contract/panel/calendars/calendar-feeds.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import type { Handlers } from '../../http/call.ts'
import { createThrottle } from '../../http/load/throttle.ts'
import { networkOf } from '../../http/network.ts'
import { isKnown, send, sendUnchanged } from '../../http/response/response.ts'
import type { Daybook, Operations } from '../../operations.ts'
import { type CalendarFeed, feedDaysBack } from './feed.ts'
import { feedText } from './feed-text.ts'
import { hashFeedSecret, newFeedSecret } from './feeds.operations.ts'
import { findFeedByHash, findFeedState, listFeedEvents, listFeeds } from './feeds.sql.ts'

/** Route handlers that list, add and revoke calendar feeds. */
export function calendarFeedHandlers({
  app,
  origin,
}: Pick<PanelContext, 'app' | 'origin'>): Handlers<typeof calendarFeedRoutes, Operations> {
  return {
    'GET /calendar-feeds/': async ({ query: { providerId = null }, session }) => {
      const own = ownProvider(session)
      const feeds = own === undefined || own === providerId ? await listFeeds(app.db, providerId) : []
      return {
        items: feeds.map(({ id, serviceId, names, createdAt, readAt }) => ({
          id,
          serviceId,
          names,
          createdAt,
          readAt,
        })),
      }
    },
    'POST /calendar-feeds/add/': async ({ body, session, perform }) => {
      const { providerId = null, serviceId = null, names } = body
      const secret = newFeedSecret()
      const scope = { providerId, serviceId: providerId === null ? serviceId : null }
      const { id } = await perform('calendars.feeds.add', {
        ...scope,
        names,
        hash: hashFeedSecret(secret),
        ...narrowed(session),
      })
      return { id, url: `${origin()}${root}${secret}.ics` }
    },
    'POST /calendar-feeds/revoke/': ({ body, session, perform }) =>
      perform('calendars.feeds.revoke', { ...body, ...narrowed(session) }),
  }
}

const root = '/calendar-feed/'
const readsPerMinute = 120
const daySeconds = 86_400

const headers = {
  'Content-Type': 'text/calendar; charset=utf-8',
  'Cache-Control': 'private, no-cache',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
} as const

/** The dependencies of `serveFeeds`. */
export interface FeedSources {
  readonly app: Daybook
  origin(): string
}

/** Serves calendar feeds at their secret addresses; an unknown and a revoked address get the same response. */
export function serveFeeds(fastify: FastifyInstance, sources: FeedSources): void {
  const cache = new FeedCache()
  const throttle = createThrottle()
  const route = `${root}:secret`
  fastify.get(route, { config: { row: `GET ${root}`, open: true } }, async (request, reply) => {
    const { app } = sources
    const now = app.now()
    if (!throttle.count(networkOf(request.ip), readsPerMinute, now).allowed) {
      answer(reply, { status: 429, headers: { 'Retry-After': '60' }, body: '' })
      return
    }
    const [, secret] = /^([\w-]{43})(?:\.ics)?$/.exec(secretOf(request)) ?? []
    const feed = secret === undefined ? undefined : await findFeedByHash(app.db, hashFeedSecret(secret))
    if (!feed) {
      answer(reply, { status: 404, headers: {}, body: '' })
      return
    }
    const { text, tag } = await cache.read(sources, feed)
    await recordRead(app, feed)
    reply.hijack()
    if (isKnown(tag, request.headers['if-none-match'])) sendUnchanged(reply.raw, { ...headers, ETag: tag })
    else send(reply.raw, { status: 200, headers: { ...headers, ETag: tag }, body: text })
  })
}

function secretOf({ params }: FastifyRequest): string {
  return String(Object(params).secret ?? '')
}

function answer(reply: FastifyReply, { status, headers: more, body }: Parameters<typeof send>[1]): void {
  reply.hijack()
  send(reply.raw, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...more }, body })
}

/** Records the first reading of a calendar feed on each UTC day, so that unused feeds can be found and revoked. */
async function recordRead(app: Daybook, { id, readAt }: CalendarFeed): Promise<void> {
  const now = app.now()
  const day = Math.floor(now / daySeconds) * daySeconds
  if (readAt !== null && readAt >= day) return
  await app.perform('calendars.feeds.read', { id, day }, { ...workerContext('feeds'), now })
}

interface CachedFeed {
  readonly key: string
  /**
   * Whether the last change of the feed's events was more than one second before the text was composed. Otherwise,
   * another change within the same second may leave the cache key unchanged, so the text is not served from the cache.
   */
  readonly isSettled: boolean
  readonly text: Buffer
  readonly tag: string
}

const maxCachedBytes = 32 * 1024 * 1024

/** A cache of the texts of feeds. A text is reused while events, catalogue, UTC day and public origin are unchanged. */
class FeedCache {
  readonly #texts = new Map<string, CachedFeed>()
  #bytes = 0

  async read({ app, origin }: FeedSources, feed: CalendarFeed): Promise<CachedFeed> {
    const now = app.now()
    const catalogue = await loadCatalogue(app.db)
    const after = (Math.floor(now / daySeconds) - feedDaysBack) * daySeconds
    const query = { scope: feed, after }
    const state = await findFeedState(app.db, query)
    const key = `${catalogue.version} ${after} ${origin()} ${state.key}`
    const known = this.#texts.get(feed.id)
    if (known?.key === key && known.isSettled) return known
    const events = await listFeedEvents(app.db, query)
    const host = new URL(origin()).hostname
    const parts: string[] = []
    for (const part of feedText({ feed, name: nameOf(catalogue, feed), host, events })) {
      parts.push(part)
      // Yields to the event loop, so that other requests run between two parts of the feed.
      await setImmediate()
    }
    const text = Buffer.from(parts.join(''))
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
    const made: CachedFeed = { key, isSettled: state.changedAt < now - 1, text, tag }
    this.#keep(feed.id, made)
    return made
  }

  #keep(id: string, made: CachedFeed): void {
    this.#bytes += made.text.length - (this.#texts.get(id)?.text.length ?? 0)
    this.#texts.delete(id)
    this.#texts.set(id, made)
    // The texts that were composed longest ago are evicted first.
    for (const [oldest, { text }] of this.#texts) {
      if (this.#bytes <= maxCachedBytes || oldest === id) break
      this.#texts.delete(oldest)
      this.#bytes -= text.length
    }
  }
}

function nameOf(catalogue: Catalogue, { providerId, serviceId }: CalendarFeed): string {
  const part =
    providerId !== null
      ? catalogue.provider(providerId)?.name
      : serviceId !== null
        ? catalogue.service(serviceId)?.name
        : undefined
  return part === undefined ? catalogue.site.name : `${catalogue.site.name} · ${part}`
}
