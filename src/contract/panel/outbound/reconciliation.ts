import type { DifferenceKind, Payout } from '../../../payments/reconciliation/reconciliation.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, leading, none, nothing } from '../row.ts'

const sum = (description: string) =>
  Type.Integer({ description: `${description}, in the smallest unit of the currency` })

/** The routes that show and run the comparison of the ledger with the payment processor, and resolve differences. */
export const reconciliationRoutes = {
  'GET /payments/reconciliation/': {
    summary: 'Return the last comparison of the books with the processor, open differences, and the last payouts',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      ranAt: orNull(calendarInstant),
      compared: Type.Integer({ description: 'Number of movements that were compared' }),
      differences: Type.Array(
        Type.Object({
          id: Type.String(),
          kind: oneOf<DifferenceKind>({ charge: true, fee: true, refund: true, dispute: true, payout: true }),
          reference: Type.String({ description: 'The processor’s id' }),
          booked: orNull(sum('What the books say')),
          found: orNull(sum('What the processor says')),
          currency: Type.String(),
          at: calendarInstant,
          confirmed: Type.Boolean({ description: 'Whether it was still there when it was compared again' }),
        }),
      ),
      payouts: Type.Array(
        Type.Object({
          id: Type.String(),
          amount: sum('The amount'),
          own: sum('The part that comes from payments in the books'),
          currency: Type.String(),
          state: oneOf<Payout['state']>({ pending: true, paid: true, failed: true }),
          matched: Type.Boolean({ description: 'Whether its movements make up its amount' }),
          arrivesAt: calendarInstant,
        }),
      ),
    }),
    ok: 200,
  },
  'POST /payments/reconciliation/': {
    summary: 'Compare the books with the processor now',
    admits: admins,
    query: none,
    body: Type.Object({}),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/differences/resolve/': {
    summary: 'Settle a difference between the books and the processor that was looked into',
    admits: admins,
    query: none,
    body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 300 }) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
