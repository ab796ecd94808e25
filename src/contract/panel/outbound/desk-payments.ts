import { type DeskKind, deskKinds, type Till } from '../../../payments/desk/desk-payments.ts'
import type { DisputeState } from '../../../payments/disputes/dispute.ts'
import type { ReceiptKind } from '../../../payments/receipts/receipt.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, oneOf, orNull, typed, whole } from '../../fields.ts'
import { paymentFields } from '../../payment-fields.ts'
import { Type } from '../../schema.ts'
import { desk, leading, none, nothing } from '../row.ts'

const amount = whole(1, 1_000_000_000_000, { description: 'In the smallest unit of the currency' })
const reservationId = Type.String({ minLength: 1, maxLength: 100 })
const sum = Type.Integer({ description: 'In the smallest unit of the currency' })

/** The schema of the state of a dispute, a payment that a customer contests with the bank. */
export const disputeState = oneOf<DisputeState>({ inquiry: true, open: true, won: true, lost: true })

const card = orNull(
  Type.Object({ brand: Type.String(), last4: Type.String() }, { description: 'The saved card; null without one' }),
)

/**
 * The routes with which staff see and change what was paid for a reservation, such as those that refund a payment,
 * charge a no-show fee and record payments on site.
 */
export const deskPaymentRoutes = {
  'GET /payments/reservation/': {
    summary: 'Return what is due and was paid for a reservation, and what can be refunded',
    admits: desk,
    query: Type.Object({ id: reservationId }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      payment: orNull(Type.Object(paymentFields)),
      due: sum,
      overpaid: Type.Integer({ description: 'What was paid beyond the price' }),
      writtenOff: Type.Integer({ description: 'What was given up of the price' }),
      processor: Type.Integer({ description: 'What can be refunded through the processor' }),
      onSite: Type.Integer({ description: 'What can be given back at the desk' }),
      voucher: Type.Integer({ description: 'What goes back to vouchers, before anything else is refunded' }),
      card,
      waits: Type.Boolean({
        description: 'Whether it waits for the customer to pay or confirm, so that the desk cannot record a payment',
      }),
      missed: Type.Boolean({ description: 'Whether the visit is marked as a no-show' }),
      receipts: Type.Array(
        Type.Object({
          id: Type.String(),
          kind: oneOf<ReceiptKind>({ receipt: true, credit_note: true }),
          number: Type.String(),
          amount: sum,
          currency: Type.String(),
        }),
      ),
      disputes: Type.Array(
        Type.Object({
          at: calendarInstant,
          amount: sum,
          currency: Type.String(),
          reason: Type.String({ description: 'The processor’s word for why' }),
          state: disputeState,
          dueAt: orNull(calendarInstant),
        }),
      ),
      entries: Type.Array(
        Type.Object({
          at: calendarInstant,
          kind: oneOf<DeskKind>(deskKinds),
          amount: sum,
          currency: Type.String(),
        }),
      ),
    }),
    ok: 200,
  },
  'GET /payments/cancellation/': {
    summary: 'Return what would go back to vouchers and through the processor if reservations were cancelled now',
    admits: desk,
    query: Type.Object({ ids: Type.String({ maxLength: 5_000, description: 'Ids separated by commas' }) }),
    body: null,
    envelope: 'response',
    returns: Type.Array(
      Type.Object({
        currency: Type.String(),
        rule: Type.Integer({ description: 'By the rules of the services, in the smallest unit of the currency' }),
        all: Type.Integer({ description: 'Everything that can be refunded, in the smallest unit of the currency' }),
      }),
    ),
    ok: 200,
  },
  'GET /payments/no-show/': {
    summary: 'Return what a claim of the fee for a missed visit would charge, to which card, and the message about it',
    admits: leading,
    query: Type.Object({
      id: reservationId,
      by: oneOf<'card' | 'link'>(
        { card: true, link: true },
        { description: 'From the saved card, or by a link that the customer pays' },
      ),
    }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      amount: sum,
      currency: Type.String(),
      card,
      mail: orNull(
        Type.Object(
          { name: Type.String(), address: Type.String(), subject: Type.String(), text: Type.String() },
          { description: 'The message to the customer; null when none is sent' },
        ),
      ),
    }),
    ok: 200,
  },
  'POST /payments/no-show/charge/': {
    summary: 'Charge the fee for a missed visit to the saved card',
    admits: leading,
    fresh: true,
    query: none,
    body: Type.Object({ reservationId, amount }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/no-show/link/': {
    summary: 'Send the customer a link to pay the fee for a missed visit',
    admits: leading,
    fresh: true,
    query: none,
    body: Type.Object({ reservationId, amount }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/refund/': {
    summary:
      'Give back a part of what was paid for a reservation, to its vouchers first, else through the processor or at the desk',
    admits: leading,
    fresh: true,
    query: none,
    body: Type.Object({
      reservationId,
      amount,
      from: oneOf<Till>({ voucher: true, processor: true, on_site: true }),
      reason: typed(200),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/write-off/': {
    summary: 'Give up a part of what is due for a reservation',
    admits: leading,
    fresh: true,
    query: none,
    body: Type.Object({ reservationId, amount, reason: typed(200) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/on-site/': {
    summary: 'Record that a customer paid at the desk',
    admits: desk,
    query: none,
    body: Type.Object({ reservationId, amount }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
