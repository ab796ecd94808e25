import type { Details } from '../../messages/refusal.ts'
import type { PanelContract } from '../endpoint.ts'
import { oneOf } from '../fields.ts'
import { Type } from '../schema.ts'
import { leading, none } from './row.ts'

// A cell of an imported table may be longer than any field, so that a value that is too long is reported as a fault of
// its row.
const cell = Type.String({ maxLength: 1_000 })
const row = Type.Object(
  { name: cell, email: cell, phone: cell, timezone: cell, language: cell },
  { description: 'Fields of the row; empty when the table has no value' },
)
// The maximum number of rows that one request imports in one transaction: few enough not to delay bookings noticeably.
const maxWritten = 50
const bodyLimit = 2_000_000

const faults = Type.Unsafe<Details>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Errors of the row by field; an invalid row is skipped',
})
const id = Type.Union([Type.String(), Type.Null()], {
  description: 'Id of the existing customer; null when there is none',
})

/** The routes that check, run and undo an import of customers, whose rows arrive in batches. */
export const customerImportRoutes = {
  'POST /customers/import/check/': {
    summary: 'Check each row of a table: new, changed, at the address of another customer, or invalid; stores nothing',
    admits: leading,
    query: none,
    body: Type.Object({ rows: Type.Array(row, { maxItems: 200 }) }),
    bodyLimit,
    envelope: 'response',
    returns: Type.Object({
      verdicts: Type.Array(
        Type.Object({
          is: oneOf<'new' | 'update' | 'same' | 'shared' | 'unclear' | 'faulty'>({
            new: true,
            update: true,
            same: true,
            shared: true,
            unclear: true,
            faulty: true,
          }),
          id,
          names: Type.Array(Type.String(), { description: 'Names of the customers with this address, at most three' }),
          faults,
        }),
      ),
    }),
    ok: 200,
  },
  'POST /customers/import/': {
    summary: 'Add new customers of a table and complete existing ones; all rows of the request or none',
    admits: leading,
    query: none,
    body: Type.Object({
      rows: Type.Array(row, { maxItems: maxWritten }),
      shared: oneOf<'add' | 'leave'>(
        { add: true, leave: true },
        { description: 'Whether a new customer at the address of another customer is added or skipped' },
      ),
    }),
    bodyLimit,
    envelope: 'response',
    returns: Type.Object({
      outcomes: Type.Array(
        Type.Object({
          is: oneOf<'added' | 'updated' | 'same' | 'shared' | 'unclear' | 'faulty'>({
            added: true,
            updated: true,
            same: true,
            shared: true,
            unclear: true,
            faulty: true,
          }),
          id,
          faults,
        }),
      ),
    }),
    ok: 200,
  },
  'POST /customers/import/undo/': {
    summary: 'Remove added customers that are unchanged and have no references',
    admits: leading,
    query: none,
    body: Type.Object({ ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: maxWritten }) }),
    envelope: 'response',
    returns: Type.Object({ removed: Type.Array(Type.String()) }),
    ok: 200,
  },
} as const satisfies PanelContract
