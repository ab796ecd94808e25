import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Dialect } from '../db/dialects.ts'
import { type Places, prepared } from '../db/query/prepared.ts'
import type { OccupancyTable } from '../db/query/tables.ts'
import { type TakenTimes, TimeColumns } from '../scheduling/plan/occupancy.ts'
import { overflowResource, providerResource, type ResourceName, resourceName } from '../scheduling/plan/resource.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import type { Reservation } from './reservation.ts'

/**
 * What owns a seat: a reservation, or a hold (a slot reserved for an open booking form). `expiresAt` is the expiry of
 * the seat in Unix seconds, null when the seat does not expire.
 */
export type SeatOwner =
  | { readonly reservationId: string; readonly expiresAt: number | null }
  | { readonly holdId: string; readonly expiresAt: number }

/**
 * Returns the `SeatOwner` of the seats that a reservation takes. `released` is the expiry of the seats that it had
 * until then, as `releaseSeats` returns it: while its payment is open, seats expire later than the reservation, and
 * those at a new time must last as long.
 */
export function seatOwner(
  { id, expiresAt }: Pick<Reservation, 'id' | 'expiresAt'>,
  released: number | null = null,
): SeatOwner {
  return { reservationId: id, expiresAt: expiresAt === null ? null : Math.max(expiresAt, released ?? 0) }
}

/**
 * Builds the condition that a row of `reservation`, which starts at or after `after` (Unix seconds), is stored under
 * the provider, or is a collective reservation (with several providers together) that occupies the provider, or did
 * before its occupancy was deleted after its end. Each part is one that an index answers.
 */
export function isWith(providerId: number, after: number): RawBuilder<boolean> {
  return sql`(reservation.provider_id = ${providerId} or reservation.id in
    (select reservation_id from occupancy where resource = ${providerResource(providerId)}
     union all
     select past.id from reservation as past where past.start_at >= ${after} and past.status = 'confirmed'
       and ${isSharedWith(providerId)} and not exists (select 1 from occupancy where reservation_id = past.id)))`
}

/**
 * Builds the condition that a row of `past` was assigned to several providers together, one of whom is the given one.
 * The list of their ids is the only array in the JSON of an assignment; with commas in place of its brackets, each id
 * is between two commas.
 */
function isSharedWith(providerId: number): RawBuilder<boolean> {
  return sql`(past.assigned_because like '%"mode":"collective"%'
    and replace(replace(past.assigned_because, '[', ','), ']', ',') like ${`%,${providerId},%`})`
}

/** One seat (the place for one reservation) of a slot, taken by a reservation or for an open booking form. */
export interface Seat {
  readonly id: string
  readonly owner: SeatOwner
  readonly providerId: number
  /** Whether the seat belongs to the overflow resource of the provider, which holds deliberate double bookings. */
  readonly overflow?: boolean
  /** The key of the slot, as `slotKey` returns it. */
  readonly slot: string
  readonly seat: number
  /**
   * The occupied time with buffers; the first seat that is taken of a slot determines the interval of all its seats.
   */
  readonly time: Interval
}

/** The parameters of `reaching`: the resources to search, and the period [from, until) that a row must overlap. */
export interface ReachingValues {
  readonly resources: readonly ResourceName[]
  readonly from: number
  readonly until: number
}

/**
 * Returns the SQL `from … where …` that selects the rows of the resources that overlap the period. Rows of one resource
 * overlap only when they are seats of one slot, which have the same start. Therefore, of the rows that start before the
 * period, only those with the last start can reach into it. The sum excludes the index on `end_at`: if the statistics
 * contain no row that ends after `from`, PostgreSQL would choose it and read all rows inserted since.
 */
export function reaching(dialect: Dialect, p: Places<ReachingValues>): RawBuilder<unknown> {
  const overlapping = sql`resource = wanted.value and start_at < ${p.until} and end_at + 0 > ${p.from}
      and start_at >= coalesce(
        (select max(start_at) from occupancy earlier where earlier.resource = wanted.value and earlier.start_at < ${p.from}),
        ${p.from})`
  return dialect.perWanted(dialect.wanted(p.resources, 'text'), 'occupancy', overlapping)
}

