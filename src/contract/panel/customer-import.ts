import { Type } from 'typebox'
import type { Details } from '../../messages/refusal.ts'
import type { PanelContract } from '../endpoint.ts'
import { oneOf } from '../resources.ts'
import { leading, none } from './row.ts'

// Longer than any field may be, so that a value that is too long is reported as a fault of its row.
const cell = Type.String({ maxLength: 1_000 })
const row = Type.Object(
  { name: cell, email: cell, phone: cell, timezone: cell, language: cell },
  { description: 'Empty for what the table does not say' },
)
// Rows written in one transaction: few enough not to delay bookings noticeably.
const maxWritten = 50
const bodyLimit = 2_000_000

const faults = Type.Unsafe<Details>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'What is wrong with the row, by field; such a row is left out',
})
const id = Type.Union([Type.String(), Type.Null()], { description: 'Who that is' })

/** The import of customers, in batches of rows. */
export const customerImportRoutes = {
  'POST /customers/import/check/': {
    summary: 'Say what each row of a table would be: new, a change, at another’s address, faulty; nothing is kept',
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
          names: Type.Array(Type.String(), { description: 'Who has the address, at most three of them' }),
          faults,
        }),
      ),
    }),
    ok: 200,
  },
  'POST /customers/import/': {
    summary: 'Add the customers of a table who are new, and complete those who are there, all of the call or none',
    admits: leading,
    query: none,
    body: Type.Object({
      rows: Type.Array(row, { maxItems: maxWritten }),
      shared: oneOf<'add' | 'leave'>(
        { add: true, leave: true },
        { description: 'What becomes of someone new at an address that another customer has' },
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
    summary: 'Take back customers who were added, are unchanged and have no references',
    admits: leading,
    query: none,
    body: Type.Object({ ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: maxWritten }) }),
    envelope: 'response',
    returns: Type.Object({ removed: Type.Array(Type.String()) }),
    ok: 200,
  },
} as const satisfies PanelContract
