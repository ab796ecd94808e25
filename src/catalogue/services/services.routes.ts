import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import { previewDay } from '../../availability/preview.operations.ts'
import type { serviceRoutes } from '../../contract/panel/services.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { showFairness } from '../../reports/fairness.operations.ts'
import { searchServices, showForm, showService } from './service-list.operations.ts'

/**
 * Route handlers that list, show, add, change, order and remove services, show their booking forms and how their
 * reservations are distributed among providers, and preview the slots of a day.
 */
export function serviceHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof serviceRoutes, Operations> {
  return {
    'GET /services/': ({ query: { search, state }, paging }) => searchServices(app.db, { search, state }, paging),
    'GET /services/one/': ({ query }) => showService(app.db, query.id),

    'GET /services/form/': ({ query }) => showForm(app.db, query.id),

    'GET /services/fairness/': ({ query: { id, from, to } }) => showFairness(app.db, id, { from, to }),

    'POST /services/add/': ({ body: { name, description, color, form, ...settings }, perform }) => {
      const own = { ...(description !== undefined && { description }), ...(color !== undefined && { color }) }
      return perform('services.add', { name, ...own, ...(form && { form }), settings })
    },

    'POST /services/edit/': ({ body: { id, name, description, color, form, ...settings }, perform }) =>
      perform('services.set', {
        id,
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(color !== undefined && { color }),
        ...(form && { form }),
        settings,
      }),

    'POST /services/order/': ({ body, perform }) => perform('services.move', body),
    'POST /services/remove/': ({ body, perform }) => perform('services.remove', body),
    'POST /services/preview/': ({ body: { id, date, ...settings }, now }) =>
      previewDay(app.db, { id, date, settings, now }),
  }
}
