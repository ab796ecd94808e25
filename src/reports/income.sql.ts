import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Money } from '../money.ts'
import { incomeKinds } from '../payments/ledger/ledger.ts'
import type { Interval } from '../scheduling/time/interval.ts'

/** What income is grouped by; without a key, all of it is one group. */
export type IncomeKey = 'provider' | 'service' | 'none'

/** What was paid less what went back in one group and currency. */
export interface Income {
  /** The index of the period in the list of requested periods. */
  readonly period: number
  /** The id of the provider or service; empty where it is unknown. */
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
 * Sums the income of each period, by the time of the payment; for all providers or only for the given ones. Vouchers count
 * when they are used, and what was written off does not.
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
  // A sale is credited to sales, and what goes back is debited to refunds or disputes, and credited when it returns.
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
