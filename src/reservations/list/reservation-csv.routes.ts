import type { FileAnswer } from '../../contract/endpoint.ts'
import { csvHeader, csvLine } from '../../csv.ts'
import { decimalText, moneyOf } from '../../money.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import type { ListedReservation } from './reservation-list.operations.ts'

const columns = [
  'id',
  'status',
  'start',
  'end',
  'zone',
  'service',
  'provider',
  'customer',
  'email',
  'phone',
  'price',
  'currency',
  'created',
]

/** Writes reservations as CSV with a header; prices are decimal numbers. */
export async function writeReservationTable(
  { zone, parts }: { readonly zone: string; readonly parts: AsyncIterable<readonly ListedReservation[]> },
  write: Parameters<FileAnswer['file']>[0],
): Promise<void> {
  await write(csvHeader(columns))
  const local = (at: number) => wallTime(zone, at).replace('T', ' ')
  for await (const part of parts)
    await write(
      part
        .map(({ id, status, start, end, service, provider, customer, price, currency, created }) =>
          csvLine([
            id,
            status,
            local(start),
            local(end),
            zone,
            service.name || service.id,
            provider.name || String(provider.id),
            customer.name || customer.id,
            customer.email,
            customer.phone,
            decimalPrice({ price, currency }),
            currency,
            local(created),
          ]),
        )
        .join(''),
    )
}

function decimalPrice(of: Parameters<typeof moneyOf>[0]): string | null {
  const money = moneyOf(of)
  return money && decimalText(money)
}
