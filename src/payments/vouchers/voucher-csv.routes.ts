import type { FileAnswer } from '../../contract/endpoint.ts'
import { csvHeader, csvLine } from '../../csv.ts'
import type { ReadDatabase } from '../../db/database.ts'
import { decimalText } from '../../money.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import type { BalancedVoucher } from './voucher.ts'
import { toVoucher, vouchersQuery } from './vouchers.sql.ts'

const columns = ['issued', 'zone', 'code_ends_with', 'amount', 'balance', 'currency', 'valid_until', 'voucher']

/**
 * Writes all vouchers as CSV with a header, the newest first. The balances are those of one moment, so that their sum
 * is what the site owes then.
 */
export async function writeVoucherTable(
  { db, zone }: { readonly db: ReadDatabase; readonly zone: string },
  write: Parameters<FileAnswer['file']>[0],
): Promise<void> {
  await write(csvHeader(columns))
  for await (const rows of db.stream(vouchersQuery(db)))
    await write(rows.map((row) => csvLine(cellsOf(toVoucher(row), zone))).join(''))
}

function cellsOf(voucher: BalancedVoucher, zone: string): readonly (string | number | null)[] {
  const { id, hint, amount, balance, currency, validUntil, createdAt } = voucher
  const decimal = (value: number) => Number(decimalText({ amount: value, currency }))
  const issued = wallTime(zone, createdAt).replace('T', ' ')
  return [issued, zone, hint, decimal(amount), decimal(balance), currency, validUntil, id]
}
