import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, localDate, oneOf, orNull, typed, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { desk, leading, none, nothing, paging } from '../row.ts'

const id = Type.String({ minLength: 1, maxLength: 100 })
const uses = orNull(whole(1, 1_000_000))
const changeable = {
  validFrom: orNull(localDate),
  validUntil: orNull(localDate),
  maxUses: uses,
  maxUsesPerCustomer: uses,
  serviceIds: Type.Array(id, { maxItems: 200, description: 'The services for which it counts; empty for all' }),
}

/** The routes that list, add and change coupons, and apply one to a reservation. */
export const couponRoutes = {
  'GET /payments/coupons/': {
    summary: 'List the coupons, the newest first',
    admits: leading,
    query: Type.Object({
      search: Type.Optional(typed(60, { description: 'How the code starts' })),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: Type.Object({
      id: Type.String(),
      code: Type.String(),
      percent: orNull(Type.Integer({ description: 'A percentage of the price' })),
      amount: orNull(Type.Integer({ description: 'In the smallest unit of the currency' })),
      currency: orNull(Type.String({ description: 'Of the amount' })),
      ...changeable,
      active: Type.Boolean(),
      createdAt: calendarInstant,
      uses: Type.Integer({ description: 'Bookings that use it, without those that were cancelled before payment' }),
    }),
    ok: 200,
  },
  'POST /payments/coupons/add/': {
    summary: 'Add a coupon; its code and what it takes off never change',
    admits: leading,
    query: none,
    body: Type.Object({
      code: typed(60),
      kind: oneOf<'percent' | 'amount'>({ percent: true, amount: true }),
      value: whole(1, 1_000_000_000_000, { description: 'Percent, at most 100, or an amount in the smallest unit' }),
      currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Of an amount' }),
      ...changeable,
    }),
    envelope: 'response',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /payments/coupons/edit/': {
    summary: 'Change when, how often and for what a coupon can be used, or switch it off; absent fields are unchanged',
    admits: leading,
    query: none,
    body: Type.Object({ id, ...Type.Partial(Type.Object({ ...changeable, active: Type.Boolean() })).properties }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/coupons/apply/': {
    summary: 'Reduce the price of a reservation by a coupon, before anything is paid',
    admits: desk,
    query: none,
    body: Type.Object({ reservationId: id, code: typed(60) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
