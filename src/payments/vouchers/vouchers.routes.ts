import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { voucherRoutes } from '../../contract/panel/outbound/vouchers.ts'
import { csvHeader, csvLine } from '../../csv.ts'
import type { Handlers } from '../../http/call.ts'
import { refusal } from '../../messages/refusal.ts'
import { decimalText } from '../../money.ts'
import type { Operations } from '../../operations.ts'
import { wallTime } from '../../scheduling/time/zone.ts'
import { loadReceiptSettings } from '../receipts/receipts.sql.ts'
import { voucherHash } from './redemption.operations.ts'
import { type BalancedVoucher, codeLength, voucherCode } from './voucher.ts'
import { voucherPage } from './voucher-page.ts'
import { countVouchers, findVoucher, listVoucherEntries, listVouchers, type VoucherSearch } from './vouchers.sql.ts'

const rowsAtOnce = 500
const columns = ['issued', 'zone', 'code_ends_with', 'amount', 'balance', 'currency', 'valid_until', 'voucher']

/**
 * Returns the handlers of the panel's routes that list, show, export, issue, extend, close and redeem gift vouchers.
 */
export function voucherHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof voucherRoutes, Operations> {
  const { db } = app
  return {
    'GET /payments/vouchers/': async ({ query: { search }, paging }) => {
      const sought = searchOf(search)
      return { page: await listVouchers(db, sought, paging), total: await countVouchers(db, sought) }
    },

    'GET /payments/vouchers/one/': async ({ query: { id } }) => {
      const voucher = await findVoucher(db, id)
      if (!voucher) throw refusal('coupon_invalid')
      return { ...voucher, entries: await listVoucherEntries(db, id) }
    },

    'GET /payments/vouchers/csv/': async () => {
      const { site } = await loadCatalogue(db)
      return {
        name: 'vouchers.csv',
        type: 'text/csv; charset=utf-8',
        file: async (write) => {
          await write(csvHeader(columns))
          for (let offset = 0; ; offset += rowsAtOnce) {
            const part = await listVouchers(db, {}, { limit: rowsAtOnce, offset })
            await write(part.map((voucher) => csvLine(cellsOf(voucher, site.timezone))).join(''))
            if (part.length < rowsAtOnce) return
          }
        },
      }
    },

    'POST /payments/vouchers/issue/': async ({ body: { language, ...body }, perform }) => {
      const { id, code } = await perform('payments.vouchers.issue', body)
      const { site } = await loadCatalogue(db)
      const { years: _, ...seller } = await loadReceiptSettings(db)
      const page = voucherPage({ ...body, code, language, seller: { ...seller, name: seller.name || site.name } })
      return { id, code, page }
    },

    'POST /payments/vouchers/extend/': ({ body, perform }) => perform('payments.vouchers.extend', body),

    'POST /payments/vouchers/close/': ({ body, perform }) => perform('payments.vouchers.close', body),

    'POST /payments/vouchers/redeem/': ({ body, perform }) => perform('payments.vouchers.redeem', body),
  }
}

function searchOf(typed = ''): VoucherSearch {
  const code = voucherCode(typed)
  if (code === '') return {}
  return { hint: code.slice(-4), ...(code.length === codeLength && { codeHash: voucherHash(code) }) }
}

function cellsOf(voucher: BalancedVoucher, zone: string): readonly (string | number | null)[] {
  const { id, hint, amount, balance, currency, validUntil, createdAt } = voucher
  const decimal = (value: number) => Number(decimalText({ amount: value, currency }))
  const issued = wallTime(zone, createdAt).replace('T', ' ')
  return [issued, zone, hint, decimal(amount), decimal(balance), currency, validUntil, id]
}
