import type { Money } from '../../money.ts'
import type { PostingKind } from '../ledger/ledger.ts'

/** A document of a payment, or of what went back. */
export type ReceiptKind = 'receipt' | 'credit_note'

/** How money was paid that a receipt documents. */
export type ReceiptMethod = 'online' | 'on_site' | 'voucher'

/** Who issues receipts. */
export interface Seller {
  readonly name: string
  /** The lines of the postal address. */
  readonly address: string
  readonly taxNumber: string
}

/** The seller that receipts name, and the retention period of receipts in years, counted from the end of the year of issue. */
export interface ReceiptSettings extends Seller {
  readonly years: number
}

/** The settings of a site that has not set any: ten years is what the law of most countries asks at most. */
export const defaultReceiptSettings: ReceiptSettings = { name: '', address: '', taxNumber: '', years: 10 }

/** A receipt or a credit note as it was issued; it names no customer. */
export interface Receipt extends Money {
  readonly id: string
  readonly kind: ReceiptKind
  readonly number: string
  readonly year: number
  readonly issuedAt: number
  readonly postingId: string
  readonly reservationId: string
  /** The number of what a credit note takes back, or of the credit note that a receipt replaces; null for neither. */
  readonly corrects: string | null
  readonly service: string
  readonly serviceAt: number
  readonly method: ReceiptMethod
  /** The included tax, in basis points and in the smallest unit; null when none is shown. */
  readonly taxRate: number | null
  readonly tax: number | null
  readonly language: string
  readonly zone: string
  readonly seller: Seller
}

interface Documented {
  readonly kind: ReceiptKind
  readonly method: ReceiptMethod
  /** The kind of what it corrects. */
  readonly corrects: ReceiptKind | null
}

const documented: Readonly<Partial<Record<PostingKind, Documented>>> = {
  charge: { kind: 'receipt', method: 'online', corrects: null },
  on_site: { kind: 'receipt', method: 'on_site', corrects: null },
  voucher_use: { kind: 'receipt', method: 'voucher', corrects: null },
  voucher_refund: { kind: 'credit_note', method: 'voucher', corrects: 'receipt' },
  refund: { kind: 'credit_note', method: 'online', corrects: 'receipt' },
  on_site_refund: { kind: 'credit_note', method: 'on_site', corrects: 'receipt' },
  // The money did not go back after all, so the credit note is taken back.
  refund_failed: { kind: 'receipt', method: 'online', corrects: 'credit_note' },
}

/** Returns how a posting of this kind is documented; undefined for fees and the like. */
export function documentOf(kind: PostingKind): Documented | undefined {
  return documented[kind]
}

/** Returns the series of numbers of a year; each kind has its own. */
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
