import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { CalendarFeedTable } from '../../db/query/calendar-tables.ts'
import { isWith } from '../../reservations/occupancy.sql.ts'
import { type CalendarFeed, type FeedEvent, type FeedScope, maxFeedEvents } from './feed.ts'

/** Returns the calendar feed whose secret has the given hash; undefined when there is none. */
export async function findFeedByHash(db: Database, hash: string): Promise<CalendarFeed | undefined> {
  const row = await db.build.selectFrom('calendar_feed').selectAll().where('hash', '=', hash).executeTakeFirst()
  return row && toFeed(row)
}

/** Returns the calendar feed with the given id; undefined when there is none. */
export async function findFeed(db: Database, id: string): Promise<CalendarFeed | undefined> {
  const row = await db.build.selectFrom('calendar_feed').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toFeed(row)
}

/**
 * Returns the calendar feeds of a provider or, for null, those of services and of the site, in the order of creation.
 */
export async function listFeeds(db: Database, providerId: number | null): Promise<CalendarFeed[]> {
  const rows = await db.build
    .selectFrom('calendar_feed')
    .selectAll()
    .where('provider_id', providerId === null ? 'is' : '=', providerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toFeed)
}

/** Stores a new calendar feed with the hash of its secret. */
export async function insertFeed(db: Database, feed: CalendarFeed, hash: string): Promise<void> {
  const { id, providerId, serviceId, names, createdAt } = feed
  const row = { id, hash, provider_id: providerId, service_id: serviceId, names: names ? 1 : 0, created_at: createdAt }
  await db.build
    .insertInto('calendar_feed')
    .values({ ...row, read_at: null })
    .execute()
}

/** Deletes a calendar feed. */
export async function deleteFeed(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('calendar_feed').where('id', '=', id).execute()
}

/** Records the day on which a calendar feed was read. */
export async function markFeedRead(db: Database, id: string, day: number): Promise<void> {
  await db.build.updateTable('calendar_feed').set({ read_at: day }).where('id', '=', id).execute()
}

/**
 * The reservations that a feed shows: the uncancelled ones of a scope that start at or after `after` (Unix seconds).
 */
export interface CalendarFeedQuery {
  readonly scope: FeedScope
  readonly after: number
}

/**
 * A cache key that changes with the events of a calendar feed, and the time of the last change in Unix seconds. Of two
 * changes within one second, the later one may leave the key unchanged.
 */
export interface FeedState {
  readonly key: string
  readonly changedAt: number
}

/** Returns the cache key of a calendar feed's events and the time of their last change, without loading the events. */
export async function findFeedState(db: Database, query: CalendarFeedQuery): Promise<FeedState> {
  const { rows } = await sql<Record<'count' | 'versions' | 'changed' | 'last' | 'named', number | string | null>>`
    select count(*) as count, coalesce(sum(reservation.version), 0) as versions,
      coalesce(max(reservation.updated_at), 0) as changed, max(reservation.id) as last,
      coalesce(max(customer.updated_at), 0) as named
    from reservation left join customer on customer.id = reservation.customer_id
    where ${matching(query)}`.execute(db.build)
  const { count = 0, versions = 0, changed = 0, last = '', named = 0 } = rows[0] ?? {}
  return {
    key: `${count} ${versions} ${changed} ${last} ${named}`,
    changedAt: Math.max(Number(changed), Number(named)),
  }
}

/** Returns the first `maxFeedEvents` events of a calendar feed, ordered by start. */
export async function listFeedEvents(db: Database, query: CalendarFeedQuery): Promise<FeedEvent[]> {
  const { rows } = await sql<FeedRow>`
    select reservation.id, reservation.start_at, reservation.end_at, reservation.status, reservation.version,
      reservation.updated_at, reservation.meeting, service.name as service, provider.name as provider, customer.name as customer
    from reservation left join customer on customer.id = reservation.customer_id
      left join service on service.id = reservation.service_id
      left join provider on provider.id = reservation.provider_id
    where ${matching(query)}
    order by reservation.start_at, reservation.id limit ${maxFeedEvents}`.execute(db.build)
  return rows.map((row) => ({
    id: row.id,
    start: Number(row.start_at),
    end: Number(row.end_at),
    isPending: row.status === 'pending',
    version: Number(row.version),
    updatedAt: Number(row.updated_at),
    service: row.service ?? '',
    provider: row.provider ?? '',
    meeting: row.meeting ?? '',
    customer: row.customer ?? '',
  }))
}

interface FeedRow {
  readonly id: string
  readonly start_at: number
  readonly end_at: number
  readonly status: string
  readonly version: number
  readonly updated_at: number
  readonly service: string | null
  readonly provider: string | null
  readonly meeting: string | null
  readonly customer: string | null
}

/**
 * Returns the SQL condition that selects the reservations of a feed. A reservation of several providers at once is part
 * of the feed of every provider whose time it occupies.
 */
function matching({ scope: { providerId, serviceId }, after }: CalendarFeedQuery) {
  const current = sql`reservation.start_at >= ${after} and reservation.status <> 'cancelled'`
  if (serviceId !== null) return sql`${current} and reservation.service_id = ${serviceId}`
  if (providerId === null) return current
  return sql`${current} and ${isWith(providerId, after)}`
}

function toFeed(row: CalendarFeedTable): CalendarFeed {
  return {
    id: row.id,
    providerId: row.provider_id,
    serviceId: row.service_id,
    names: row.names === 1,
    createdAt: row.created_at,
    readAt: row.read_at,
  }
}
