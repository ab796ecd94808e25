import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Database, ReadDatabase } from '../../db/database.ts'
import { maxCounted } from '../../db/query/count-rows.ts'
import { includedTax } from '../../money.ts'
import { midnight, refuseTooDeep, soughtReservations } from '../../reservations/list/reservation-list.operations.ts'
import { incomeOf, type PostingKind } from '../ledger/ledger.ts'
import {
  countPostings,
  type ListedPosting,
  listPostings,
  type PostingCriteria,
  postingsQuery,
  toListedPosting,
} from './payment-list.sql.ts'

/** A search of the postings; absent fields match everything. */
export interface PaymentSearch {
  /**
   * Text to search for: beginnings of words of the customer's name, e-mail address or phone number, the end of the
   * phone number, or the whole id of a reservation or customer.
   */
  readonly search?: string | undefined
  readonly kind?: PostingKind | undefined
  readonly serviceId?: string | undefined
  readonly providerId?: number | undefined
  /** The first and the last date (`YYYY-MM-DD`, both included) of the postings, in the site's time zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * Returns one page of the matching postings, the newest first, and the number of all matches; a total of 10,001 means
 * more than 10,000. Refuses a page that begins after the first 10,000 matches.
 */
export function searchPayments(
  db: ReadDatabase,
  search: PaymentSearch,
  part: { readonly limit: number; readonly offset: number },
) {
  refuseTooDeep(part)
  return db.snapshot(async (read) => {
    const catalogue = await loadCatalogue(read)
    const sought = await criteriaOf(read, catalogue, search)
    const postings = await listPostings(read, sought, part)
    const total = await countPostings(read, sought, maxCounted + 1)
    return { page: postings.map((posting) => shownPosting(catalogue, posting)), total }
  })
}

/** Returns the site's time zone and a stream of all matching postings, the oldest first, read from one snapshot. */
export async function exportPayments(db: ReadDatabase, search: PaymentSearch) {
  const catalogue = await db.snapshot(loadCatalogue)
  const rows = db.stream(postingsQuery(db, await criteriaOf(db, catalogue, search)))
  return { zone: catalogue.site.timezone, parts: shownParts() }

  async function* shownParts(): AsyncGenerator<ShownPosting[]> {
    for await (const part of rows) yield part.map((row) => shownPosting(catalogue, toListedPosting(row)))
  }
}

/**
 * A posting as the panel lists and exports it: with the names of its service, provider and customer, its part of the
 * income (`gross`), the tax included in that part, and the processor's fee.
 */
export type ShownPosting = ReturnType<typeof shownPosting>

async function criteriaOf(
  db: Database,
  { site }: Catalogue,
  { search, kind, serviceId, providerId, from, to }: PaymentSearch,
): Promise<PostingCriteria> {
  const span = { from: midnight(site, from, 0), until: midnight(site, to, 1) }
  return { kind, serviceId, providerId, ...span, about: await soughtReservations(db, search) }
}

function shownPosting(catalogue: Catalogue, posting: ListedPosting) {
  const { serviceId, providerId, customerId, customerName, ...rest } = posting
  const { taxRate } = posting
  const gross = incomeOf(posting)
  const tax = taxRate === null ? null : Math.sign(gross) * includedTax(Math.abs(gross), taxRate)
  return {
    ...rest,
    gross,
    tax,
    fee: feeOf(posting),
    service: serviceId === null ? null : { id: serviceId, name: catalogue.service(serviceId)?.name ?? '' },
    provider: providerId === null ? null : { id: providerId, name: catalogue.provider(providerId)?.name ?? '' },
    customer: customerId === null ? null : { id: customerId, name: customerName ?? '' },
  }
}

/**
 * Returns the processor's fee that an entry records; negative when the processor returned a fee, 0 for other entries.
 */
function feeOf({ debit, credit, amount }: ListedPosting): number {
  if (debit === 'fees') return amount
  return credit === 'fees' ? -amount : 0
}
