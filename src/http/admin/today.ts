import type { todayRows } from '../../contract/admin/today.ts'
import type { Commands } from '../../operations/index.ts'
import { showPeriod } from '../../operations/period.ts'
import type { Handlers } from '../call.ts'
import { ownProvider, type Panel } from './panel.ts'

/** How the site goes. */
export function todayHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof todayRows, Commands> {
  return {
    'GET /today/': ({ query, session }) => {
      const own = ownProvider(session)
      return showPeriod(app.db, query, own === undefined ? query.providers : [own])
    },
  }
}
