import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { reconciliationRoutes } from '../../contract/panel/outbound/reconciliation.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { findReconciliation, listDifferences, listPayouts } from './reconciliation.sql.ts'

const maxShown = 100
const payoutsShown = 10

/**
 * Returns the handlers of the panel's routes that show the last comparison of the books with the processor and the last
 * payouts, start a comparison, and resolve differences.
 */
export function reconciliationHandlers({
  app,
}: Pick<PanelContext, 'app'>): Handlers<typeof reconciliationRoutes, Operations> {
  return {
    'GET /payments/reconciliation/': async () => {
      const last = await findReconciliation(app.db)
      return {
        ranAt: last?.ranAt ?? null,
        compared: last?.compared ?? 0,
        differences: (await listDifferences(app.db, maxShown)).map(
          ({ id, kind, reference, booked, found, currency, at, confirmedAt }) => {
            return { id, kind, reference, booked, found, currency, at, confirmed: confirmedAt !== null }
          },
        ),
        payouts: (await listPayouts(app.db, payoutsShown)).map(
          ({ id, amount, own, currency, state, matched, arrivesAt }) => {
            return { id, amount, own, currency, state, matched, arrivesAt }
          },
        ),
      }
    },

    'POST /payments/reconciliation/': ({ perform }) => perform('payments.reconciliation.queue', { atOnce: true }),

    'POST /payments/differences/resolve/': ({ body, perform }) => perform('payments.differences.resolve', body),
  }
}
