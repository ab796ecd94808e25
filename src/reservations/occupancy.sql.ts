import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Dialect } from '../db/dialects.ts'
import { type Places, prepared } from '../db/query/prepared.ts'
import { type TakenTimes, TimeColumns } from '../scheduling/plan/occupancy.ts'
import { providerResource, type ResourceName, resourceName } from '../scheduling/plan/resource.ts'
import type { Interval } from '../scheduling/time/interval.ts'

/** One seat of a slot, taken by a reservation or a hold. */
export interface Seat {
  readonly id: string
  readonly reservationId: string
  readonly providerId: number
  /** See `slotKey`. */
  readonly slot: string
  readonly seat: number
  /** With buffers; every seat of a slot has the interval of its first. */
  readonly time: Interval
}

/** The resources, and the period [from, until) that rows overlap. */
export interface ReachingValues {
  readonly resources: readonly ResourceName[]
  readonly from: number
  readonly until: number
}

/**
 * The rows of the resources that overlap the period, as `from … where …`. Intervals of one resource overlap only as
 * seats of one slot, which start together: of those that start before the period only the last can overlap it.
 */
export function reaching(dialect: Dialect, p: Places<ReachingValues>): RawBuilder<unknown> {
  return sql`${dialect.wanted(p.resources, 'text')} cross join occupancy
    where resource = wanted.value and start_at < ${p.until} and end_at > ${p.from}
      and start_at >= coalesce(
        (select max(start_at) from occupancy earlier where earlier.resource = wanted.value and earlier.start_at < ${p.from}),
        ${p.from})`
}

/** A row of `occupancy` as availability reads it. */
export interface SeatRow {
  readonly resource: string
  readonly slot: string
  readonly start_at: number
  readonly end_at: number
  /** When a hold expires; null for a reservation's seat. */
  readonly expires_at: number | null
}

/** Groups rows by resource, each group by start. */
function seatsByResource(rows: readonly SeatRow[]): Map<ResourceName, readonly SeatRow[]> {
  const found = new Map<ResourceName, readonly SeatRow[]>()
  for (const [resource, own] of Map.groupBy(rows, (row) => row.resource))
    found.set(
      resourceName(resource),
      own.sort((one, other) => one.start_at - other.start_at),
    )
  return found
}

/** Taken time at one moment. */
export interface TakenAt {
  readonly occupied: Map<ResourceName, TakenTimes>
  /** By resource with holds: the interval around that moment in which none of them expires. */
  readonly holds: Map<ResourceName, Interval>
}

/**
 * The time that the rows take at `now`; holds that have expired take none. Seats of one slot become one row with their
 * number: counting them here takes half the time of having SQLite sort their texts.
 */
export function takenAt(rows: readonly SeatRow[], now: number): TakenAt {
  const occupied = new Map<ResourceName, TakenTimes>()
  const holds = new Map<ResourceName, Interval>()
  if (rows.length === 0) return { occupied, holds }
  const columns = new TimeColumns<string>(rows.length)
  for (const [resource, own] of seatsByResource(rows)) {
    const first = columns.length
    let [since, until] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (const { start_at, end_at, slot, expires_at } of own) {
      if (expires_at !== null && expires_at <= now) since = Math.max(since, expires_at)
      else {
        until = Math.min(until, expires_at ?? until)
        columns.addSeat(first, start_at, end_at, slot)
      }
    }
    occupied.set(resource, columns.since(first))
    if (since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY)
      holds.set(resource, { start: since, end: until })
  }
  return { occupied, holds }
}

const seatsOf = prepared<{ resource: string; slot: string }, { seat: number; start_at: number; end_at: number }>(
  (db, p) =>
    db
      .selectFrom('occupancy')
      .select(['seat', 'start_at', 'end_at'])
      .where('resource', '=', p.resource)
      .where('slot', '=', p.slot)
      .orderBy('seat'),
)

/** Returns the taken seats of one slot in order, each with the slot's interval. */
export async function listSeats(
  db: Database,
  providerId: number,
  slot: string,
): Promise<{ seat: number; time: Interval }[]> {
  const rows = await db.run(seatsOf, { resource: providerResource(providerId), slot })
  return rows.map((row) => ({ seat: row.seat, time: { start: row.start_at, end: row.end_at } }))
}

const insert = prepared<
  { id: string; reservation: string; resource: string; slot: string; seat: number; start: number; end: number },
  never
>((db, p) =>
  db.insertInto('occupancy').values({
    id: p.id,
    reservation_id: p.reservation,
    resource: p.resource,
    slot: p.slot,
    seat: p.seat,
    start_at: p.start,
    end_at: p.end,
    expires_at: null,
  }),
)

/** Inserts a seat. The database rejects one that overlaps another slot of the resource. */
export async function takeSeat(db: Database, seat: Seat): Promise<void> {
  await db.run(insert, {
    id: seat.id,
    reservation: seat.reservationId,
    resource: providerResource(seat.providerId),
    slot: seat.slot,
    seat: seat.seat,
    start: seat.time.start,
    end: seat.time.end,
  })
}

const release = prepared<{ reservation: string }, never>((db, p) =>
  db.deleteFrom('occupancy').where('reservation_id', '=', p.reservation),
)

/** Releases every seat of a reservation. */
export async function releaseSeats(db: Database, reservationId: string): Promise<void> {
  await db.run(release, { reservation: reservationId })
}

const holds = prepared<{ reservation: string }, { id: string }>((db, p) =>
  db.selectFrom('occupancy').select('id').where('reservation_id', '=', p.reservation).limit(1),
)

/** Whether the reservation has a seat; a pending one may have none. */
export async function holdsSeat(db: Database, reservationId: string): Promise<boolean> {
  return (await db.run(holds, { reservation: reservationId })).length > 0
}

const expire = prepared<ReachingValues & { now: number }, never>(
  (_, p, dialect) => sql<never>`
    delete from occupancy where id in (select id from ${reaching(dialect, p)} and expires_at <= ${p.now})`,
)

/** Deletes expired holds of the providers that overlap the interval; call with the providers locked. */
export async function deleteExpiredHolds(
  db: Database,
  {
    providerIds,
    time,
    now,
  }: { readonly providerIds: readonly number[]; readonly time: Interval; readonly now: number },
): Promise<void> {
  await db.run(expire, { resources: providerIds.map(providerResource), from: time.start, until: time.end, now })
}
