import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { countRows } from '../../db/query/count-rows.ts'
import type { ReservationCriteria } from '../../reservations/list/reservation-search.sql.ts'
import type { Account, Entry, PostingKind } from '../ledger/ledger.ts'

/** Criteria of a search of the postings; absent fields match everything. */
export interface PostingCriteria {
  readonly kind?: PostingKind | undefined
  readonly serviceId?: string | undefined
  readonly providerId?: number | undefined
  /** The period as Unix seconds; `from` is included, `until` is not. */
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** The reservation (`id`) or the customers (`customerIds`) that a posting concerns; other fields are ignored. */
  readonly about: ReservationCriteria
}

/**
 * A posting (a movement of money in the books) with its amount and accounts, its customer, its receipt, and the
 * processor's id of its charge or refund.
 */
export interface ListedPosting extends Entry {
  readonly id: string
  readonly kind: PostingKind
  readonly at: number
  readonly reservationId: string | null
  readonly serviceId: string | null
  readonly providerId: number | null
  readonly taxRate: number | null
  readonly customerId: string | null
  /** The customer's name; null when the customer was removed, and when `customerId` is null. */
  readonly customerName: string | null
  /**
   * For a posting of a refund through the processor, the processor's id of the refund; for any other posting of a
   * payment, that of the charge; null for postings without a payment through the processor, such as payouts.
   */
  readonly reference: string | null
  /** The receipt or credit note of the posting; null when none was issued, and when it was deleted after its years. */
  readonly receipt: { readonly id: string; readonly number: string } | null
}

interface PostingRow extends Omit<ListedPosting, 'kind' | 'debit' | 'credit' | 'receipt'> {
  readonly kind: string
  readonly debit: string
  readonly credit: string
  readonly receiptId: string | null
  readonly receiptNumber: string | null
}

/** Returns one page of the matching postings, the newest first. */
export async function listPostings(
  db: Database,
  sought: PostingCriteria,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ListedPosting[]> {
  const page = matching(db, sought, sql` order by posted_at desc, id desc limit ${limit} offset ${offset}`)
  const { rows } = await sql<PostingRow>`${shown(page)} order by posting.posted_at desc, posting.id desc`.execute(
    db.build,
  )
  return rows.map(toListedPosting)
}

/** Counts the postings that match a search, up to `most`. */
export function countPostings(db: Database, sought: PostingCriteria, most: number): Promise<number> {
  return countRows(db, sql`(${matching(db, sought, sql` limit ${most}`)})`)
}

/**
 * Builds the query of all postings that match a search, the oldest first, for streaming; `toListedPosting` converts its
 * rows.
 */
export function postingsQuery(db: Database, sought: PostingCriteria): CompiledQuery<PostingRow> {
  return sql<PostingRow>`${shown(matching(db, sought, sql``))} order by posting.posted_at, posting.id`.compile(db.build)
}

/** Converts a row of `postingsQuery` or `listPostings` to a posting of the list. */
export function toListedPosting({ receiptId, receiptNumber, ...row }: PostingRow): ListedPosting {
  return {
    ...row,
    receipt: receiptId === null || receiptNumber === null ? null : { id: receiptId, number: receiptNumber },
    kind: row.kind as PostingKind,
    debit: row.debit as Account,
    credit: row.credit as Account,
    at: Number(row.at),
    amount: Number(row.amount),
    providerId: row.providerId === null ? null : Number(row.providerId),
  }
}

function matching(db: Database, sought: PostingCriteria, part: RawBuilder<unknown>): RawBuilder<unknown> {
  const { kind, serviceId, providerId, from, until, about } = sought
  const conditions = [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(serviceId === undefined ? [] : [sql`service_id = ${serviceId}`]),
    ...(providerId === undefined ? [] : [sql`provider_id = ${providerId}`]),
    ...(from === undefined ? [] : [sql`posted_at >= ${from}`]),
    ...(until === undefined ? [] : [sql`posted_at < ${until}`]),
    ...(about.id === undefined ? [] : [sql`reservation_id = ${about.id}`]),
    ...(about.customerIds === undefined ? [] : [ofCustomers(db, about.customerIds)]),
  ]
  const where = conditions.length === 0 ? sql`` : sql` where ${sql.join(conditions, sql` and `)}`
  return sql`select * from ledger_posting${where}${part}`
}

function ofCustomers(db: Database, ids: readonly string[]): RawBuilder<unknown> {
  const own = db.dialect.listed(sql.ref('customer_id'), ids, 'text')
  // A processor's fee refers to its payment and to no reservation, so the customer is found through the payment.
  return sql`(reservation_id in (select id from reservation where ${own})
    or payment_id in (select id from payment where ${own}))`
}

// Tables that only contribute columns are joined to the rows of the page, after its limit has been applied. The source
// of a posting is its kind, a colon and the id of its cause.
function shown(page: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select posting.id, posting.kind, posting.posted_at as at, posting.reservation_id as "reservationId",
      posting.service_id as "serviceId", posting.provider_id as "providerId", posting.tax_rate as "taxRate",
      entry.debit, entry.credit, entry.amount, entry.currency,
      coalesce(reservation.customer_id, payment.customer_id) as "customerId", customer.name as "customerName",
      coalesce(refund.processor_id, payment.charge_id) as reference,
      receipt.id as "receiptId", receipt.number as "receiptNumber"
    from (${page}) as posting
    join ledger_entry as entry on entry.posting_id = posting.id
    left join reservation on reservation.id = posting.reservation_id
    left join payment on payment.id = posting.payment_id
    left join refund on refund.id = substr(posting.source, length(posting.kind) + 2)
    left join receipt on receipt.posting_id = posting.id
    left join customer on customer.id = coalesce(reservation.customer_id, payment.customer_id)`
}
