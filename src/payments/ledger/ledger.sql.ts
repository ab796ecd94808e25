import type { Database } from '../../db/database.ts'
import type { Account, Entry, Fact } from './ledger.ts'

/** A posting to be stored. */
export interface NewPosting {
  readonly id: string
  readonly fact: Fact
  readonly entry: Entry
  readonly postedAt: number
}

/** Stores a posting with its entry; false when the same fact was posted before. */
export async function insertPosting(db: Database, { id, fact, entry, postedAt }: NewPosting): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db.build
    .insertInto('ledger_posting')
    .values({
      id,
      kind: fact.kind,
      source: `${fact.kind}:${fact.cause}`,
      payment_id: fact.paymentId ?? null,
      reservation_id: fact.reservationId ?? null,
      posted_at: postedAt,
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

/** Returns every entry of the books, the oldest first, or those of one payment. */
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
