import type { PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { historyRoutes } from '../contract/panel/history.ts'
import type { Handlers } from '../http/call.ts'
import type { Operations } from '../operations.ts'
import { signInEvents } from './event.ts'
import { listHistory } from './history.operations.ts'

/** Who changed what, and when; and taking it back. */
export function historyHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof historyRoutes, Operations> {
  return {
    'GET /history/': ({ query, paging, session }) => {
      const { objectId, type, actor, from, until } = query
      // Entries of earlier versions have the address and the device of whoever signed in.
      const without = session.user.role === 'admin' ? [] : signInEvents
      return listHistory(app.db, { objectId, type, actor, from, until, without }, paging)
    },

    'POST /history/undo/': ({ body, perform }) => perform('history.undo', body),
  }
}
