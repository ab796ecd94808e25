import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, type Change, type EventType, kindOf, type LoggedEvent } from '../../history/event.ts'
import type { Database } from '../database.ts'
import { prepared } from '../query/prepared.ts'
import type { EventTable } from '../query/tables.ts'

/** A change with the metadata of its event. The position in the log is assigned on insertion. */
export interface NewEvent extends Change {
  readonly id: string
  readonly actor: Actor
  readonly requestId: string | null
  readonly createdAt: number
  /**
   * A random value that the digest covers. It is erased together with the content of the event, so that the digest does
   * not reveal the erased content.
   */
  readonly salt: string
}

const bodyVersion = 1
const rowsAtOnce = 500

type NewRow = Omit<EventTable, 'tx'>

const append = prepared<NewRow, never>((db, p, dialect) =>
  db.insertInto('event').values({
    tx: dialect.eventTx(),
    n: p.n,
    id: p.id,
    type: p.type,
    kind: p.kind,
    object_id: p.object_id,
    body: p.body,
    body_version: p.body_version,
    actor_kind: p.actor_kind,
    actor_id: p.actor_id,
    request_id: p.request_id,
    created_at: p.created_at,
    salt: p.salt,
    digest: p.digest,
    undid: p.undid,
  }),
)

/**
 * Appends all events of one operation in the given order. Call it at most once per operation, in the transaction of the
 * operation. Throws when there are more events than `seq` can number, so the operation is rolled back.
 */
export async function appendEvents(db: Database, events: readonly NewEvent[]): Promise<void> {
  if (events.length > maxEvents) throw new Error(`One operation can append at most ${maxEvents} events.`)
  const rows = events.map(toRow)
  const [first] = rows
  if (!first) return
  if (rows.length === 1) {
    await db.run(append, first)
    return
  }
  const tx = await nextTx(db)
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const part = rows.slice(from, from + rowsAtOnce).map((row) => ({ tx, ...row }))
    await db.build.insertInto('event').values(part).execute()
  }
}

function nextTx(db: Database): Promise<number> {
  return selectValue(db, db.dialect.eventTx())
}

function toRow(event: NewEvent, n: number): NewRow {
  const row = {
    id: event.id,
    type: event.type,
    kind: kindOf(event.type),
    object_id: event.objectId,
    body: JSON.stringify({ object: event.object, previous: event.previous }),
    body_version: bodyVersion,
    actor_kind: event.actor.kind,
    actor_id: event.actor.id,
    request_id: event.requestId,
    created_at: event.createdAt,
    undid: event.undid ?? null,
  }
  const { salt } = event
  return { n, ...row, salt, digest: digestOf(row, salt) }
}

// The digest of an event does not cover its position in the log. If a hash chain over the digests sealed the log, the
// chain itself would fix the order.
function digestOf(row: Omit<NewRow, 'n' | 'salt' | 'digest'>, salt: string): string {
  const { id, type, object_id, body, body_version, actor_kind, actor_id, request_id, created_at, undid } = row
  const entry = [id, type, object_id, body, body_version, actor_kind, actor_id, request_id, created_at]
  if (undid !== null) entry.push(undid)
  return hash('sha256', JSON.stringify([entry, salt]), 'hex')
}

/**
 * A position in the event log: that of the event with the number `n`, counted from 0, among the events of the
 * transaction with the number `tx`.
 */
export interface Cursor {
  readonly tx: number
  readonly n: number
}

const txDigits = 16
const nDigits = 6
// A greater number would make `seq` longer: it would not sort like the position, and `parseSeq` would refuse it.
const maxEvents = 10 ** nDigits

/** Formats a position as a text of 22 digits (`seq`); texts sort like the positions. */
export function toSeq({ tx, n }: Cursor): string {
  return String(tx).padStart(txDigits, '0') + String(n).padStart(nDigits, '0')
}

/** Parses a position (`seq`) of the event log; undefined for other text. */
export function parseSeq(seq: string): Cursor | undefined {
  if (seq.length !== txDigits + nDigits || !/^\d+$/.test(seq)) return undefined
  const tx = Number(seq.slice(0, txDigits))
  return Number.isSafeInteger(tx) ? { tx, n: Number(seq.slice(txDigits)) } : undefined
}

/** The position before the first event of the log. */
export const beginning: Cursor = { tx: 0, n: -1 }

/**
 * Returns the transaction number below which the event log is complete: no running transaction can still append an
 * event with a lower number, and queries sent after this call see all such events (see docs/decisions/0008). `db`
 * must not be a snapshot. The offset `tx_base`, which is added to transaction numbers before they are stored, is not
 * included.
 */
async function findHorizon(db: Database): Promise<number> {
  const { horizon } = db.dialect
  return horizon ? selectValue(db, horizon) : Number.MAX_SAFE_INTEGER
}

async function selectValue<T>(db: Database, expression: RawBuilder<T>): Promise<T> {
  const { rows } = await sql<{ value: T }>`select ${expression} as value`.execute(db.build)
  const [row] = rows
  if (!row) throw new Error('A query for one value gave no row.')
  return row.value
}

type FeedValues = WholeFeedValues & { readonly kinds: readonly string[] }
type WholeFeedValues = Cursor & { readonly limit: number; readonly horizon: number }

const feed = prepared<FeedValues, EventTable>((db, p, dialect) =>
  db
    .selectFrom('event')
    .selectAll()
    .where(sql<boolean>`(tx, n) > (${p.tx}, ${p.n})`)
    .where(dialect.settled(sql.ref('tx'), p.horizon))
    // An index on the kind would read every event of the kind, instead of those after the position.
    .where(dialect.listed(dialect.narrowing(sql.ref('kind')), p.kinds, 'text'))
    .orderBy('tx')
    .orderBy('n')
    .limit(p.limit),
)

