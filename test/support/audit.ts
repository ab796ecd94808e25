import type { Room } from './offers.ts'
import type { Sql } from './sql.ts'

/** Counts of inconsistencies in the database; a consistent one has 0 of each. */
export interface Findings {
  /** Slots that begin, buffers included, before another slot of the same provider has ended. */
  readonly overlaps: number
  /** Slots with more reservations than seats. */
  readonly overfull: number
  /** Reservations that occupy a seat and do not have exactly one row of occupancy. */
  readonly unseated: number
  /** Rows of occupancy without a reservation. */
  readonly stray: number
  /** Reservations without exactly one event of their creation in the log. */
  readonly unannounced: number
  /** Reservations with another number of change events than of changes. */
  readonly miscounted: number
  /** Events of reservations that do not exist and have no event of their removal. */
  readonly phantoms: number
}

/** The findings in a consistent database. */
export const nothingWrong: Findings = {
  overlaps: 0,
  overfull: 0,
  unseated: 0,
  stray: 0,
  unannounced: 0,
  miscounted: 0,
  phantoms: 0,
}

/**
 * Counts the inconsistencies of a database on one snapshot, computed from the reservations and the site's settings
 * alone.
 */
export async function audit(sql: Sql, rooms: readonly Room[]): Promise<Findings> {
  const [row] = await sql(auditOf(rooms))
  const count = (name: keyof Findings) => Number(row?.[name])
  return {
    overlaps: count('overlaps'),
    overfull: count('overfull'),
    unseated: count('unseated'),
    stray: count('stray'),
    unannounced: count('unannounced'),
    miscounted: count('miscounted'),
    phantoms: count('phantoms'),
  }
}

function auditOf(rooms: readonly Room[]): string {
  const values = rooms.map(
    (room) =>
      `('${room.serviceId}', ${room.providerId}, ${room.at}, ${room.before}, ${room.after}, ${room.seats}, ${
        room.pendingTakes ? 1 : 0
      })`,
  )
  return `
    with room (service, provider, at, before, after, seats, pending) as (values ${values.join(', ')}),
    taken as (
      select reservation.id, service_id as service, start_at, end_at, at, seats,
        start_at - before as from_at, end_at + after as until_at
      from reservation join room on service = service_id and provider = provider_id
      where status = 'confirmed' or (status = 'pending' and pending = 1)
    ),
    logged as (
      select object_id as id, count(*) as times,
        sum(case when type = 'reservation.created' then 1 else 0 end) as created,
        sum(case when type = 'reservation.removed' then 1 else 0 end) as removed
      from event where kind = 'reservation' group by object_id
    )
    select
      (select count(*) from (
        select from_at, max(until_at) over (
          partition by at order by from_at, until_at, service, start_at rows between unbounded preceding and 1 preceding
        ) as busy_until
        from (select distinct at, service, start_at, end_at, from_at, until_at from taken) slots
      ) timeline where busy_until > from_at) as overlaps,
      (select count(*) from (
        select 1 from taken group by at, service, start_at, end_at, seats having count(*) > seats
      ) crowded) as overfull,
      (select count(*) from taken where 1 <> (
        select count(*) from occupancy where reservation_id = taken.id and resource = 'p' || taken.at
          and occupancy.start_at = from_at and occupancy.end_at = until_at)) as unseated,
      (select count(*) from occupancy left join taken on taken.id = reservation_id and resource = 'p' || taken.at
        where taken.id is null) as stray,
      (select count(*) from reservation left join logged on logged.id = reservation.id
        where coalesce(created, 0) <> 1 or removed <> 0) as unannounced,
      (select count(*) from reservation left join logged on logged.id = reservation.id
        where coalesce(times, 0) <> version) as miscounted,
      (select count(*) from logged where created <> 1 or removed > 1
        or (removed = 0 and not exists (select 1 from reservation where reservation.id = logged.id))) as phantoms`
}
