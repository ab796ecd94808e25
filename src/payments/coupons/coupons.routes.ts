import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { couponRoutes } from '../../contract/panel/outbound/coupons.ts'
import type { Handlers } from '../../http/call.ts'
import { message } from '../../messages/message.ts'
import { wrongFields } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import type { CouponWorth } from '../../reservations/payment.ts'
import { listCoupons } from './coupons.sql.ts'

const maxListed = 200

/** Handlers of coupons. */
export function couponHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof couponRoutes, Operations> {
  return {
    'GET /payments/coupons/': async () => {
      const coupons = await listCoupons(app.db, maxListed)
      return coupons.map(({ worth, serviceIds, ...coupon }) => ({
        ...{ ...coupon, serviceIds: [...serviceIds] },
        percent: 'percent' in worth ? worth.percent : null,
        amount: 'amount' in worth ? worth.amount : null,
      }))
    },

    'POST /payments/coupons/add/': ({ body: { percent, amount, currency, ...body }, perform }) => {
      const worth = worthOf(percent, amount)
      return perform('payments.coupons.add', { ...body, worth, currency: 'percent' in worth ? null : currency })
    },

    'POST /payments/coupons/edit/': ({ body, perform }) => perform('payments.coupons.edit', body),

    'POST /payments/coupons/apply/': ({ body, perform }) => perform('payments.coupons.apply', body),
  }
}

function worthOf(percent: number | null, amount: number | null): CouponWorth {
  if (percent !== null && amount === null) return { percent }
  if (amount !== null && percent === null) return { amount }
  throw wrongFields({ amount: message('coupon_worth_wrong') })
}
