import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { beginning, type Cursor, toEvent } from '../db/log/event-log.ts'
import { countRows, maxCounted } from '../db/query/count-rows.ts'
import type { WebhookDeliveryTable } from '../db/query/job-tables.ts'
import type { EventTable } from '../db/query/tables.ts'
import type { LoggedEvent } from '../history/event.ts'

/**
 * The state of a delivery: `failed` after the last attempt or a response 410, `cancelled` if its endpoint was disabled
 * or its job was discarded.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'cancelled'

/** The delivery of one event to one webhook endpoint, with its state. */
export interface Delivery {
  readonly id: string
  readonly endpointId: string
  /** The id of the event, sent in the header `webhook-id`. */
  readonly eventId: string
  readonly seq: string
  readonly type: string
  readonly objectId: string
  /** The payload as JSON when the event log does not contain the event; null for an event of the log. */
  readonly payload: string | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: number | null
  readonly lastStatus: number | null
  readonly lastError: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

const rowsAtOnce = 500

/**
 * Returns the events of a range in log order. The caller must make sure that all events of the range are settled, that
 * is, no event can be inserted before them any more.
 */
export async function listEventsBetween(
  db: Database,
  { after, until, kinds, limit = -1 }: EventRange,
): Promise<LoggedEvent[]> {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    .where(sql<boolean>`(tx, n) > (${after.tx}, ${after.n})`)
    .where(sql<boolean>`(tx, n) <= (${until.tx}, ${until.n})`)
    .where(db.dialect.listed(db.dialect.narrowing(sql.ref('kind')), kinds, 'text'))
    .orderBy('tx')
    .orderBy('n')
    .$if(limit > 0, (query) => query.limit(limit))
    .execute()
  return rows.map(toEvent)
}

/**
 * A range of the event log: the events of these kinds after `after`, up to and including `until`, but at most `limit`.
 */
export interface EventRange {
  readonly after: Cursor
  readonly until: Cursor
  readonly kinds: readonly string[]
  readonly limit?: number
}

/**
 * Returns the position in the event log that precedes every event since an instant (Unix seconds), directly before the
 * first of them; without any, that of the last event, or the beginning of an empty log. Older events may follow the
 * position, because on PostgreSQL an event may precede one with an earlier `created_at`.
 */
export async function findCursorBefore(db: Database, at: number): Promise<Cursor> {
  const positions = db.build.selectFrom('event').select(['tx', 'n'])
  const first = await positions
    .where('created_at', '>=', at)
    // Without the expression, PostgreSQL may read the log from its start instead of the covering index on the time.
    .orderBy(sql`tx + 0`)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
  if (first) return { tx: first.tx, n: first.n - 1 }
  return (await positions.orderBy('tx', 'desc').orderBy('n', 'desc').limit(1).executeTakeFirst()) ?? beginning
}

/**
 * Inserts deliveries. A delivery that already exists for the same endpoint and event retains its id, and is reset to
 * wait for a first attempt.
 */
export async function insertDeliveries(db: Database, deliveries: readonly Delivery[]): Promise<void> {
  for (let from = 0; from < deliveries.length; from += rowsAtOnce) {
    await db.build
      .insertInto('webhook_delivery')
      .values(deliveries.slice(from, from + rowsAtOnce).map(toRow))
      .onConflict((conflict) =>
        conflict.columns(['endpoint_id', 'event_id']).doUpdateSet((row) => ({
          state: 'waiting',
          attempts: 0,
          next_at: row.ref('excluded.next_at'),
          finished_at: null,
        })),
      )
      .execute()
  }
}

/** Returns the ids of the deliveries of these events to one endpoint. */
export async function listDeliveryIds(
  db: Database,
  endpointId: string,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await db.build
    .selectFrom('webhook_delivery')
    .select('id')
    .where('endpoint_id', '=', endpointId)
    .where((row) => db.dialect.listed(row.ref('event_id'), eventIds, 'text'))
    .execute()
  return rows.map(({ id }) => id)
}

/** A delivery with its event; the event is absent when the event log does not contain it. */
export interface DeliveryWithEvent {
  readonly delivery: Delivery
  readonly event: LoggedEvent | undefined
}

/**
 * Returns the deliveries with these ids, in any order; unknown ids, and deliveries to removed endpoints, are left out.
 */
export async function listDeliveries(db: Database, ids: readonly string[]): Promise<Delivery[]> {
  const rows = await db.build
    .selectFrom('webhook_delivery')
    .selectAll()
    .where((row) => db.dialect.listed(row.ref('id'), ids, 'text'))
    .where(hasEndpoint(db))
    .execute()
  return rows.map(toDelivery)
}

/** Returns a delivery with its event; undefined for an unknown id. */
export async function findDeliveryWithEvent(db: Database, id: string): Promise<DeliveryWithEvent | undefined> {
  const [delivery] = await listDeliveries(db, [id])
  if (!delivery) return undefined
  const event = await findEventNamed(db, delivery.eventId)
  return { delivery, event: event && toEvent(event) }
}

async function findEventNamed(db: Database, id: string): Promise<EventTable | undefined> {
  return db.build.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Stores what an attempt at a delivery changes. */
export async function updateDelivery(
  db: Database,
  id: string,
  { state, attempts, nextAt, lastStatus, lastError, finishedAt }: DeliveryChange,
): Promise<void> {
  await db.build
    .updateTable('webhook_delivery')
    .set({
      ...{ state, attempts, next_at: nextAt, finished_at: finishedAt },
      ...{ last_status: lastStatus, last_error: lastError },
    })
    .where('id', '=', id)
    .execute()
}

/** What an attempt changes in a delivery; an absent member remains as it is. */
type DeliveryChange = Pick<Delivery, 'lastStatus' | 'lastError'> &
  Partial<Pick<Delivery, 'state' | 'attempts' | 'nextAt' | 'finishedAt'>>

/** Resets deliveries to wait for a first attempt; the status and error of their last attempt remain. */
export async function restartDeliveries(db: Database, ids: readonly string[], now: number): Promise<void> {
  await db.build
    .updateTable('webhook_delivery')
    .set({ state: 'waiting', attempts: 0, next_at: now, finished_at: null })
    .where((row) => db.dialect.listed(row.ref('id'), ids, 'text'))
    .execute()
}

/** Cancels the deliveries to an endpoint that are waiting, or only the one with this id if it is waiting. */
export async function cancelWaiting(
  db: Database,
  of: { readonly endpointId: string } | { readonly id: string },
  now: number,
): Promise<void> {
  const [column, value] = 'id' in of ? (['id', of.id] as const) : (['endpoint_id', of.endpointId] as const)
  await db.build
    .updateTable('webhook_delivery')
    .set({ state: 'cancelled', next_at: null, finished_at: now })
    .where(column, '=', value)
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Deletes finished deliveries that were created before an instant (Unix seconds), with their attempts, at most `limit`
 * rows together; returns their number. On PostgreSQL another transaction may meanwhile restart a delivery; such a
 * delivery remains, with its attempts.
 */
export async function deleteOldDeliveries(db: Database, before: number, limit: number): Promise<number> {
  const old = await db.build
    .selectFrom('webhook_delivery')
    .select('id')
    .where('created_at', '<', before)
    .where('state', '<>', 'waiting')
    .orderBy('created_at')
    .limit(limit)
    .modifyEnd(db.dialect.forShare())
    .execute()
  return deleteDeliveries(db, old, limit)
}

/**
 * Deletes deliveries to removed endpoints, in any state, with their attempts, at most `limit` rows together; returns
 * their number.
 */
export async function deleteOrphanedDeliveries(db: Database, limit: number): Promise<number> {
  // Each step finds the next endpoint in the index, so that the deliveries are not read.
  const { rows } = await sql<{ id: string }>`
    with recursive named(id) as (
      select (select min(endpoint_id) from webhook_delivery)
      union all
      select (select min(endpoint_id) from webhook_delivery where endpoint_id > named.id) from named
        where named.id is not null)
    select id from named where id is not null and id not in (select id from webhook_endpoint)`.execute(db.build)
  if (rows.length === 0) return 0
  const endpointIds = rows.map(({ id }) => id)
  const orphaned = await db.build
    .selectFrom('webhook_delivery')
    .select('id')
    .where((row) => db.dialect.listed(row.ref('endpoint_id'), endpointIds, 'text'))
    .limit(limit)
    .execute()
  return deleteDeliveries(db, orphaned, limit)
}

/** Deletes the attempts of deliveries, and then the deliveries, at most `limit` rows together; returns their number. */
async function deleteDeliveries(
  { build, dialect }: Database,
  deliveries: readonly Pick<Delivery, 'id'>[],
  limit: number,
): Promise<number> {
  if (deliveries.length === 0) return 0
  const ids = deliveries.map(({ id }) => id)
  const attempts = await build
    .deleteFrom('webhook_attempt')
    .where('id', 'in', (from) =>
      from
        .selectFrom('webhook_attempt')
        .select('id')
        .where((row) => dialect.listed(row.ref('delivery_id'), ids, 'text'))
        .limit(limit),
    )
    .executeTakeFirst()
  const left = limit - Number(attempts.numDeletedRows)
  if (left === 0) return limit
  const deleted = await build
    .deleteFrom('webhook_delivery')
    .where((row) => dialect.listed(row.ref('id'), ids.slice(0, left), 'text'))
    .executeTakeFirst()
  return limit - left + Number(deleted.numDeletedRows)
}

/** A filter of the delivery log. */
export interface DeliveryFilter {
  readonly endpointId?: string | undefined
  readonly state?: DeliveryState | undefined
  readonly type?: string | undefined
  /** The exact id of the delivery, of the event, or of the object of the event. */
  readonly search?: string | undefined
  readonly from?: number | undefined
  readonly until?: number | undefined
}

/**
 * Returns one page of the delivery log, newest first, and the number of matching deliveries, counted up to `maxCounted`
 * plus one.
 */
export async function pageDeliveries(
  db: Database,
  filter: DeliveryFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly page: readonly Delivery[]; readonly total: number }> {
  const found = filtered(db, filter)
  const rows = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = await countRows(db, found.select('id').limit(maxCounted + 1))
  return { page: rows.map(toDelivery), total }
}

/** The position of a delivery in the order of creation. */
export interface DeliveryPosition {
  readonly createdAt: number
  readonly id: string
}

/**
 * Returns at most `limit` finished deliveries that match a filter and follow the position `after`, the oldest first.
 */
export async function listFinished(
  db: Database,
  filter: DeliveryFilter,
  { after, limit }: { readonly after: DeliveryPosition | undefined; readonly limit: number },
): Promise<Delivery[]> {
  const rows = await filtered(db, filter)
    .selectAll()
    .where('state', '<>', 'waiting')
    .$if(after !== undefined, (query) =>
      query.where((row) =>
        row(row.refTuple('created_at', 'id'), '>', row.tuple(after?.createdAt ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDelivery)
}

function filtered(db: Database, { endpointId, state, type, search, from, until }: DeliveryFilter) {
  let query = db.build.selectFrom('webhook_delivery').where(hasEndpoint(db))
  if (endpointId !== undefined) query = query.where('endpoint_id', '=', endpointId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (type !== undefined) query = query.where('type', '=', type)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (until !== undefined) query = query.where('created_at', '<', until)
  if (search !== undefined) {
    query = query.where((row) =>
      row.or([row('id', '=', search), row('event_id', '=', search), row('object_id', '=', search)]),
    )
  }
  return query
}

/** The condition that the endpoint of a delivery exists: deliveries to a removed endpoint remain until the sweep. */
function hasEndpoint({ dialect }: Database) {
  return sql<boolean>`${dialect.narrowing(sql.ref('endpoint_id'))} in (select id from webhook_endpoint)`
}

function toDelivery(row: WebhookDeliveryTable): Delivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    seq: row.seq,
    type: row.type,
    objectId: row.object_id,
    payload: row.payload,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    nextAt: row.next_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}

function toRow(delivery: Delivery): WebhookDeliveryTable {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    seq: delivery.seq,
    type: delivery.type,
    object_id: delivery.objectId,
    payload: delivery.payload,
    state: delivery.state,
    attempts: delivery.attempts,
    next_at: delivery.nextAt,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt,
  }
}
