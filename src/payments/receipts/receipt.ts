import type { Money } from '../../money.ts'
import type { PostingKind } from '../ledger/ledger.ts'

/** The kind of a document: a receipt for a payment or for a refund that failed, or a credit note for a refund. */
export type ReceiptKind = 'receipt' | 'credit_note'

/** The way in which the documented money was paid or returned. */
export type ReceiptMethod = 'online' | 'on_site' | 'voucher'

/** The business that issues receipts. */
export interface Seller {
  readonly name: string
  /** The postal address of the seller, with line breaks. */
  readonly address: string
  readonly taxNumber: string
}

/**
 * The seller that receipts show, and the retention period of receipts in years, counted from the end of the year of
 * issue.
 */
export interface ReceiptSettings extends Seller {
  readonly years: number
}

/**
 * The receipt settings of a site that has set none. In most countries, the law requires no retention of receipts
 * beyond ten years.
 */
export const defaultReceiptSettings: ReceiptSettings = { name: '', address: '', taxNumber: '', years: 10 }

/** A receipt or a credit note as it was issued, without the name of the customer. */
export interface Receipt extends Money {
  readonly id: string
  readonly kind: ReceiptKind
  readonly number: string
  readonly year: number
  readonly issuedAt: number
  readonly postingId: string
  readonly reservationId: string
  /**
   * The number of the receipt that a credit note corrects, or of the credit note that a receipt replaces; null when
   * there is none.
   */
  readonly corrects: string | null
  readonly service: string
  readonly serviceAt: number
  readonly method: ReceiptMethod
  /**
   * The tax rate in basis points (hundredths of a percent), and the included tax in the smallest unit of the currency;
   * null when no tax is shown.
   */
  readonly taxRate: number | null
  readonly tax: number | null
  readonly language: string
  readonly zone: string
  readonly seller: Seller
}

interface Documented {
  readonly kind: ReceiptKind
  readonly method: ReceiptMethod
  /** The kind of the earlier document that the new one corrects or replaces; null when there is none. */
  readonly corrects: ReceiptKind | null
}

const documented: Readonly<Partial<Record<PostingKind, Documented>>> = {
  charge: { kind: 'receipt', method: 'online', corrects: null },
  on_site: { kind: 'receipt', method: 'on_site', corrects: null },
  voucher_use: { kind: 'receipt', method: 'voucher', corrects: null },
  voucher_refund: { kind: 'credit_note', method: 'voucher', corrects: 'receipt' },
  refund: { kind: 'credit_note', method: 'online', corrects: 'receipt' },
  on_site_refund: { kind: 'credit_note', method: 'on_site', corrects: 'receipt' },
  // The refund failed and the money did not reach the customer, so a receipt replaces the credit note.
  refund_failed: { kind: 'receipt', method: 'online', corrects: 'credit_note' },
}

/**
 * Returns which document is issued for a posting of this kind; undefined for kinds without a document, such as fees.
 */
export function documentOf(kind: PostingKind): Documented | undefined {
  return documented[kind]
}

/**
 * Returns the name of the series in which a kind of document is numbered in a year: `2026` for receipts, `C2026` for
 * credit notes.
 */
export function seriesOf(kind: ReceiptKind, year: number): string {
  return kind === 'receipt' ? String(year) : `C${year}`
}

/** Returns a number of a series as it is printed, such as `2026-00042` or `C2026-00007`. */
export function numberText(series: string, n: number): string {
  return `${series}-${String(n).padStart(5, '0')}`
}

/** Returns the earliest year of issue whose receipts are still within the retention period. */
export function firstKeptYear({ years }: Pick<ReceiptSettings, 'years'>, thisYear: number): number {
  return thisYear - years
}
