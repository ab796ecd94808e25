import { ownProvider, type PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { todayRoutes } from '../contract/panel/today.ts'
import type { Handlers } from '../http/call.ts'
import type { Operations } from '../operations.ts'
import { showPeriod } from './period.operations.ts'
import { showReport } from './report.operations.ts'

/** Handlers of the reports. */
export function todayHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof todayRoutes, Operations> {
  return {
    'GET /today/': ({ query, session }) => {
      const own = ownProvider(session)
      return showPeriod(app.db, query, own === undefined ? query.providers : [own])
    },

    'GET /reports/': ({ query, session }) => {
      const own = ownProvider(session)
      return showReport(app.db, query, own === undefined ? undefined : [own])
    },
  }
}
