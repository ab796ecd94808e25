import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { PaymentDifferenceTable } from '../../db/query/payment-tables.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { isContinued } from '../ledger/ledger.sql.ts'
import { type BookedAmount, type Difference, type DifferenceKind, differenceId, type Payout } from './reconciliation.ts'

/** The last comparison of the books with the processor. */
export interface Reconciliation {
  readonly fromAt: number
  readonly untilAt: number
  readonly ranAt: number
  readonly compared: number
}

/**
 * A row of the table `payment_difference`; `confirmedAt` is null until the difference is confirmed, and `resolvedAt`
 * while it is not resolved.
 */
export interface StoredDifference extends Difference {
  readonly id: string
  readonly foundAt: number
  readonly confirmedAt: number | null
  readonly resolvedAt: number | null
}

/** Returns the last comparison of the books with the processor; undefined before the first. */
export async function findReconciliation(db: Database): Promise<Reconciliation | undefined> {
  const row = await db.build.selectFrom('reconciliation').selectAll().executeTakeFirst()
  return row && { fromAt: row.from_at, untilAt: row.until_at, ranAt: row.ran_at, compared: row.compared }
}

/** Stores the last comparison of the books with the processor. */
export async function saveReconciliation(db: Database, of: Reconciliation): Promise<void> {
  const row = { from_at: of.fromAt, until_at: of.untilAt, ran_at: of.ranAt, compared: of.compared }
  await db.build
    .insertInto('reconciliation')
    .values({ id: 'site', ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

type Choice = { readonly references: readonly string[] } | { readonly posted: Interval }

/**
 * Returns the charges, refunds and disputes in the books: those with these ids at the processor, or those of payments
 * with postings in a period.
 */
export async function listBooked(db: Database, choice: Choice): Promise<BookedAmount[]> {
  const chosen = (column: string) =>
    'references' in choice
      ? sql`${db.dialect.listed(sql.ref(column), choice.references, 'text')}`
      : sql`exists (select 1 from ledger_posting as recent where recent.payment_id = payment.id
          and recent.posted_at >= ${choice.posted.start} and recent.posted_at < ${choice.posted.end})`
  const sumOf = (condition: ReturnType<typeof sql>) => sql`(select coalesce(sum(case
      when posting.kind in ('refund_failed', 'dispute_won') then -entry.amount
      when entry.credit = 'fees' then -entry.amount else entry.amount end), 0)
    from ledger_posting as posting join ledger_entry as entry on entry.posting_id = posting.id
    where posting.payment_id = payment.id and ${condition})`
  // The cause of a posting about a dispute is the dispute's id (for a fee, after `dispute/` or `dispute-won/`), which a
  // `/` and more text may follow.
  const of = (source: string) => isContinued(sql.ref('posting.source'), sql`(${sql.lit(source)} || dispute.id)`)
  const { rows } = await sql<BookedAmount>`
    select 'charge' as kind, payment.charge_id as reference, payment.id as "paymentId", payment.currency as currency,
      cast(${sumOf(sql`posting.kind = 'charge'`)} as bigint) as amount,
      cast(${sumOf(sql`posting.source = 'fee:' || payment.id`)} as bigint) as fee, payment.updated_at as "postedAt"
    from payment where payment.state = 'paid' and ${chosen('payment.charge_id')}
    union all
    select 'refund', refund.processor_id, payment.id, refund.currency,
      cast(${sumOf(sql`posting.source in ('refund:' || refund.id, 'refund_failed:' || refund.id)`)} as bigint),
      0, refund.updated_at
    from refund join payment on payment.id = refund.payment_id
    where refund.processor_id is not null and refund.processor_id <> '' and ${chosen('refund.processor_id')}
    union all
    select 'dispute', dispute.id, payment.id, dispute.currency,
      cast(${sumOf(sql`(${of('dispute:')} or ${of('dispute_won:')})`)} as bigint),
      cast(${sumOf(sql`(${of('fee:dispute/')} or ${of('fee:dispute-won/')})`)} as bigint),
      dispute.updated_at
    from dispute join payment on payment.id = dispute.payment_id where ${chosen('dispute.id')}`.execute(db.build)
  return rows.map((row) => ({
    ...row,
    amount: Number(row.amount),
    fee: Number(row.fee),
    postedAt: Number(row.postedAt),
  }))
}

/** Returns the ids of the payments whose own id or charge id is one of these ids, together with their charge ids. */
export async function findOwn(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.build
    .selectFrom('payment')
    .select(['id', 'charge_id'])
    .where((e) =>
      e.or([db.dialect.listed(e.ref('id'), ids, 'text'), db.dialect.listed(e.ref('charge_id'), ids, 'text')]),
    )
    .execute()
  return new Set(rows.flatMap(({ id, charge_id: charge }) => (charge === null ? [id] : [id, charge])))
}

/** Returns the differences that are not resolved, the oldest first; at most `most`. */
export async function listDifferences(db: Database, most: number): Promise<StoredDifference[]> {
  const rows = await db.build
    .selectFrom('payment_difference')
    .selectAll()
    .where('resolved_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(toDifference)
}

/** Returns a stored difference; undefined for an unknown id. */
export async function findDifference(db: Database, id: string): Promise<StoredDifference | undefined> {
  const row = await db.build.selectFrom('payment_difference').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toDifference(row)
}

/** Stores a difference, and replaces its earlier state. */
export async function saveDifference(db: Database, of: Omit<StoredDifference, 'id'>): Promise<void> {
  const row = {
    kind: of.kind,
    reference: of.reference,
    payment_id: of.paymentId,
    booked: of.booked,
    found: of.found,
    currency: of.currency,
    at: of.at,
    found_at: of.foundAt,
    confirmed_at: of.confirmedAt,
    resolved_at: of.resolvedAt,
  }
  await db.build
    .insertInto('payment_difference')
    .values({ id: differenceId(of), ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Counts the differences that a second comparison confirmed and that are not resolved. */
export async function countConfirmed(db: Database): Promise<number> {
  const row = await db.build
    .selectFrom('payment_difference')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('resolved_at', 'is', null)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Stores a new payout, or the new state of a known one. */
export async function savePayout(db: Database, payout: Payout): Promise<void> {
  const { id, amount, currency, state, own, matched, arrivesAt, createdAt } = payout
  const known = { amount, state, own, matched: matched ? 1 : 0, arrives_at: arrivesAt }
  await db.build
    .insertInto('payout')
    .values({ id, currency, created_at: createdAt, ...known })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(known))
    .execute()
}

/** Returns at most `most` payouts, the newest first. */
export async function listPayouts(db: Database, most: number): Promise<Payout[]> {
  const rows = await db.build
    .selectFrom('payout')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    amount: row.amount,
    currency: row.currency,
    state: row.state as Payout['state'],
    own: row.own,
    matched: row.matched === 1,
    arrivesAt: row.arrives_at,
    createdAt: row.created_at,
  }))
}

function toDifference(row: PaymentDifferenceTable): StoredDifference {
  return {
    id: row.id,
    kind: row.kind as DifferenceKind,
    reference: row.reference,
    paymentId: row.payment_id,
    booked: row.booked,
    found: row.found,
    currency: row.currency,
    at: row.at,
    foundAt: row.found_at,
    confirmedAt: row.confirmed_at,
    resolvedAt: row.resolved_at,
  }
}