/** A row of the table `occupancy` with the columns that availability needs. */
export interface SeatRow {
  readonly resource: string
  readonly slot: string
  readonly start_at: number
  readonly end_at: number
  /**
   * When the seat expires (Unix seconds); null for a seat that does not expire, such as that of a confirmed
   * reservation.
   */
  readonly expires_at: number | null
}

/** Groups rows by resource, each group sorted by start. */
function seatsByResource(rows: readonly SeatRow[]): Map<ResourceName, readonly SeatRow[]> {
  const found = new Map<ResourceName, readonly SeatRow[]>()
  for (const [resource, own] of Map.groupBy(rows, (row) => row.resource))
    found.set(
      resourceName(resource),
      own.sort((one, other) => one.start_at - other.start_at),
    )
  return found
}

/** The occupied time of resources as it is at one moment, without the seats that have expired by then. */
export interface TakenAt {
  readonly occupied: Map<ResourceName, TakenTimes>
  /**
   * For each resource with seats that expire or have expired, the interval around the moment of `occupied` in which no
   * seat of the resource expires. During this interval, `occupied` remains valid for the resource.
   */
  readonly holds: Map<ResourceName, Interval>
}

/**
 * Returns the time that the rows occupy at `now`, without expired seats. Seats of one slot become one row with a count;
 * counting here takes half the time of grouping in SQLite.
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

type SlotSeatRow = Pick<OccupancyTable, 'resource' | 'seat' | 'start_at' | 'end_at'>

/**
 * Selects the seats of one slot at several resources. The resources are joined one by one: for a list of them,
 * PostgreSQL may search the index of the exclusion constraint for the slot alone, and read the seats that all other
 * resources have in slots of that name.
 */
export const seatsOf = prepared<{ resources: readonly ResourceName[]; slot: string }, SlotSeatRow>((_, p, dialect) => {
  const ofSlot = sql`resource = wanted.value and slot = ${p.slot}`
  return sql<SlotSeatRow>`
    select resource, seat, start_at, end_at
    from ${dialect.perWanted(dialect.wanted(p.resources, 'text'), 'occupancy', ofSlot)}
    order by seat`
})

/** A taken seat, with the occupied time of its slot, including buffers. */
export interface TakenSeat {
  readonly seat: number
  readonly time: Interval
}

/** Returns the stored seats of one slot by resource, including expired ones; a resource without seats is absent. */
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

const insert = prepared<OccupancyTable, never>((db, p) =>
  db.insertInto('occupancy').values({
    id: p.id,
    reservation_id: p.reservation_id,
    hold_id: p.hold_id,
    resource: p.resource,
    slot: p.slot,
    seat: p.seat,
    start_at: p.start_at,
    end_at: p.end_at,
    expires_at: p.expires_at,
  }),
)

/**
 * Inserts seats with one statement, which the database rejects when a seat overlaps another slot of the same resource.
 */
export async function takeSeats(db: Database, seats: readonly Seat[]): Promise<void> {
  const rows = seats.map(({ id, owner, providerId, overflow, slot, seat, time }) => ({
    id,
    reservation_id: 'reservationId' in owner ? owner.reservationId : null,
    hold_id: 'holdId' in owner ? owner.holdId : null,
    resource: overflow ? overflowResource(providerId) : providerResource(providerId),
    slot,
    seat,
    start_at: time.start,
    end_at: time.end,
    expires_at: owner.expiresAt,
  }))
  const [one] = rows
  if (one && rows.length === 1) await db.run(insert, one)
  else if (one) await db.build.insertInto('occupancy').values(rows).execute()
}

