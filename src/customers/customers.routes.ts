import { ownProvider, type PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { customerRoutes } from '../contract/panel/customers.ts'
import type { Handlers } from '../http/call.ts'
import type { Operations } from '../operations.ts'
import { writeCustomerTable } from './customer-csv.routes.ts'
import { listDeletionRequests } from './deletion/deletion.sql.ts'
import { listTags } from './details/tags.operations.ts'
import { exportCustomer } from './erasure/erasure.operations.ts'
import { searchCustomers, showCustomer } from './search/customer-list.operations.ts'

import { findSimilar } from './similar/similar.operations.ts'

const maxRequests = 100

/**
 * Route handlers of customers, such as those that list, add, change, merge and erase customers, and those of their
 * notes, consents and requests for deletion.
 */
export function customerHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof customerRoutes, Operations> {
  return {
    'GET /customers/': ({ query: { search, status, tag, sort }, paging, session, now }) =>
      searchCustomers(app.db, { search, status, tag, sort }, { ofProvider: ownProvider(session), now }, paging),

    'GET /customers/one/': ({ query, session, now }) =>
      showCustomer(app.db, query.id, { ofProvider: ownProvider(session), now }),

    'POST /customers/add/': ({ body, perform }) =>
      perform('customers.add', { ...body, createUser: false, requireContact: true }),
    'POST /customers/edit/': ({ body, perform }) => perform('customers.edit', { ...body, requireContact: true }),
    'GET /customers/tags/': () => listTags(app.db),
    'POST /customers/tags/': ({ body, perform }) => perform('customers.tag', body),
    'POST /customers/similar/': ({ body }) => findSimilar(app.db, body),

    'GET /customers/csv/': async () => ({
      name: 'customers.csv',
      type: 'text/csv; charset=utf-8',
      file: (write) => writeCustomerTable(app.db, write),
    }),

    'POST /customers/merge/': ({ body, perform }) => perform('customers.merge', body),
    'GET /customers/deletion-requests/': async () => ({ requests: await listDeletionRequests(app.db, maxRequests) }),
    'POST /customers/deletion-requests/decline/': ({ body, perform }) => perform('customers.deletion.decline', body),
    'POST /customers/erase/': ({ body, perform }) => perform('customers.erase', body),

    'GET /customers/export/': async ({ query }) => {
      const held = await exportCustomer(app.db, query.id)
      return {
        name: 'customer.json',
        type: 'application/json; charset=utf-8',
        file: (write) => write(`${JSON.stringify(held, null, 2)}\n`),
      }
    },

    'POST /customers/sms/': ({ body, perform }) => perform('customers.sms', body),
    'POST /customers/notes/add/': ({ body, perform }) => perform('customers.notes.add', body),
    'POST /customers/notes/remove/': ({ body, perform }) => perform('customers.notes.remove', body),
  }
}