const wholeFeed = prepared<WholeFeedValues, EventTable>((db, p, dialect) =>
  db
    .selectFrom('event')
    .selectAll()
    .where(sql<boolean>`(tx, n) > (${p.tx}, ${p.n})`)
    .where(dialect.settled(sql.ref('tx'), p.horizon))
    .orderBy('tx')
    .orderBy('n')
    .limit(p.limit),
)

/** The position in the event log after which events are returned, the maximum number of events, and a filter. */
export interface FeedQuery {
  readonly after: Cursor
  readonly limit: number
  /** The kinds of objects whose events are returned; all when absent. */
  readonly kinds?: readonly string[]
}

/**
 * Returns at most `limit` events after a position, in log order. Only events that no later commit can precede are
 * returned, so a reader that continues after the last event neither misses nor repeats one.
 */
export async function readFeed(db: Database, query: FeedQuery): Promise<{ events: LoggedEvent[] }> {
  const { after, limit, kinds } = query
  const horizon = await findHorizon(db)
  const rows = kinds
    ? await db.run(feed, { ...after, limit, horizon, kinds })
    : await db.run(wholeFeed, { ...after, limit, horizon })
  return { events: rows.map(toEvent) }
}

/** Returns the event at a position; undefined when there is none. */
export async function findEvent(db: Database, { tx, n }: Cursor): Promise<LoggedEvent | undefined> {
  const row = await db.build.selectFrom('event').selectAll().where('tx', '=', tx).where('n', '=', n).executeTakeFirst()
  return row && toEvent(row)
}

/** Returns the event with an id among those of one object; undefined when there is none. */
export async function findEventOf(
  db: Database,
  { kind, objectId, id }: { readonly kind: string; readonly objectId: string; readonly id: string },
): Promise<LoggedEvent | undefined> {
  const row = await db.build
    .selectFrom('event')
    .selectAll()
    .where('kind', '=', kind)
    .where('object_id', '=', objectId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toEvent(row)
}

/** Returns the newest event of one type and object before a position; undefined when there is none. */
export async function findEventBefore(
  db: Database,
  { type, objectId, before }: { readonly type: EventType; readonly objectId: string; readonly before: Cursor },
): Promise<LoggedEvent | undefined> {
  // Only the index on objects is used, which begins with the kind: an object has few events.
  const tx = db.dialect.narrowing(sql.ref('tx'))
  const row = await db.build
    .selectFrom('event')
    .selectAll()
    .where('kind', '=', kindOf(type))
    .where('object_id', '=', objectId)
    .where('type', '=', type)
    .where(sql<boolean>`(${tx}, n) < (${before.tx}, ${before.n})`)
    .orderBy(tx, 'desc')
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toEvent(row)
}

/**
 * Returns the states of an object before and after an event; a state is null when it does not exist, as before the
 * creation, or was erased. `Thing` is not checked: it must be the type of the states that events of this type contain.
 */
export function statesIn<Thing>({ object, previous }: LoggedEvent): { readonly before: Thing; readonly after: Thing } {
  return { before: previous as Thing, after: object as Thing }
}

/** Returns the position of the newest event that the event feed returns, or `beginning` when it returns none. */
export async function findNewestSettled(db: Database): Promise<Cursor> {
  const horizon = await findHorizon(db)
  const row = await db.build
    .selectFrom('event')
    .select(['tx', 'n'])
    .where(db.dialect.settled(sql.ref('tx'), sql.val(horizon)))
    .orderBy('tx', 'desc')
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? beginning
}

/** Whether new events would sort before existing ones, as in a database that was moved from another server. */
export async function isFeedBehind(db: Database): Promise<boolean> {
  const { rows } = await sql<{ behind: number }>`
    select count(*) as behind from (select max(tx) as newest from event) log
    where newest >= ${db.dialect.upcomingTx()}`.execute(db.build)
  return Number(rows[0]?.behind ?? 0) > 0
}

/** Returns the time of the oldest event that the event feed cannot return yet; undefined when it returns all events. */
export async function findOldestUnsettled(db: Database): Promise<number | undefined> {
  const horizon = await findHorizon(db)
  const row = await db.build
    .selectFrom('event')
    .select('created_at')
    .where(sql<boolean>`not (${db.dialect.settled(sql.ref('tx'), sql.val(horizon))})`)
    .orderBy('tx')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** Converts a row of the table `event` to an event. */
export function toEvent(row: EventTable): LoggedEvent {
  const { object, previous } = bodyOf(row)
  return {
    id: row.id,
    seq: toSeq(row),
    type: row.type as EventType,
    objectId: row.object_id,
    object,
    previous,
    createdAt: row.created_at,
    actor: { kind: row.actor_kind as Actor['kind'], id: row.actor_id },
    ...(row.undid !== null && { undid: row.undid }),
  }
}

// Erasing a customer sets the body of the customer's events to null; the events remain.
function bodyOf(row: EventTable): Pick<Change, 'object' | 'previous'> {
  return row.body === null ? { object: null, previous: null } : JSON.parse(row.body)
}

/**
 * Raises `tx_base`, the offset that is added to the database's transaction numbers before they are stored with events.
 * New events then sort after all events of the log and after transaction number `least`, even when the database's own
 * transaction counter is lower.
 */
export async function raiseTxBase(db: Database, least: number): Promise<void> {
  const newest = sql<number>`coalesce((select max(tx) from event), 0)`
  const base = sql<number>`case when ${newest} > cast(${least} as bigint) then ${newest} else cast(${least} as bigint) end`
  await db.build.updateTable('site').set({ tx_base: base }).where('tx_base', '<', base).execute()
}
