import { ownProvider, type Panel } from '../access/sessions/panel-session.routes.ts'
import type { todayRows } from '../contract/panel/today.ts'
import type { Handlers } from '../http/call.ts'
import type { Commands } from '../operations.ts'
import { showPeriod } from './period.operations.ts'

/** How the site goes. */
export function todayHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof todayRows, Commands> {
  return {
    'GET /today/': ({ query, session }) => {
      const own = ownProvider(session)
      return showPeriod(app.db, query, own === undefined ? query.providers : [own])
    },
  }
}
