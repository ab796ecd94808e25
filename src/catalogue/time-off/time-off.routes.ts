import { narrowed, ownProvider, type PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { timeOffRoutes } from '../../contract/panel/calendar.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { showTimeOff } from './time-off.operations.ts'

/** Route handlers that list, add, change and remove time off of providers. */
export function timeOffHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof timeOffRoutes, Operations> {
  return {
    'GET /time-off/': ({ query, session }) => showTimeOff(app.db, query, ownProvider(session)),
    'POST /time-off/add/': ({ body, session, perform }) => perform('time-off.add', { ...body, ...narrowed(session) }),
    'POST /time-off/add-to-all/': ({ body, perform }) => perform('time-off.add-to-all', body),
    'POST /time-off/edit/': ({ body, session, perform }) => perform('time-off.edit', { ...body, ...narrowed(session) }),
    'POST /time-off/remove/': ({ body, session, perform }) =>
      perform('time-off.remove', { ...body, ...narrowed(session) }),
  }
}
