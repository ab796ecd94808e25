import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { couponRoutes } from '../../contract/panel/outbound/coupons.ts'
import type { Handlers } from '../../http/call.ts'
import { message } from '../../messages/message.ts'
import { wrongFields } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { couponCode } from './coupon.ts'
import { countCoupons, listCoupons } from './coupons.sql.ts'

/** Returns the handlers of the panel's routes that list, add, edit and apply coupons. */
export function couponHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof couponRoutes, Operations> {
  return {
    'GET /payments/coupons/': async ({ query: { search = '' }, paging }) => {
      const start = couponCode(search)
      const coupons = await listCoupons(app.db, start, paging)
      const page = coupons.map(({ worth, serviceIds, ...coupon }) => ({
        ...{ ...coupon, serviceIds: [...serviceIds] },
        percent: 'percent' in worth ? worth.percent : null,
        amount: 'amount' in worth ? worth.amount : null,
      }))
      return { page, total: await countCoupons(app.db, start) }
    },

    'POST /payments/coupons/add/': ({ body: { kind, value, currency, ...body }, perform }) => {
      if (kind === 'amount') return perform('payments.coupons.add', { ...body, worth: { amount: value }, currency })
      const expected = message('expected_integer_between', { least: 1, most: 100 })
      if (value > 100) throw wrongFields({ value: message('must_be', { expected }) })
      return perform('payments.coupons.add', { ...body, worth: { percent: value }, currency: null })
    },

    'POST /payments/coupons/edit/': ({ body, perform }) => perform('payments.coupons.edit', body),

    'POST /payments/coupons/apply/': ({ body, perform }) => perform('payments.coupons.apply', body),
  }
}
