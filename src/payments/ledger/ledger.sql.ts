import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { type Account, debitOf, type Entry, type Fact, type PostingSubject, saleKinds } from './ledger.ts'

/** The input of `insertPosting`: a movement of money to be recorded in the books. */
export interface NewPosting {
  readonly id: string
  readonly fact: Fact
  readonly entry: Entry
  readonly subject: PostingSubject
  readonly postedAt: number
}

/**
 * Stores a posting (a movement of money in the books) with the amount that it moves between two accounts; returns false
 * when a posting with the same kind and cause exists.
 */
export async function insertPosting(
  db: Database,
  { id, fact, entry, subject, postedAt }: NewPosting,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db.build
    .insertInto('ledger_posting')
    .values({
      id,
      kind: fact.kind,
      source: `${fact.kind}:${fact.cause}`,
      payment_id: fact.paymentId ?? null,
      reservation_id: fact.reservationId ?? null,
      voucher_id: fact.voucherId ?? null,
      posted_at: postedAt,
      service_id: subject.serviceId,
      provider_id: subject.providerId,
      tax_rate: subject.taxRate,
    })
    .onConflict((conflict) => conflict.column('source').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return false
  await db.build
    .insertInto('ledger_entry')
    .values({ posting_id: id, n: 1, ...entry })
    .execute()
  return true
}

/** Builds the condition that a posting's `source` equals the given text, or begins with that text and a `/`. */
export function isContinued(source: RawBuilder<unknown>, text: Expression<unknown>): RawBuilder<boolean> {
  return sql<boolean>`substr(${source} || '/', 1, length(${text}) + 1) = ${text} || '/'`
}

/**
 * Returns the sum that is already posted in the books for the movement of money in the fact: of postings for its
 * payment, of its kind, whose cause equals its cause or begins with that cause and a `/`.
 */
export async function sumPosted(db: Database, fact: Fact): Promise<number> {
  const row = await postedOf(db, fact)
    .select(
      sql<number>`coalesce(sum(case when debit = ${debitOf(fact.kind)} then amount else -amount end), 0)`.as('posted'),
    )
    .executeTakeFirstOrThrow()
  return Number(row.posted)
}

/** Returns the number of the postings of which `sumPosted` returns the sum. */
export async function countPosted(db: Database, fact: Fact): Promise<number> {
  const row = await postedOf(db, fact)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

function postedOf(db: Database, { kind, cause, paymentId = '' }: Fact) {
  return db.build
    .selectFrom('ledger_entry')
    .innerJoin('ledger_posting', 'ledger_posting.id', 'ledger_entry.posting_id')
    .where('payment_id', '=', paymentId)
    .where(isContinued(sql.ref('source'), sql`cast(${`${kind}:${cause}`} as text)`))
}

/** Returns the entries of the books, or only those of one payment; the oldest first in both cases. */
export async function listEntries(
  db: Database,
  of: { readonly paymentId?: string } = {},
): Promise<readonly (Entry & { readonly kind: string })[]> {
  const rows = await db.build
    .selectFrom('ledger_entry')
    .innerJoin('ledger_posting', 'ledger_posting.id', 'ledger_entry.posting_id')
    .select(['kind', 'debit', 'credit', 'amount', 'currency'])
    .$if(of.paymentId !== undefined, (q) => q.where('payment_id', '=', of.paymentId ?? ''))
    .orderBy('posted_at')
    .orderBy('posting_id')
    .execute()
  return rows.map((row) => ({ ...row, debit: row.debit as Account, credit: row.credit as Account }))
}

/**
 * Returns the tax rate, in basis points, of the given payment if it paid for the reservation, otherwise of the last
 * payment for the reservation; undefined when nothing was paid for the reservation.
 */
export async function findSaleRate(
  db: Database,
  reservationId: string,
  paymentId: string | undefined,
): Promise<{ readonly rate: number | null } | undefined> {
  const row = await db.build
    .selectFrom('ledger_posting')
    .select('tax_rate')
    .where('reservation_id', '=', reservationId)
    .where('kind', 'in', saleKinds)
    .orderBy((e) =>
      e
        .case()
        .when('payment_id', '=', paymentId ?? '')
        .then(0)
        .else(1)
        .end(),
    )
    .orderBy('posted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { rate: row.tax_rate }
}
