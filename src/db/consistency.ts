import { sql } from 'kysely'
import type { Database } from './database.ts'

/** The number of rows of each main table. */
export interface Counts {
  readonly services: number
  readonly providers: number
  readonly customers: number
  readonly reservations: number
  readonly events: number
}

/** Counts the rows of the main tables of a database. */
export async function loadCounts(db: Database): Promise<Counts> {
  const { rows } = await sql<Record<keyof Counts, number>>`
    select (select count(*) from service) as services, (select count(*) from provider) as providers,
      (select count(*) from customer) as customers, (select count(*) from reservation) as reservations,
      (select count(*) from event) as events`.execute(db.build)
  const [row] = rows
  const count = (name: keyof Counts) => Number(row?.[name] ?? 0)
  return {
    services: count('services'),
    providers: count('providers'),
    customers: count('customers'),
    reservations: count('reservations'),
    events: count('events'),
  }
}

interface Disagreements {
  readonly overlaps: number
  readonly unlike: number
  readonly unseated: number
  readonly stray: number
  readonly unreasoned: number
}

/**
 * Returns the contradictions between the tables `occupancy` (the seats that reservations take in slots) and
 * `reservation`, one sentence each; none in a healthy database. It checks that slots of a resource do not overlap, that
 * all seats of one slot have the same start and end, that every confirmed reservation has a seat, that no seat belongs
 * to a missing or cancelled reservation, and that every seat on a provider's overflow (the resource for double
 * bookings) has a recorded reason. A reservation that has ended by `now`, or by the newest event of the log if that is
 * later, needs no seat, since seats of ended reservations are deleted.
 */
export async function findDisagreements(db: Database, now: number): Promise<string[]> {
  const { rows } = await sql<Disagreements>`
    with over_by as (
      select case when coalesce(max(created_at), 0) > cast(${now} as bigint)
        then max(created_at) else cast(${now} as bigint) end as at from event
    ),
    slots as (select distinct resource, slot, start_at, end_at from occupancy),
    taking as (
      select id, 'p' || provider_id as resource, 'o' || provider_id as overflow,
        service_id || ':' || start_at || ':' || end_at as slot
      from reservation, over_by where status = 'confirmed' and end_at > over_by.at
    )
    select
      (select count(*) from (
        select start_at, max(end_at) over (
          partition by resource order by start_at, end_at, slot rows between unbounded preceding and 1 preceding
        ) as busy_until from slots
      ) timeline where busy_until > start_at) as overlaps,
      (select count(*) from (select 1 from slots group by resource, slot having count(*) > 1) twice) as unlike,
      (select count(*) from taking where not exists (
        select 1 from occupancy where occupancy.reservation_id = taking.id
          and occupancy.resource in (taking.resource, taking.overflow) and occupancy.slot = taking.slot)) as unseated,
      (select count(*) from occupancy left join reservation on reservation.id = occupancy.reservation_id
        where occupancy.reservation_id is not null
          and (reservation.id is null or reservation.status = 'cancelled')) as stray,
      (select count(*) from occupancy join reservation on reservation.id = occupancy.reservation_id
        where resource >= 'o' and resource < 'p'
          and (assigned_because is null or assigned_because not like '%"occupancy"%')) as unreasoned`.execute(db.build)
  const [found] = rows
  const about: readonly (readonly [unknown, string])[] = [
    [found?.overlaps, 'slots begin before another slot of their provider is over'],
    [found?.unlike, 'slots have seats of unequal times'],
    [found?.unseated, 'confirmed reservations hold no seat'],
    [found?.stray, 'seats are held by no reservation that takes room'],
    [found?.unreasoned, 'double bookings have no recorded reason'],
  ]
  return about.flatMap(([count, sentence]) => (Number(count ?? 0) > 0 ? [`${count} ${sentence}.`] : []))
}

/**
 * Counts the pending and confirmed reservations that end after `now` and that staff deliberately booked at a taken
 * time.
 */
export async function countDoubleBookings(db: Database, now: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from reservation
    where end_at > ${now} and status <> 'cancelled' and assigned_because like '%"assigned_with_override"%'
      and (assigned_because like '%"occupancy"%' or assigned_because like '%"capacity"%')`.execute(db.build)
  return Number(rows[0]?.total ?? 0)
}
