import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import { loadCatalogue } from '../../catalogue/catalogue.sql.ts'
import type { voucherRoutes } from '../../contract/panel/outbound/vouchers.ts'
import type { Handlers } from '../../http/call.ts'
import { refusal } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { loadReceiptSettings } from '../receipts/receipts.sql.ts'
import { voucherHash } from './redemption.operations.ts'
import { codeLength, voucherCode } from './voucher.ts'
import { writeVoucherTable } from './voucher-csv.routes.ts'
import { voucherPage } from './voucher-page.ts'
import { countVouchers, findVoucher, listVoucherEntries, listVouchers, type VoucherSearch } from './vouchers.sql.ts'

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
        file: (write) => writeVoucherTable({ db, zone: site.timezone }, write),
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
