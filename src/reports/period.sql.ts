import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { ReservationStatus } from '../reservations/reservation.ts'
import type { Interval } from '../scheduling/time/interval.ts'

/** The number of reservations that begin on one day, and the time that they occupy. */
export interface Counted {
  /** The index of the day in the list of requested days. */
  readonly day: number
  readonly pending: number
  readonly confirmed: number
  readonly cancelled: number
  /** Total length in seconds of the slots with a reservation that is not cancelled; each slot counts once. */
  readonly seconds: number
}

/**
 * Counts the reservations that begin on each day, with the providers in `providerIds` or, when undefined, with any
 * provider.
 */
export async function countByDay(
  db: Database,
  days: readonly Interval[],
  providerIds: readonly number[] | undefined,
): Promise<Counted[]> {
  // Each day has a `select` of its own, which reads one range of the index: a query that groups by day would have to
  // sort all rows of the period.
  const parts = days.map((stretch, day) => {
    const found = startsWithin(db, stretch, providerIds)
    const slots = slotsWithin(db, stretch, providerIds)
    const ofStatus = (name: ReservationStatus) => sql`count(*) filter (where ${status(db)} = ${sql.lit(name)})`
    return sql`select ${sql.lit(day)} as day, ${ofStatus('pending')} as pending, ${ofStatus('confirmed')} as confirmed,
      ${ofStatus('cancelled')} as cancelled,
      (select ${total(sql`end_at - start_at`)} from (${slots}) as slot) as seconds
      from reservation where ${found}`
  })
  const { rows } = await sql<Counted>`${sql.join(parts, sql` union all `)}`.execute(db.build)
  return rows.map(({ day, pending, confirmed, cancelled, seconds }) => ({
    day: Number(day),
    pending: Number(pending),
    confirmed: Number(confirmed),
    cancelled: Number(cancelled),
    seconds: Number(seconds),
  }))
}

/**
 * Sums, for each provider, the lengths in seconds of the slots that begin in the period and have a reservation that is
 * not cancelled; each slot counts once.
 */
export async function sumReserved(
  db: Database,
  period: Interval,
  providerIds: readonly number[],
): Promise<Map<number, number>> {
  const slots = slotsWithin(db, period, sql.ref('wanted.value'))
  const { rows } = await sql<{ id: number; seconds: number }>`
    select wanted.value as id, (select ${total(sql`end_at - start_at`)} from (${slots}) as slot) as seconds
    from ${db.dialect.wanted(providerIds, 'bigint')}`.execute(db.build)
  return new Map(rows.map(({ id, seconds }) => [Number(id), Number(seconds)]))
}

/** Sums the prices of the confirmed reservations that begin in the period, by currency. */
export async function sumPrices(
  db: Database,
  period: Interval,
  providerIds: readonly number[] | undefined,
): Promise<{ currency: string; amount: number }[]> {
  const { rows } = await sql<{ currency: string; amount: number }>`
    select currency, ${total(sql`price`)} as amount from reservation
    where ${startsWithin(db, period, providerIds)} and ${status(db)} = 'confirmed' and currency is not null
    group by currency`.execute(db.build)
  return rows.map(({ currency, amount }) => ({ currency, amount: Number(amount) }))
}

/** Counts a service's reservations that begin in the period by provider, without cancelled ones. */
export async function countByProvider(
  db: Database,
  serviceId: string,
  { start, end }: Interval,
): Promise<Map<number, number>> {
  const rows = await db.build
    .selectFrom('reservation')
    .select(['provider_id', (e) => e.fn.countAll<number>().as('count')])
    .where('service_id', '=', serviceId)
    .where('start_at', '>=', start)
    .where('start_at', '<', end)
    .where(sql<boolean>`${status(db)} <> 'cancelled'`)
    .groupBy('provider_id')
    .orderBy('provider_id')
    .execute()
  return new Map(rows.map((row) => [row.provider_id, Number(row.count)]))
}

/**
 * Selects the distinct slots that begin in the period and have a reservation that is not cancelled; `more` is a column
 * to select as well. The other columns are in the order of the index `reservation_by_start` and, for one provider, of
 * `reservation_by_provider`, so that `distinct` needs no sort without `more`.
 */
export function slotsWithin(
  db: Database,
  stretch: Interval,
  provider: Provider,
  more?: 'local_start',
): RawBuilder<unknown> {
  const columns = sql.join(['start_at', 'provider_id', 'service_id', 'end_at', ...(more ? [more] : [])].map(sql.ref))
  return sql`select distinct ${columns} from reservation
    where ${startsWithin(db, stretch, provider)} and ${status(db)} <> 'cancelled'`
}

/** Which providers are counted: a list of ids, the provider of the outer query's row, or all when undefined. */
type Provider = readonly number[] | RawBuilder<unknown> | undefined

/**
 * Builds the condition that a reservation starts in a period, with the given provider or providers; with any when
 * undefined.
 */
export function startsWithin(db: Database, { start, end }: Interval, provider: Provider): RawBuilder<unknown> {
  const begins = sql`start_at >= ${sql.lit(start)} and start_at < ${sql.lit(end)}`
  if (provider === undefined) return begins
  return sql`${'length' in provider ? db.dialect.listed(sql.ref('provider_id'), provider, 'bigint') : sql`provider_id = ${provider}`} and ${begins}`
}

function status(db: Database): RawBuilder<unknown> {
  return db.dialect.narrowing(sql.ref('status'))
}

/** Builds the sum of an expression over all rows; 0 without rows. */
export function total(of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`cast(coalesce(sum(${of}), 0) as bigint)`
}
