import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Interval } from '../scheduling/time/interval.ts'
import { slotsWithin, startsWithin, total } from './period.sql.ts'

/**
 * What the reservations of a report are grouped by: a provider, a service, or the date and hour of the start in the
 * provider's time zone; `none` puts all into one group.
 */
export type ReportKey = 'provider' | 'service' | 'local_hour' | 'none'

/** The counts of one group of reservations; a reservation counts on the date of its start. */
export interface ReportCounts {
  /** Number of pending and confirmed reservations. */
  readonly bookings: number
  readonly cancelled: number
  /** Number of confirmed reservations whose customer was marked as a no-show. */
  readonly noShows: number
  /** Number of confirmed reservations whose customer was marked as arrived, in service or completed. */
  readonly attended: number
  /** Total length in seconds of the slots with a pending or confirmed reservation; each slot counts once. */
  readonly seconds: number
}

const keys = {
  provider: sql`cast(provider_id as text)`,
  service: sql`service_id`,
  // The local date and hour of the start, such as `2026-12-01T09`.
  local_hour: sql`substr(local_start, 1, 13)`,
  none: sql`''`,
} as const satisfies Record<ReportKey, RawBuilder<unknown>>

/**
 * Counts the reservations that start in a period, by group, for the providers in `providerIds` or, when undefined, for
 * all.
 */
export async function countByKey(
  db: Database,
  key: ReportKey,
  period: Interval,
  providerIds: readonly number[] | undefined,
): Promise<ReadonlyMap<string, ReportCounts>> {
  const confirmed = sql`status = 'confirmed'`
  const slots = slotsWithin(db, period, providerIds, key === 'local_hour' ? 'local_start' : undefined)
  const { rows } = await sql<Record<keyof ReportCounts, number> & { readonly key: string }>`
    select counted.*, coalesce(taken.seconds, 0) as seconds from (select ${keys[key]} as key,
      count(*) filter (where status <> 'cancelled') as bookings,
      count(*) filter (where status = 'cancelled') as cancelled,
      count(*) filter (where ${confirmed} and attendance = 'no_show') as "noShows",
      count(*) filter (where ${confirmed} and attendance in ('arrived', 'in_service', 'completed')) as attended
      from reservation where ${startsWithin(db, period, providerIds)} group by 1) as counted
    left join (select ${keys[key]} as key, ${total(sql`end_at - start_at`)} as seconds from (${slots}) as slot group by 1)
      as taken on taken.key = counted.key`.execute(db.build)
  return new Map(
    rows.map((row) => [
      row.key,
      {
        bookings: Number(row.bookings),
        cancelled: Number(row.cancelled),
        noShows: Number(row.noShows),
        attended: Number(row.attended),
        seconds: Number(row.seconds),
      },
    ]),
  )
}

/**
 * Counts the customers with a booking in a period, with the providers in `providerIds` or, when undefined, with any,
 * and how many of them have a booking before the period with any provider. Cancelled bookings do not count.
 */
export async function countCustomers(
  db: Database,
  period: Interval,
  providerIds: readonly number[] | undefined,
): Promise<{ readonly customers: number; readonly returning: number }> {
  const { rows } = await sql<{ readonly customers: number; readonly regulars: number }>`
    select count(*) as customers, cast(coalesce(sum(case when exists (
        select 1 from reservation as earlier where earlier.customer_id = seen.customer_id
          and earlier.start_at < ${sql.lit(period.start)} and earlier.status <> 'cancelled')
      then 1 else 0 end), 0) as bigint) as regulars
    from (select distinct customer_id from reservation
      where ${startsWithin(db, period, providerIds)} and status <> 'cancelled') as seen`.execute(db.build)
  return { customers: Number(rows[0]?.customers ?? 0), returning: Number(rows[0]?.regulars ?? 0) }
}
