import type { PanelContract } from '../../endpoint.ts'
import { typed, whole } from '../../fields.ts'
import { Type } from '../../schema.ts'
import { admins, desk, leading, none, nothing } from '../row.ts'

const settings = {
  name: typed(200, { description: 'Name of the seller; that of the site when empty' }),
  address: typed(500, { description: 'Lines of the postal address' }),
  taxNumber: typed(50),
  years: whole(1, 30, { description: 'Years after the one of their issue for which receipts are kept' }),
}

/** The routes that show and change the settings of receipts, and return a receipt or credit note. */
export const receiptRoutes = {
  'GET /payments/receipts/settings/': {
    summary: 'Return who issues receipts, and how long they are kept',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object(settings),
    ok: 200,
  },
  'POST /payments/receipts/settings/': {
    summary: 'Change who issues receipts from now on, and how long all of them are kept',
    admits: admins,
    query: none,
    body: Type.Object(settings),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /payments/receipt/': {
    summary: 'Download a receipt or a credit note as a page to print',
    admits: desk,
    query: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
} as const satisfies PanelContract
