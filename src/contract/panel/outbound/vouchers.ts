import { type Locale, locales } from '../../../notifications/templates/template.ts'
import { type PostingKind, postingKinds } from '../../../payments/ledger/ledger.ts'
import type { PanelContract } from '../../endpoint.ts'
import { calendarInstant, localDate, oneOf, orNull, typed, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { desk, leading, none, nothing, paging } from '../row.ts'

const id = Type.String({ minLength: 1, maxLength: 100 })
const amount = whole(1, 1_000_000_000_000, { description: 'In the smallest unit of the currency' })
const kinds = Object.fromEntries(postingKinds.map((kind) => [kind, true])) as Readonly<Record<PostingKind, true>>
const languages = Object.fromEntries(locales.map((locale) => [locale, true])) as Readonly<Record<Locale, true>>
const voucher = {
  id: Type.String(),
  hint: Type.String({ description: 'The last characters of the code, which is stored nowhere' }),
  amount: Type.Integer({ description: 'What it was sold for, in the smallest unit of the currency' }),
  balance: Type.Integer({ description: 'What is left of it' }),
  currency: Type.String(),
  validUntil: orNull(localDate),
  createdAt: calendarInstant,
}

/** The routes that list, show, export, issue, extend, close and redeem gift vouchers. */
export const voucherRoutes = {
  'GET /payments/vouchers/': {
    summary: 'List the gift vouchers with their balances, the newest first',
    admits: desk,
    query: Type.Object({
      search: Type.Optional(typed(60, { description: 'A code, or its last four characters' })),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: Type.Object(voucher),
    ok: 200,
  },
  'GET /payments/vouchers/one/': {
    summary: 'Return a gift voucher with everything that happened to it',
    admits: desk,
    query: Type.Object({ id }),
    body: null,
    envelope: 'response',
    returns: Type.Object({
      ...voucher,
      entries: Type.Array(
        Type.Object({
          at: calendarInstant,
          kind: oneOf<PostingKind>(kinds),
          amount: Type.Integer({ description: 'In the smallest unit of the currency' }),
          currency: Type.String(),
          reservationId: orNull(Type.String()),
        }),
      ),
    }),
    ok: 200,
  },
  'GET /payments/vouchers/csv/': {
    summary: 'Download all gift vouchers with their balances as CSV',
    admits: leading,
    query: none,
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
  'POST /payments/vouchers/issue/': {
    summary: 'Issue a gift voucher that was paid at the desk; its code is returned here alone',
    admits: desk,
    query: none,
    body: Type.Object({
      amount,
      currency: Type.String({ pattern: '^[A-Z]{3}$' }),
      validUntil: orNull(localDate),
      language: oneOf<Locale>(languages, { description: 'Of the page to print' }),
    }),
    envelope: 'response',
    returns: Type.Object({
      id: Type.String(),
      code: Type.String(),
      page: Type.String({ description: 'The page to print, as HTML' }),
    }),
    ok: 200,
    once: true,
  },
  'POST /payments/vouchers/extend/': {
    summary: 'Change the last date on which a gift voucher can be redeemed',
    admits: leading,
    query: none,
    body: Type.Object({ id, validUntil: orNull(localDate) }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/vouchers/close/': {
    summary: 'Give up what is left of a gift voucher',
    admits: leading,
    fresh: true,
    query: none,
    body: Type.Object({ id, balance: amount }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /payments/vouchers/redeem/': {
    summary: 'Pay what is due for a reservation by a gift voucher, in part or in whole',
    admits: desk,
    query: none,
    body: Type.Object({ reservationId: id, code: typed(60), amount: Type.Optional(amount) }),
    envelope: 'response',
    returns: Type.Object({ amount: Type.Integer({ description: 'What the voucher paid' }) }),
    ok: 200,
  },
} as const satisfies PanelContract
