import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { paymentListRoutes } from '../../contract/panel/outbound/payment-list.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { listOpenDisputes } from '../disputes/disputes.sql.ts'
import { writePaymentTable } from './payment-csv.routes.ts'
import { exportPayments, type PaymentSearch, searchPayments } from './payment-list.operations.ts'

/**
 * Returns the handlers of the panel's routes that list and export the postings in the books, and list undecided
 * disputes.
 */
export function paymentListHandlers({
  app,
}: Pick<PanelContext, 'app'>): Handlers<typeof paymentListRoutes, Operations> {
  return {
    'GET /payments/': ({ query, paging }) => searchPayments(app.db, searchOf(query), paging),

    'GET /payments/disputes/': async () =>
      (await listOpenDisputes(app.db)).map(({ dispute, reservationId, customer }) => {
        const { id, amount, currency, reason, state, dueAt } = dispute
        return { id, amount, currency, reason, state, dueAt, reservationId, customer }
      }),

    'GET /payments/csv/': async ({ query }) => {
      const table = await exportPayments(app.db, searchOf(query))
      return {
        name: 'payments.csv',
        type: 'text/csv; charset=utf-8',
        file: (write) => writePaymentTable(table, write),
      }
    },
  }
}

function searchOf({ search, kind, serviceId, providerId, from, to }: PaymentSearch): PaymentSearch {
  return { search, kind, serviceId, providerId, from, to }
}
