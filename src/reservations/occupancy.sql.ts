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
  const overlapping = sql`resource = wanted.value and start_at < ${p.until} and end_at > ${p.from}
      and start_at >= coalesce(
        (select max(start_at) from occupancy earlier where earlier.resource = wanted.value and earlier.start_at < ${p.from}),
        ${p.from})`
  return dialect.perWanted(dialect.wanted(p.resources, 'text'), 'occupancy', overlapping)
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

const seatsOf = prepared<
  { resources: readonly ResourceName[]; slot: string },
  { resource: string; seat: number; start_at: number; end_at: number }
>((db, p, dialect) =>
  db
    .selectFrom('occupancy')
    .select(['resource', 'seat', 'start_at', 'end_at'])
    .where(dialect.listed(sql.ref('resource'), p.resources, 'text'))
    .where('slot', '=', p.slot)
    .orderBy('seat'),
)

/** A taken seat, with the interval of its slot. */
export interface TakenSeat {
  readonly seat: number
  readonly time: Interval
}

/** The seats taken of one slot, by resource and in order; a resource without any is absent. */
export async function listSeats(
  db: Database,
  resources: readonly ResourceName[],
  slot: string,
): Promise<ReadonlyMap<ResourceName, readonly TakenSeat[]>> {
  const seats = new Map<ResourceName, TakenSeat[]>()
  for (const { resource, seat, start_at, end_at } of await db.run(seatsOf, { resources, slot })) {
    const name = resourceName(resource)
    const taken = seats.get(name) ?? []
    taken.push({ seat, time: { start: start_at, end: end_at } })
    seats.set(name, taken)
  }
  return seats
}

const insert = prepared<
  {
    id: string
    reservation_id: string
    resource: string
    slot: string
    seat: number
    start_at: number
    end_at: number
  },
  never
>((db, p) =>
  db.insertInto('occupancy').values({
    id: p.id,
    reservation_id: p.reservation_id,
    resource: p.resource,
    slot: p.slot,
    seat: p.seat,
    start_at: p.start_at,
    end_at: p.end_at,
    expires_at: null,
  }),
)

/** Takes seats, in one statement. The database refuses one whose time another slot of the resource has. */
export async function takeSeats(db: Database, seats: readonly Seat[]): Promise<void> {
  const rows = seats.map(({ id, reservationId, providerId, slot, seat, time }) => ({
    id,
    reservation_id: reservationId,
    resource: providerResource(providerId),
    slot,
    seat,
    start_at: time.start,
    end_at: time.end,
    expires_at: null,
  }))
  const [one] = rows
  if (one && rows.length === 1) await db.run(insert, one)
  else if (one) await db.build.insertInto('occupancy').values(rows).execute()
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
