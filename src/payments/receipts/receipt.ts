import type { Money } from '../../money.ts'
import type { Fact, PostingKind } from '../ledger/ledger.ts'

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
  /** The kind of posting whose document the new one corrects or replaces; null when there is none. */
  readonly corrects: PostingKind | null
}

const documented: Readonly<Partial<Record<PostingKind, Documented>>> = {
  charge: { kind: 'receipt', method: 'online', corrects: null },
  on_site: { kind: 'receipt', method: 'on_site', corrects: null },
  voucher_use: { kind: 'receipt', method: 'voucher', corrects: null },
  voucher_refund: { kind: 'credit_note', method: 'voucher', corrects: 'voucher_use' },
  refund: { kind: 'credit_note', method: 'online', corrects: 'charge' },
  on_site_refund: { kind: 'credit_note', method: 'on_site', corrects: 'on_site' },
  // The refund failed and the money did not reach the customer, so a receipt replaces the credit note.
  refund_failed: { kind: 'receipt', method: 'online', corrects: 'refund' },
}

/**
 * Returns which document is issued for a posting of this kind; undefined for kinds without a document, such as fees.
 */
export function documentOf(kind: PostingKind): Documented | undefined {
  return documented[kind]
}

/** A document that a later one may correct or replace, with the posting for which it was issued. */
export interface Correctable {
  readonly number: string
  readonly amount: number
  /** The sum of the documents that correct or replace this one. */
  readonly corrected: number
  /** The kind and the cause of the posting, as `Fact` has them, with a `:` between them. */
  readonly source: string
  readonly paymentId: string | null
  readonly voucherId: string | null
}

/**
 * Returns the number of the document that the document of a posting corrects or replaces, null when there is none: that
 * of the same payment, voucher or refund. If there are several, such as for two payments at the desk, returns the
 * newest one that is not corrected in full, otherwise the newest. `earlier` has the oldest first.
 */
export function correctedNumber(
  { kind, cause, paymentId = null, voucherId = null }: Fact,
  earlier: readonly Correctable[],
): string | null {
  const own = earlier.filter((one) => one.paymentId === paymentId && one.voucherId === voucherId)
  const found = kind === 'refund_failed' ? own.filter(({ source }) => source === `refund:${cause}`) : own
  return (found.findLast(({ amount, corrected }) => corrected < amount) ?? found.at(-1))?.number ?? null
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
