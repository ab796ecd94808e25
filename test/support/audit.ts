import type { OccupancyRule } from './offerings.ts'
import type { Sql } from './sql.ts'

/**
 * The counts of inconsistencies that `audit` finds in a database. A consistent database has 0 of each kind if it
 * contains no holds (slots reserved for open booking forms) and no deliberate double bookings; `audit` counts these as
 * inconsistencies too.
 */
export interface Findings {
  /** Slots that begin, buffers included, before another slot of the same provider has ended. */
  readonly overlaps: number
  /** Slots with more reservations than seats. */
  readonly overbooked: number
  /**
   * Times at which a reservation occupies a provider and for which the table `occupancy` (the busy times of providers)
   * has no row, or more than one.
   */
  readonly unoccupied: number
  /** Rows of the table `occupancy` whose reservation does not exist or does not occupy the provider of the row. */
  readonly orphaned: number
  /**
   * Reservations that have not exactly one `reservation.created` event in the log, or have a `reservation.removed`
   * event.
   */
  readonly unlogged: number
  /** Reservations whose number of events in the log differs from their version. */
  readonly miscounted: number
  /**
   * Reservations in the log without exactly one creation, with several removals, or with no removal although they do
   * not exist any more.
   */
  readonly phantoms: number
}

/** The findings of an audit that found no inconsistency. */
export const noFindings: Findings = {
  overlaps: 0,
  overbooked: 0,
  unoccupied: 0,
  orphaned: 0,
  unlogged: 0,
  miscounted: 0,
  phantoms: 0,
}

/**
 * Counts the inconsistencies of a database in one statement, and so in one snapshot. The expected occupancy is computed
 * from the reservations and the site's settings (`rules`) alone.
 */
export async function audit(sql: Sql, rules: readonly OccupancyRule[]): Promise<Findings> {
  const [row] = await sql(auditOf(rules))
  const count = (name: keyof Findings) => Number(row?.[name])
  return {
    overlaps: count('overlaps'),
    overbooked: count('overbooked'),
    unoccupied: count('unoccupied'),
    orphaned: count('orphaned'),
    unlogged: count('unlogged'),
    miscounted: count('miscounted'),
    phantoms: count('phantoms'),
  }
}

function auditOf(rules: readonly OccupancyRule[]): string {
  const values = rules.map(
    (rule) =>
      `('${rule.serviceId}', ${rule.providerId}, ${rule.occupiedProviderId}, ${rule.before}, ${rule.after}, ${rule.seats}, ${
        rule.pendingOccupies ? 1 : 0
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
      ) crowded) as overbooked,
      (select count(*) from taken where 1 <> (
        select count(*) from occupancy where reservation_id = taken.id and resource = 'p' || taken.at
          and occupancy.start_at = from_at and occupancy.end_at = until_at)) as unoccupied,
      (select count(*) from occupancy left join taken on taken.id = reservation_id and resource = 'p' || taken.at
        where taken.id is null) as orphaned,
      (select count(*) from reservation left join logged on logged.id = reservation.id
        where coalesce(created, 0) <> 1 or removed <> 0) as unlogged,
      (select count(*) from reservation left join logged on logged.id = reservation.id
        where coalesce(times, 0) <> version) as miscounted,
      (select count(*) from logged where created <> 1 or removed > 1
        or (removed = 0 and not exists (select 1 from reservation where reservation.id = logged.id))) as phantoms`
}
