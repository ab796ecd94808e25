import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { toEvent } from '../../db/log/event-log.ts'
import type { LoggedEvent } from '../../history/event.ts'
import { eventsBefore, type SharedLog } from './reassigned-events.ts'

/** A reservation as it was when it was reassigned to another customer. */
export interface Reassigned {
  readonly id: string
  /** The id of the event of the reassignment. */
  readonly eventId: string
  /** The time of the reassignment, in Unix seconds. */
  readonly at: number
  /** The integration data of the reservation at that time. */
  readonly data: Readonly<Record<string, unknown>>
}

/** A reassigned reservation, compared with its present state. */
export interface ComparedReservation extends Reassigned, SharedLog {
  /** The events of the reservation from the reassignment on, in the order of the log. */
  readonly events: readonly LoggedEvent[]
  /** Whether the note of staff, and the reason for the cancellation, are still those of that time. */
  readonly hasSameNote: boolean
  readonly hasSameReason: boolean
}

/**
 * Returns, from the event log, each reassignment of a reservation from one of the given customers to another customer.
 */
export async function listReassigned(db: Database, customerIds: readonly string[]): Promise<Reassigned[]> {
  const rows = await db.build
    .selectFrom('event')
    .selectAll()
    // The planner uses the partial index only when the query repeats both conditions of the index.
    .where(db.dialect.reassigned())
    .where(db.dialect.listed(db.dialect.reassignedFrom(), customerIds, 'text'))
    .execute()
  return rows.map((row) => {
    const { data } = toEvent(row).previous ?? {}
    return {
      id: row.object_id,
      eventId: row.id,
      at: row.created_at,
      data: typeof data === 'object' && data !== null ? { ...data } : {},
    }
  })
}

/** Compares a reassigned reservation, which must be locked, with its changes since, which the event log has. */
export async function compareReassigned(db: Database, before: Reassigned): Promise<ComparedReservation> {
  const log = (await listLogs(db, [before.id])).get(before.id) ?? []
  const events = log.slice(log.findIndex(({ id }) => id === before.eventId))
  const later = events.slice(1)
  return {
    ...before,
    events,
    hasSameNote: later.every(({ object, previous }) => !object?.note && !previous?.note),
    hasSameReason: later.every(({ type }) => type !== 'reservation.cancelled'),
  }
}

/**
 * Returns the logs of those of the given reservations that were ever reassigned, each up to the first event that
 * contains one of the given customers, such as the one with which that customer got the reservation from another.
 */
export async function listLogsBefore(
  db: Database,
  { customerIds, reservationIds }: Readonly<Record<'customerIds' | 'reservationIds', readonly string[]>>,
): Promise<SharedLog[]> {
  const reassigned = await db.build
    .selectFrom('event')
    .select('object_id')
    .distinct()
    .where(db.dialect.reassigned())
    .where(db.dialect.listed(sql.ref('object_id'), reservationIds, 'text'))
    .execute()
  const ids = reassigned.map((row) => row.object_id)
  const logs = [...(await listLogs(db, ids)).values()]
  return logs.map((log) => ({ data: {}, events: eventsBefore(log, customerIds) }))
}

/** Returns the log of each of these reservations, in the order of the log. */
async function listLogs(db: Database, reservationIds: readonly string[]): Promise<Map<string, LoggedEvent[]>> {
  if (reservationIds.length === 0) return new Map()
  const log = await db.build
    .selectFrom('event')
    .selectAll()
    .where('kind', '=', 'reservation')
    .where(db.dialect.listed(sql.ref('object_id'), reservationIds, 'text'))
    .orderBy('tx')
    .orderBy('n')
    .execute()
  return Map.groupBy(log.map(toEvent), ({ objectId }) => objectId)
}

/**
 * Replaces the content of events by the states that they have here, which contain only a part of it. Like those of
 * erased events, their digests can no longer be verified.
 */
export async function replaceEventBodies(db: Database, events: readonly LoggedEvent[]): Promise<void> {
  for (const { id, object, previous } of events)
    await db.build
      .updateTable('event')
      .set({ body: JSON.stringify({ object, previous }), salt: null })
      .where('id', '=', id)
      .execute()
}

/**
 * Erases from a reservation that was reassigned what it had then and still has: the source (from where the customer
 * came), the rating, and, if they are unchanged since, the note and the reason for the cancellation. Replaces its
 * integration data by `data`.
 */
export async function blankReassigned(
  db: Database,
  { id, at, hasSameNote, hasSameReason, data }: ComparedReservation,
): Promise<void> {
  const changes = {
    data: JSON.stringify(data),
    source: null,
    ...(hasSameNote && { note: '' }),
    ...(hasSameReason && { cancel_reason: '' }),
  }
  await db.build.updateTable('reservation').set(changes).where('id', '=', id).execute()
  await db.build.deleteFrom('rating').where('reservation_id', '=', id).where('created_at', '<=', at).execute()
}
