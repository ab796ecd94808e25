import { type RawBuilder, sql } from 'kysely'
import type { Interval } from '../domain/interval.ts'
import type { ReservationStatus } from '../domain/reservation.ts'
import type { Database } from './database.ts'

/** What begins on one day, of one status and priced in one currency. */
export interface Counted {
  /** The place of the day in the list that was asked about. */
  readonly day: number
  readonly status: ReservationStatus
  readonly currency: string | null
  readonly count: number
  readonly price: number
}

/** Seconds of one provider's slots that begin on one day, each counted once however many seats of it are taken. */
export interface Reserved {
  readonly day: number
  readonly providerId: number
  readonly seconds: number
}

/** Counts the reservations that begin on each day; of one provider alone where one is named. */
export async function countByDay(
  db: Database,
  days: readonly Interval[],
  providerId: number | undefined,
): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    with ${dayTable(days)}
    select day.place as day, reservation.status as status, reservation.currency as currency, count(*) as count,
      cast(coalesce(sum(reservation.price), 0) as bigint) as price
    from day join reservation on reservation.start_at >= day.first and reservation.start_at < day.after
      ${ofProvider(providerId)}
    group by day.place, reservation.status, reservation.currency`.execute(db.build)
  return rows.map((row) => ({ ...row, count: Number(row.count), price: Number(row.price) }))
}

/** Sums up, by day and provider, the slots that have reservations which are not cancelled. */
export async function sumReserved(
  db: Database,
  days: readonly Interval[],
  providerId: number | undefined,
): Promise<Reserved[]> {
  const { rows } = await sql<Reserved>`
    with ${dayTable(days)}
    select slot.place as day, slot.provider_id as "providerId",
      cast(sum(slot.end_at - slot.start_at) as bigint) as seconds
    from (
      select distinct day.place, reservation.provider_id, reservation.service_id, reservation.start_at, reservation.end_at
      from day join reservation on reservation.start_at >= day.first and reservation.start_at < day.after
        ${ofProvider(providerId)}
      where ${db.dialect.narrowing(sql.ref('reservation.status'))} <> 'cancelled'
    ) as slot
    group by slot.place, slot.provider_id`.execute(db.build)
  return rows.map((row) => ({ ...row, seconds: Number(row.seconds) }))
}

function ofProvider(providerId: number | undefined): RawBuilder<unknown> {
  return providerId === undefined ? sql`` : sql`and reservation.provider_id = ${providerId}`
}

function dayTable(days: readonly Interval[]): RawBuilder<unknown> {
  const rows = days.map(
    ({ start, end }, place) => sql`(cast(${place} as bigint), cast(${start} as bigint), cast(${end} as bigint))`,
  )
  return sql`day (place, first, after) as (values ${sql.join(rows)})`
}
