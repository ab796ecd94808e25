import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { deleteBatch } from '../../db/query/delete-batch.ts'
import type { ReceiptTable } from '../../db/query/payment-tables.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import type { PostingKind } from '../ledger/ledger.ts'
import {
  type Correctable,
  defaultReceiptSettings,
  type Receipt,
  type ReceiptKind,
  type ReceiptMethod,
  type ReceiptSettings,
  type Seller,
} from './receipt.ts'
import { listReceiptCustomers } from './receipt-customers.sql.ts'

/**
 * Returns the seller that new receipts show, and the retention period of receipts; the defaults when none are stored.
 */
export async function loadReceiptSettings(db: Database): Promise<ReceiptSettings> {
  const row = await db.build.selectFrom('receipt_settings').selectAll().executeTakeFirst()
  if (!row) return defaultReceiptSettings
  const { name, address, years } = row
  return { name, address, taxNumber: row.tax_number, years }
}

/** Stores the seller that new receipts show, and the retention period of receipts. */
export async function saveReceiptSettings(db: Database, of: ReceiptSettings): Promise<void> {
  const row = { name: of.name, address: of.address, tax_number: of.taxNumber, years: of.years }
  await db.build
    .insertInto('receipt_settings')
    .values({ id: 'site', ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/**
 * Takes the next number of a series of documents. The row of the series stays locked until the transaction ends, and a
 * rollback returns the number, so a series has no gaps.
 */
export async function takeNumber(db: Database, series: string): Promise<number> {
  const { last } = await db.build
    .insertInto('receipt_counter')
    .values({ series, last: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet((row) => ({ last: row('receipt_counter.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return Number(last)
}

/** Inserts a receipt or a credit note, which is not changed afterwards. */
export async function insertReceipt(db: Database, receipt: Receipt): Promise<void> {
  await db.build
    .insertInto('receipt')
    .values({
      id: receipt.id,
      kind: receipt.kind,
      number: receipt.number,
      year: receipt.year,
      issued_at: receipt.issuedAt,
      posting_id: receipt.postingId,
      reservation_id: receipt.reservationId,
      corrects: receipt.corrects,
      service: receipt.service,
      service_at: receipt.serviceAt,
      method: receipt.method,
      amount: receipt.amount,
      currency: receipt.currency,
      tax_rate: receipt.taxRate,
      tax: receipt.tax,
      language: receipt.language,
      zone: receipt.zone,
      seller: JSON.stringify(receipt.seller),
    })
    .execute()
}

/** Returns a receipt; undefined for an unknown id. */
export async function findReceipt(db: Database, id: string): Promise<Receipt | undefined> {
  const row = await db.build.selectFrom('receipt').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toReceipt(row)
}

/** Returns the receipts and credit notes of a reservation, the oldest first. */
export async function listReceipts(db: Database, reservationId: string): Promise<Receipt[]> {
  const rows = await db.build
    .selectFrom('receipt')
    .selectAll()
    .where('reservation_id', '=', reservationId)
    .orderBy('issued_at')
    .orderBy('id')
    .execute()
  return rows.map(toReceipt)
}

/**
 * Returns the receipts and credit notes of a reservation that were issued to its present customer, the oldest first.
 */
export async function listReceiptsOfCustomer(
  db: Database,
  reservation: Pick<Reservation, 'id' | 'customerId'>,
): Promise<Receipt[]> {
  const receipts = await listReceipts(db, reservation.id)
  if (receipts.length === 0) return []
  const customers = await listReceiptCustomers(db, [reservation])
  return receipts.filter(({ id }) => customers.get(id) === reservation.customerId)
}

/**
 * Returns the receipts and credit notes that were issued for postings of this kind for a reservation, the oldest first.
 */
export async function listCorrectable(db: Database, reservationId: string, kind: PostingKind): Promise<Correctable[]> {
  const rows = await db.build
    .selectFrom('receipt')
    .innerJoin('ledger_posting', 'ledger_posting.id', 'receipt.posting_id')
    .select(['receipt.number', 'receipt.amount', 'source', 'payment_id', 'voucher_id'])
    .select((e) =>
      e
        .selectFrom('receipt as later')
        .select((later) => later.fn.sum<number | null>('later.amount').as('sum'))
        .whereRef('later.reservation_id', '=', 'receipt.reservation_id')
        .whereRef('later.corrects', '=', 'receipt.number')
        .as('corrected'),
    )
    .where('receipt.reservation_id', '=', reservationId)
    .where('ledger_posting.kind', '=', kind)
    .orderBy('ledger_posting.posted_at')
    .orderBy('ledger_posting.id')
    .execute()
  return rows.map(({ payment_id: paymentId, voucher_id: voucherId, corrected, ...receipt }) => {
    return { ...receipt, paymentId, voucherId, corrected: Number(corrected ?? 0) }
  })
}

/** Deletes at most `limit` receipts that were issued in years before `before`; returns how many were deleted. */
export function deleteOldReceipts(db: Database, before: number, limit: number): Promise<number> {
  return deleteBatch(db, 'receipt', { where: sql`year < ${before}`, limit })
}

function toReceipt(row: ReceiptTable): Receipt {
  return {
    id: row.id,
    kind: row.kind as ReceiptKind,
    number: row.number,
    year: row.year,
    issuedAt: row.issued_at,
    postingId: row.posting_id,
    reservationId: row.reservation_id,
    corrects: row.corrects,
    service: row.service,
    serviceAt: row.service_at,
    method: row.method as ReceiptMethod,
    amount: row.amount,
    currency: row.currency,
    taxRate: row.tax_rate,
    tax: row.tax,
    language: row.language,
    zone: row.zone,
    seller: JSON.parse(row.seller) as Seller,
  }
}
