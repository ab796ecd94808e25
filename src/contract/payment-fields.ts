import type { PaymentMethod, PaymentMode } from '../catalogue/services/payment-rule.ts'
import type { NoShowFeeState, PaymentState } from '../reservations/payment.ts'
import { largest, oneOf, orNull, whole } from './fields.ts'
import { Type } from './schema.ts'

/** The schemas of the fields of a reservation's payment. */
export const paymentFields = {
  method: oneOf<PaymentMethod>({ online: true, card: true, on_site: true }),
  state: oneOf<PaymentState>({ due: true, part_paid: true, paid: true, part_refunded: true, refunded: true }),
  amount: whole(0, largest, {
    description: 'The price, after the reduction of a coupon, in the smallest unit of the currency',
  }),
  paid: whole(0),
  refunded: whole(0),
  currency: Type.String({ description: 'ISO 4217 code' }),
  coupon: Type.Optional(
    Type.Object(
      {
        code: Type.String(),
        worth: Type.Union([
          Type.Object({ percent: whole(1, 100) }),
          Type.Object({ amount: whole(0, largest, { description: 'In the smallest unit of the currency' }) }),
        ]),
        reduction: whole(0, largest, { description: 'What it took off the price' }),
      },
      { description: 'The coupon that reduced the amount; absent without one' },
    ),
  ),
  noShowFee: Type.Optional(
    Type.Object(
      {
        amount: whole(0, largest, { description: 'In the smallest unit of the currency' }),
        state: oneOf<NoShowFeeState>({
          ...{ agreed: true, charging: true, charged: true, declined: true },
          ...{ authentication: true, requested: true, too_late: true },
        }),
      },
      { description: 'The fee for a missed visit to which the customer agreed with a card; absent without one' },
    ),
  ),
}

/** Returns the schema of a part of a price: a percentage or, without one, an amount in minor currency units. */
function partOfPrice(description: string) {
  return Type.Object(
    {
      percent: Type.Optional(whole(0, 100)),
      amount: Type.Optional(whole(0, largest, { description: 'Smallest unit of the currency' })),
    },
    { description },
  )
}

/** The schema of the payment rule of a service. Undeclared keys are stored unchanged. */
export const paymentSettings = Type.Object(
  {
    mode: Type.Optional(
      oneOf<PaymentMode>(
        { none: true, on_site: true, online: true, card: true, choice: true },
        { description: 'card: a card is saved for a no-show fee; choice: the customer chooses among `choices`' },
      ),
    ),
    deposit: Type.Optional(orNull(partOfPrice('The part that is paid online; the rest is paid on site'))),
    choices: Type.Optional(
      orNull(
        Type.Array(oneOf<PaymentMethod>({ online: true, card: true, on_site: true }), {
          maxItems: 3,
          description: 'What the customer may choose; online and on_site when absent',
        }),
      ),
    ),
    noShowFee: Type.Optional(orNull(partOfPrice('What a missed visit costs a customer whose card was saved'))),
    taxBasisPoints: Type.Optional(
      orNull(whole(0, 10_000, { description: 'The tax that the price includes, in hundredths of a percent' })),
    ),
    refunds: Type.Optional(
      orNull(
        Type.Array(Type.Object({ hours: whole(0, 8_760), percent: whole(0, 100) }), {
          maxItems: 5,
          description:
            'What is refunded when a reservation is cancelled: the percentage of the step with the most hours that the notice reaches',
        }),
      ),
    ),
  },
  { additionalProperties: true },
)
