import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { toEvent } from '../db/log/event-log.ts'
import { countRows, maxCounted } from '../db/query/count-rows.ts'
import type { Tables } from '../db/query/tables.ts'
import { type EventType, eventKinds, kindOf, type LoggedEvent } from './event.ts'

/** Filters of the history; an absent filter matches everything. */
export interface HistoryFilter {
  readonly objectId: string | undefined
  /**
   * An event type such as `reservation.created`, or a kind of object such as `reservation`; undefined for all types.
   */
  readonly type: string | undefined
  readonly actor: string | undefined
  readonly from: number | undefined
  readonly until: number | undefined
  /** Event types that are excluded from the result; absent when no type is excluded. */
  readonly without?: readonly EventType[]
}

/**
 * Returns one page of the event log, newest first, and the number of entries that match the filter, counted up to
 * `maxCounted` plus one.
 */
export async function pageHistory(
  db: Database,
  filter: HistoryFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ events: LoggedEvent[]; total: number }> {
  // With a filter whose columns an index contains, the inner query needs only index entries, so that the rows before
  // the page are not read (a deferred join).
  //
  // The entries of one object are found by the index on objects and then sorted. Without statistics, SQLite would read
  // all entries of the kind by the index that has their order.
  const at = filter.objectId === undefined ? sql.ref('created_at') : db.dialect.narrowing(sql.ref('created_at'))
  const places = filtered(db, filter)
    .select(['tx', 'n'])
    .orderBy(at, 'desc')
    .orderBy('tx', 'desc')
    .orderBy('n', 'desc')
    .limit(limit)
    .offset(offset)
  const rows = await db.build
    .selectFrom(places.as('place'))
    .innerJoin('event', (join) => join.onRef('event.tx', '=', 'place.tx').onRef('event.n', '=', 'place.n'))
    .selectAll('event')
    .orderBy('created_at', 'desc')
    .orderBy('event.tx', 'desc')
    .orderBy('event.n', 'desc')
    .execute()
  const some = filtered(db, filter)
    .select('tx')
    .limit(maxCounted + 1)
  return { events: rows.map(toEvent), total: await countRows(db, some) }
}

function filtered(db: Database, { objectId, type, actor, from, until, without = [] }: HistoryFilter) {
  let query: SelectQueryBuilder<Tables, 'event', Record<never, never>> = db.build.selectFrom('event')
  const kind = type === undefined ? undefined : kindOf(type)
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (type?.includes('.')) query = query.where('type', '=', type)
  if (objectId !== undefined) {
    query = query.where('object_id', '=', objectId)
    // The index on objects begins with the kind, so all kinds are listed to make it usable.
    if (kind === undefined) query = query.where('kind', 'in', eventKinds)
  }
  if (actor !== undefined) query = query.where('actor_id', '=', actor)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (until !== undefined) query = query.where('created_at', '<', until)
  if (without.length > 0) query = query.where('type', 'not in', without)
  return query
}
