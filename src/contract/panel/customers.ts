import type { CustomerStatus } from '../../customers/customer.ts'
import type { Likeness } from '../../customers/similar/similarity.ts'
import { customerDetails, labelledPhone, tag, tags } from '../customer-details.ts'
import type { PanelContract } from '../endpoint.ts'
import { calendarInstant, language, localDate, name, oneOf, orNull, phone, timezone, typed } from '../fields.ts'
import { Type } from '../schema.ts'
import { historyEntry } from './history.ts'
import { desk, everyone, leading, none, nothing, paging } from './row.ts'

const id = Type.String({ maxLength: 100 })
const status = Type.Unsafe<CustomerStatus>({
  type: 'integer',
  enum: [0, 1, 2],
  description: '1 active, 0 inactive, 2 blocked',
})

const details = Type.Optional(
  Type.Object(customerDetails, {
    description: 'Birthday, tags and further phone numbers; lists are replaced as a whole',
  }),
)

const contact = {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  phone: Type.String(),
  status: orNull(Type.Unsafe<CustomerStatus>({ type: 'integer', description: 'null for a provider' })),
  tags: Type.Array(Type.String(), { description: 'None for a provider' }),
  createdAt: calendarInstant,
}

const listed = Type.Object({
  ...contact,
  lastAt: orNull(Type.Integer({ description: 'Start of the last reservation that was not cancelled' })),
  nextAt: orNull(Type.Integer({ description: 'Start of the next reservation' })),
})

const note = Type.Object({
  id: Type.String(),
  text: Type.String(),
  at: calendarInstant,
  by: Type.String({ description: 'Name of the author; empty when the user was removed' }),
})

const one = Type.Object({
  ...contact,
  counts: Type.Object({ pending: Type.Integer(), confirmed: Type.Integer(), cancelled: Type.Integer() }),
  visits: Type.Object(
    { marked: Type.Integer(), noShows: Type.Integer() },
    { description: 'Confirmed reservations with marked attendance, and the no-shows among them' },
  ),
  more: orNull(
    Type.Object(
      {
        sms: orNull(
          Type.Object(
            { number: Type.String(), agreedAt: calendarInstant },
            { description: 'The number to which the customer agreed to receive short messages' },
          ),
        ),
        timezone: orNull(Type.String()),
        language: Type.String(),
        hostUserId: Type.Integer({ description: '0 when not linked' }),
        birthday: orNull(Type.String()),
        phones: Type.Array(labelledPhone, { description: 'Phone numbers besides the first' }),
        updatedAt: calendarInstant,
        notes: Type.Array(note, { description: 'The newest first' }),
        history: Type.Array(historyEntry, { description: 'The newest first, at most 100' }),
      },
      { description: 'null for a provider' },
    ),
  ),
})

const optionalEmail = typed(254, {
  format: 'email-or-none',
  description: 'E-mail address; empty for none, in which case a phone number is required',
})

/** The schema of a new customer; the operation refuses a customer with neither an e-mail address nor a phone number. */
export const newCustomer = Type.Object({
  name,
  email: Type.Optional(optionalEmail),
  phone: Type.Optional(phone),
  timezone: Type.Optional(timezone),
  language: Type.Optional(language),
})

/**
 * The routes of customers, such as those that list, add, change, merge and erase customers; a user with the role
 * `provider` sees only their own customers, with contact data and the numbers of their reservations.
 */
