import type { TSchema } from 'typebox'
import { type PostingKind, postingKinds } from '../../../payments/ledger/ledger.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, localDate, oneOf, orNull, typed, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { leading, none, paging } from '../row.ts'
import { disputeState } from './desk-payments.ts'

const kinds = Object.fromEntries(postingKinds.map((kind) => [kind, true])) as Readonly<Record<PostingKind, true>>
const sum = (description: string) =>
  Type.Integer({ description: `${description}, in the smallest unit of the currency` })
const named = <T extends TSchema>(id: T) =>
  orNull(Type.Object({ id, name: Type.String({ description: 'Empty for one that was removed' }) }))

const filter = {
  search: Type.Optional(
    typed(200, {
      description: 'Beginnings of the customer’s name, address or number, or an id of reservation or customer',
    }),
  ),
  kind: Type.Optional(oneOf<PostingKind>(kinds)),
  serviceId: Type.Optional(Type.String({ maxLength: 100 })),
  providerId: Type.Optional(whole(0)),
  from: Type.Optional(localDate),
  to: Type.Optional(localDate),
}

/**
 * The routes that list the postings of the ledger (payments, refunds and other movements of money), list the disputes
 * that the bank has not decided, and export the postings as CSV.
 */
export const paymentListRoutes = {
  'GET /payments/': {
    summary: 'List the postings of the books, the newest first; no further than the first 10,000',
    admits: leading,
    query: Type.Object({ ...filter, ...paging }),
    body: null,
    envelope: 'list',
    returns: Type.Object({
      id: Type.String(),
      at: calendarInstant,
      kind: oneOf<PostingKind>(kinds),
      amount: sum('The amount that moved'),
      gross: sum('What it adds to the income; negative for money that goes back'),
      tax: orNull(sum('The tax that `gross` includes')),
      fee: sum('What the processor kept'),
      currency: Type.String(),
      reservationId: orNull(Type.String()),
      customer: named(Type.String()),
      service: named(Type.String()),
      provider: named(Type.Integer()),
      reference: orNull(Type.String({ description: 'The processor’s id of the charge, refund or dispute' })),
      receipt: orNull(
        Type.Object(
          { id: Type.String(), number: Type.String() },
          { description: 'The receipt or credit note; null without one' },
        ),
      ),
    }),
    ok: 200,
  },
  'GET /payments/disputes/': {
    summary: 'List the disputes that are not decided, the oldest first; at most 100',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Array(
      Type.Object({
        id: Type.String(),
        amount: sum('The disputed amount'),
        currency: Type.String(),
        reason: Type.String({ description: 'The processor’s word for why' }),
        state: disputeState,
        dueAt: orNull(calendarInstant),
        reservationId: Type.String(),
        customer: Type.String({ description: 'Name of the customer; empty for one who was removed' }),
      }),
    ),
    ok: 200,
  },
  'GET /payments/csv/': {
    summary: 'Download all postings that match the filters as CSV for accountants, safe against formula injection',
    admits: leading,
    query: Type.Object(filter),
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
} as const satisfies PanelContract
