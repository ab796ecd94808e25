import { ownProvider, type PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { explainRoutes } from '../contract/panel/explain.ts'
import type { Handlers } from '../http/call.ts'
import type { Operations } from '../operations.ts'
import { explainDay, listChoices } from './explain.operations.ts'

/** Route handlers that explain why a time can or cannot be booked. */
export function explainHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof explainRoutes, Operations> {
  return {
    'GET /why/': ({ query: { serviceId, providerId, date }, session, now }) =>
      explainDay(app.db, { serviceId, providerId, date, now, ofProvider: ownProvider(session) }),
    'GET /why/choices/': ({ session }) => listChoices(app.db, ownProvider(session)),
  }
}