export const customerRoutes = {
  'GET /customers/': {
    summary: 'List customers; no further than the first 10,000, and a total of 10,001 means more than that',
    admits: everyone,
    query: Type.Object({
      search: Type.Optional(typed(200, { description: 'Beginnings of the name, the address or the number, or an id' })),
      status: Type.Optional(status),
      tag: Type.Optional(tag),
      sort: Type.Optional(
        oneOf<'name' | '-name' | 'created' | '-created'>(
          { name: true, '-name': true, created: true, '-created': true },
          { description: 'Sort order, reversed by -; name when absent' },
        ),
      ),
      ...paging,
    }),
    body: null,
    envelope: 'list',
    returns: listed,
    ok: 200,
  },
  'GET /customers/one/': {
    summary: 'Show one customer with notes, counts of reservations and history',
    admits: everyone,
    query: Type.Object({ id }),
    body: null,
    envelope: 'response',
    returns: one,
    ok: 200,
  },
  'POST /customers/add/': {
    summary: 'Add a customer; others may have the same e-mail address',
    admits: desk,
    query: none,
    body: Type.Object({ ...newCustomer.properties, details }),
    envelope: 'id',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /customers/edit/': {
    summary: 'Change a customer; absent fields are unchanged',
    admits: desk,
    query: none,
    body: Type.Object({
      id,
      name: Type.Optional(name),
      email: Type.Optional(optionalEmail),
      phone: Type.Optional(phone),
      status: Type.Optional(status),
      timezone: Type.Optional(timezone),
      language: Type.Optional(language),
      details,
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /customers/tags/': {
    summary: 'List the tags in use; at most 500',
    admits: desk,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({ tags: Type.Array(Type.String()) }),
    ok: 200,
  },
  'POST /customers/tags/': {
    summary: 'Add tags to customers, and remove others',
    admits: desk,
    query: none,
    body: Type.Object({
      ids: Type.Array(id, { minItems: 1, maxItems: 500 }),
      add: Type.Optional(tags),
      remove: Type.Optional(tags),
    }),
    envelope: 'response',
    returns: Type.Object({ changed: Type.Integer() }),
    ok: 200,
  },
  'POST /customers/similar/': {
    summary:
      'List at most ten customers who may be the same person as a stored or a new one, with the reasons; stores nothing',
    admits: desk,
    query: none,
    body: Type.Object({
      id: Type.Optional(id),
      name: Type.Optional(typed(200)),
      email: Type.Optional(typed(254)),
      phone: Type.Optional(phone),
      birthday: Type.Optional(localDate),
    }),
    envelope: 'response',
    returns: Type.Object({
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          email: Type.String(),
          phone: Type.String(),
          reasons: Type.Array(oneOf<Likeness>({ phone: true, email: true, name_and_birthday: true, name: true })),
        }),
      ),
    }),
    ok: 200,
  },
  'GET /customers/csv/': {
    summary: 'Download all customers as CSV',
    admits: leading,
    fresh: true,
    query: none,
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
  'POST /customers/merge/': {
    summary: 'Merge two customers: reservations and notes move to the one named by id, and the other is removed',
    admits: leading,
    query: none,
    body: Type.Object({ id, from: id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'GET /customers/export/': {
    summary: 'Download all stored data of a customer',
    admits: leading,
    query: Type.Object({ id }),
    body: null,
    envelope: 'file',
    returns: Type.Unknown(),
    ok: 200,
  },
  'GET /customers/deletion-requests/': {
    summary: 'List the customers who asked for the deletion of their data, the oldest request first, at most 100',
    admits: leading,
    query: none,
    body: null,
    envelope: 'response',
    returns: Type.Object({
      requests: Type.Array(
        Type.Object({
          customerId: Type.String(),
          name: Type.String(),
          email: Type.String(),
          requestedAt: calendarInstant,
        }),
      ),
    }),
    ok: 200,
  },
  'POST /customers/deletion-requests/decline/': {
    summary: 'Remove a request for deletion; the data stays',
    admits: leading,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /customers/erase/': {
    summary: 'Erase all personal data of a customer; refused while reservations are upcoming',
    admits: leading,
    fresh: true,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /customers/sms/': {
    summary: 'Store that a customer agreed to short messages, or no longer does',
    admits: desk,
    query: none,
    body: Type.Object({
      customerId: id,
      number: orNull(typed(50, { description: 'With country code; null withdraws the consent' })),
    }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
  'POST /customers/notes/add/': {
    summary: 'Add a note about a customer, with author and time',
    admits: desk,
    query: none,
    body: Type.Object({ customerId: id, text: typed(5_000, { minLength: 1 }) }),
    envelope: 'id',
    returns: Type.Object({ id: Type.String() }),
    ok: 200,
  },
  'POST /customers/notes/remove/': {
    summary: 'Remove a note; the history keeps its text',
    admits: desk,
    query: none,
    body: Type.Object({ id }),
    envelope: 'nothing',
    returns: nothing,
    ok: 200,
  },
} as const satisfies PanelContract
