import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Money } from '../money.ts'
import { incomeKinds } from '../payments/ledger/ledger.ts'
import type { Interval } from '../scheduling/time/interval.ts'

/** What income is grouped by; `none` puts all income of a period and currency into one group. */
export type IncomeKey = 'provider' | 'service' | 'none'

/** The income of one group in one currency: what customers paid, less what was returned to them. */
export interface Income {
  /** The index of the period in the list of requested periods. */
  readonly period: number
  /** The id of the provider or service of the group; empty where it is unknown, and for the key `none`. */
  readonly key: string
  readonly money: Money
}

type IncomeRow = Omit<Income, 'money'> & Money

const keys = {
  provider: sql`coalesce(cast(posting.provider_id as text), '')`,
  service: sql`coalesce(posting.service_id, '')`,
  none: sql`''`,
} as const satisfies Record<IncomeKey, RawBuilder<unknown>>

/**
 * Sums the income of each period, by the time at which a payment, refund or dispute was recorded, for the providers in
 * `providerIds` or, when undefined, for all. A voucher counts when it is used, not when it is sold, and an amount that
 * was written off does not count.
 */
export async function sumIncome(
  db: Database,
  periods: readonly Interval[],
  { by, providerIds }: { readonly by: IncomeKey; readonly providerIds: readonly number[] | undefined },
): Promise<Income[]> {
  const own =
    providerIds === undefined
      ? sql``
      : sql` and ${db.dialect.listed(sql.ref('posting.provider_id'), providerIds, 'bigint')}`
  // A payment credits the account `sales`. A refund debits `refunds` and a dispute debits `disputes`; a failed refund
  // and a won dispute credit these accounts.
  const signed = sql`case when entry.credit in ('sales', 'refunds', 'disputes') then entry.amount else -entry.amount end`
  const parts = periods.map(
    ({ start, end }, at) => sql`
      select cast(${sql.lit(at)} as bigint) as period, ${keys[by]} as key, entry.currency as currency,
        cast(sum(${signed}) as bigint) as amount
      from ledger_posting as posting join ledger_entry as entry on entry.posting_id = posting.id
      where posting.posted_at >= ${sql.lit(start)} and posting.posted_at < ${sql.lit(end)}
        and posting.kind in (${sql.join(incomeKinds)})${own}
      group by 2, 3`,
  )
  const { rows } = await sql<IncomeRow>`${sql.join(parts, sql` union all `)}`.execute(db.build)
  return rows.map(({ period, key, currency, amount }) => {
    return { period: Number(period), key, money: { amount: Number(amount), currency } }
  })
}
