import type { FileAnswer } from '../../contract/endpoint.ts'
import { csvHeader, csvLine } from '../../csv.ts'
import { decimalText } from '../../money.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import type { ShownPosting } from './payment-list.operations.ts'

const columns = [
  'date',
  'zone',
  'kind',
  'reservation',
  'customer',
  'service',
  'provider',
  'amount',
  'currency',
  'debit',
  'credit',
  'gross',
  'tax_rate',
  'tax',
  'fee',
  'processor_reference',
  'posting',
  'receipt',
]

/**
 * Writes postings as CSV with a header, one posting per line. Amounts are decimal numbers; `gross` is negative for
 * money that is returned to a customer, and 0 for postings that are no income.
 */
export async function writePaymentTable(
  { zone, parts }: { readonly zone: string; readonly parts: AsyncIterable<readonly ShownPosting[]> },
  write: Parameters<FileAnswer['file']>[0],
): Promise<void> {
  await write(csvHeader(columns))
  for await (const part of parts) await write(part.map((posting) => csvLine(cellsOf(posting, zone))).join(''))
}

function cellsOf(posting: ShownPosting, zone: string): readonly (string | number | null)[] {
  const { at, kind, reservationId, customer, service, provider, amount, currency, debit, credit, reference } = posting
  // Amounts are written as numbers, without a currency and never quoted, so that spreadsheets can add them up.
  const decimal = (value: number) => Number(decimalText({ amount: value, currency }))
  return [
    wallTime(zone, at).replace('T', ' '),
    zone,
    kind,
    reservationId,
    customer?.id ?? null,
    service && (service.name || service.id),
    provider && (provider.name || String(provider.id)),
    decimal(amount),
    currency,
    debit,
    credit,
    decimal(posting.gross),
    posting.taxRate === null ? null : posting.taxRate / 100,
    posting.tax === null ? null : decimal(posting.tax),
    decimal(posting.fee),
    reference,
    posting.id,
    posting.receipt?.number ?? null,
  ]
}