const release = prepared<{ reservation: string }, { expires_at: number | null }>((db, p) =>
  db.deleteFrom('occupancy').where('reservation_id', '=', p.reservation).returning('expires_at'),
)

/** Releases every seat of a reservation; returns their expiry, null when they did not expire or there were none. */
export async function releaseSeats(db: Database, reservationId: string): Promise<number | null> {
  const [seat] = await db.run(release, { reservation: reservationId })
  return seat?.expires_at ?? null
}

/** Releases every seat of each reservation; returns their expiries, as `releaseSeats` does, by reservation. */
export async function releaseSeatsOfAll(
  db: Database,
  reservationIds: readonly string[],
): Promise<ReadonlyMap<string, number | null>> {
  const released = new Map<string, number | null>()
  for (const id of reservationIds) released.set(id, await releaseSeats(db, id))
  return released
}

const releaseHeld = prepared<{ hold: string }, never>((db, p) =>
  db.deleteFrom('occupancy').where('hold_id', '=', p.hold),
)

/** Releases every seat that is held for one open booking form. */
export async function releaseHeldSeats(db: Database, holdId: string): Promise<void> {
  await db.run(releaseHeld, { hold: holdId })
}

const seatOf = prepared<{ reservation: string; now: number }, { id: string }>((db, p) =>
  db
    .selectFrom('occupancy')
    .select('id')
    .where('reservation_id', '=', p.reservation)
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', p.now)]))
    .limit(1),
)

/** Whether the reservation occupies a seat that has not expired by `now`; a pending reservation may have no seat. */
export async function hasSeat(db: Database, reservationId: string, now: number): Promise<boolean> {
  return (await db.run(seatOf, { reservation: reservationId, now })).length > 0
}

/**
 * Sets the expiry of the seats of an owner; returns false, without a change, when the owner has no seat that has not
 * expired by `now`. The rows are deleted and inserted again, because a trigger rejects every update of `occupancy`. The
 * deletion itself finds out whether there are seats, since a transaction with a later `now` may delete expired seats
 * after an earlier check.
 */
export async function renewSeats(db: Database, owner: SeatOwner, now: number): Promise<boolean> {
  const [column, id] =
    'holdId' in owner ? (['hold_id', owner.holdId] as const) : (['reservation_id', owner.reservationId] as const)
  const rows = await db.build
    .deleteFrom('occupancy')
    .where(column, '=', id)
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', now)]))
    .returningAll()
    .execute()
  if (rows.length === 0) return false
  await db.build
    .insertInto('occupancy')
    .values(rows.map((row) => ({ ...row, expires_at: owner.expiresAt })))
    .execute()
  return true
}

type OwnerRow = Pick<OccupancyTable, 'reservation_id' | 'hold_id'>

const expire = prepared<ReachingValues & { now: number }, OwnerRow>(
  (_, p, dialect) => sql<OwnerRow>`
    delete from occupancy where id in (select id from ${reaching(dialect, p)} and expires_at <= ${p.now})
    returning reservation_id, hold_id`,
)

/**
 * Deletes the expired seats (of pending reservations and open booking forms) that overlap the interval in the
 * providers' own time, but not those on their overflow resources; and with them the other seats of their owners. The
 * caller must hold the locks of the providers' time.
 */
export async function deleteExpiredHolds(
  db: Database,
  {
    providerIds,
    time,
    now,
  }: { readonly providerIds: readonly number[]; readonly time: Interval; readonly now: number },
): Promise<void> {
  const owners = await db.run(expire, {
    resources: providerIds.map(providerResource),
    from: time.start,
    until: time.end,
    now,
  })
  // A collective reservation (with several providers together) has a seat at each provider. If some remained, a
  // confirmation that was sent before the expiry, and waited for the lock, would find the reservation seated.
  for (const { reservation_id: reservationId, hold_id: holdId } of owners) {
    if (reservationId !== null) await releaseSeats(db, reservationId)
    else if (holdId !== null) await releaseHeldSeats(db, holdId)
  }
}
