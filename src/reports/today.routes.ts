import { ownProvider, type PanelContext } from '../access/sessions/panel-session.routes.ts'
import { admits, leadingAndProviders } from '../access/users/role-groups.ts'
import type { todayRoutes } from '../contract/panel/today.ts'
import type { Handlers } from '../http/call.ts'
import type { Operations } from '../operations.ts'
import { showPeriod } from './period.operations.ts'
import { showReport } from './report.operations.ts'

/** Returns the handlers of the panel's routes that show the figures of a period, and reports. */
export function todayHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof todayRoutes, Operations> {
  return {
    'GET /today/': async ({ query, session }) => {
      const own = ownProvider(session)
      const period = await showPeriod(app.db, query, own === undefined ? query.providers : [own])
      return admits(leadingAndProviders, session.user.role) ? period : { ...period, incomes: [], received: [] }
    },

    'GET /reports/': ({ query, session }) => {
      const own = ownProvider(session)
      return showReport(app.db, query, own === undefined ? undefined : [own])
    },
  }
}
