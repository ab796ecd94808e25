import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { VoucherTable } from '../../db/query/payment-tables.ts'
import type { PostingKind } from '../ledger/ledger.ts'
import type { PaidByVoucher } from '../refunds/cancellation.ts'
import type { BalancedVoucher, Voucher } from './voucher.ts'

/** Inserts a voucher with the hash of its code; its balance follows from the postings in the books. */
export async function insertVoucher(db: Database, voucher: Voucher, codeHash: string): Promise<void> {
  const { id, hint, amount, currency, validUntil, createdAt } = voucher
  await db.build
    .insertInto('voucher')
    .values({ id, code_hash: codeHash, hint, amount, currency, valid_until: validUntil, created_at: createdAt })
    .execute()
}

/** Changes the last date on which a voucher can be redeemed. */
export async function updateValidity(db: Database, { id, validUntil }: Pick<Voucher, 'id' | 'validUntil'>) {
  await db.build.updateTable('voucher').set({ valid_until: validUntil }).where('id', '=', id).execute()
}

/** Returns the voucher whose code has this hash; undefined when there is none. */
export function findVoucherOf(db: Database, codeHash: string): Promise<BalancedVoucher | undefined> {
  return findWhere(db, sql`code_hash = ${codeHash}`)
}

/** Returns the voucher with this id; undefined for an unknown id. */
export function findVoucher(db: Database, id: string): Promise<BalancedVoucher | undefined> {
  return findWhere(db, sql`id = ${id}`)
}

async function findWhere(db: Database, condition: RawBuilder<unknown>): Promise<BalancedVoucher | undefined> {
  const { rows } = await sql<VoucherRow>`${shown} where ${condition}`.execute(db.build)
  const [row] = rows
  return row && toVoucher(row)
}

/**
 * Whether any voucher, with or without a balance, is valid on this date. If not, the booking page does not ask for a
 * voucher.
 */
export async function hasVouchers(db: Database, today: string): Promise<boolean> {
  const row = await db.build
    .selectFrom('voucher')
    .select('id')
    .where((e) => e.or([e('valid_until', 'is', null), e('valid_until', '>=', today)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether any voucher was ever issued. */
export async function hasIssuedVouchers(db: Database): Promise<boolean> {
  return (await db.build.selectFrom('voucher').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * A search of vouchers: by the last four characters of the code or by the hash of the code; all when both are absent.
 */
export interface VoucherSearch {
  readonly hint?: string | undefined
  readonly codeHash?: string | undefined
}

/** Returns one page of the vouchers that a search finds, the newest first. */
export async function listVouchers(
  db: Database,
  search: VoucherSearch,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<BalancedVoucher[]> {
  const { rows } = await sql<VoucherRow>`${shown} ${matching(search)}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db.build)
  return rows.map(toVoucher)
}

/** Builds the query of all vouchers, the newest first, for streaming; `toVoucher` converts its rows. */
export function vouchersQuery(db: Database): CompiledQuery<VoucherRow> {
  return sql<VoucherRow>`${shown} order by created_at desc, id desc`.compile(db.build)
}

/** Counts the vouchers that a search finds. */
export async function countVouchers(db: Database, search: VoucherSearch): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from voucher ${matching(search)}`.execute(
    db.build,
  )
  return Number(rows[0]?.total ?? 0)
}

function matching({ hint, codeHash }: VoucherSearch): RawBuilder<unknown> {
  if (codeHash !== undefined) return sql`where code_hash = ${codeHash} or hint = ${hint ?? ''}`
  return hint === undefined ? sql`` : sql`where hint = ${hint}`
}

/** A posting in the books that concerns a voucher, with its amount. */
export interface VoucherEntry {
  readonly at: number
  readonly kind: PostingKind
  readonly amount: number
  readonly currency: string
  readonly reservationId: string | null
}

/** Returns the postings about a voucher, the oldest first. */
export async function listVoucherEntries(db: Database, id: string): Promise<VoucherEntry[]> {
  const rows = await db.build
    .selectFrom('ledger_posting')
    .innerJoin('ledger_entry', 'ledger_entry.posting_id', 'ledger_posting.id')
    .select(['kind', 'amount', 'currency', 'posted_at', 'reservation_id'])
    .where('voucher_id', '=', id)
    .orderBy('posted_at')
    .orderBy('posting_id')
    .execute()
  return rows.map((row) => ({
    ...{ at: row.posted_at, kind: row.kind as PostingKind, amount: row.amount, currency: row.currency },
    reservationId: row.reservation_id,
  }))
}

/** The amount that one voucher has paid for a reservation, less what was returned to it. */
export interface VoucherShare {
  readonly voucherId: string
  readonly left: number
}

/** Returns the amount that vouchers have paid for a reservation, and the part that has not been returned. */
export async function findPaidByVoucher(db: Database, reservationId: string): Promise<PaidByVoucher> {
  let [paid, recent, left] = [0, 0, 0]
  for (const { kind, amount } of await listMoved(db, reservationId)) {
    const used = kind === 'voucher_use' ? amount : 0
    paid += used
    recent += used
    left += kind === 'voucher_use' ? amount : -amount
    if (left <= 0) recent = 0
  }
  return { paid, recent, left: Math.max(0, left) }
}

/**
 * Returns, for each voucher, the amount that it has paid for a reservation and that was not returned, the last used
 * first.
 */
export async function listVoucherShares(db: Database, reservationId: string): Promise<VoucherShare[]> {
  const sums = new Map<string, number>()
  for (const { kind, amount, voucherId } of await listMoved(db, reservationId)) {
    const sum = sums.get(voucherId) ?? 0
    // A Map retains the position of a key that is set again. The key of a voucher that is used again is deleted
    // first, which moves it to the end.
    if (kind === 'voucher_use') sums.delete(voucherId)
    sums.set(voucherId, kind === 'voucher_use' ? sum + amount : sum - amount)
  }
  return [...sums].map(([voucherId, left]) => ({ voucherId, left })).toReversed()
}

async function listMoved(db: Database, reservationId: string) {
  const rows = await db.build
    .selectFrom('ledger_posting')
    .innerJoin('ledger_entry', 'ledger_entry.posting_id', 'ledger_posting.id')
    .select(['kind', 'amount', 'voucher_id'])
    .where('reservation_id', '=', reservationId)
    .where('kind', 'in', ['voucher_use', 'voucher_refund'])
    .orderBy('posted_at')
    .orderBy('posting_id')
    .execute()
  return rows.map(({ kind, amount, voucher_id: voucherId }) => ({ kind, amount, voucherId: voucherId ?? '' }))
}

interface VoucherRow extends VoucherTable {
  readonly balance: number | bigint | string
}

const shown = sql`select voucher.*, cast((select coalesce(sum(case when entry.credit = 'vouchers' then entry.amount
    else -entry.amount end), 0)
  from ledger_posting as posting join ledger_entry as entry on entry.posting_id = posting.id
  where posting.voucher_id = voucher.id) as bigint) as balance from voucher`

/** Converts a row of `vouchersQuery` to a voucher. */
export function toVoucher(row: VoucherRow): BalancedVoucher {
  return {
    ...{ id: row.id, hint: row.hint, amount: Number(row.amount), currency: row.currency },
    ...{ validUntil: row.valid_until, createdAt: Number(row.created_at), balance: Number(row.balance) },
  }
}
