import type { PanelContext } from '../access/sessions/panel-session.routes.ts'
import type { historyRoutes } from '../contract/panel/history.ts'
import type { Handlers } from '../http/call.ts'
import type { Operations } from '../operations.ts'
import { signInEvents } from './event.ts'
import { listActors, listHistory } from './history.operations.ts'

/** Returns the handlers of the panel's routes that list the history and undo an entry of it. */
export function historyHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof historyRoutes, Operations> {
  return {
    'GET /history/': ({ query, paging, session }) => {
      const { objectId, type, actor, from, until } = query
      const isAdmin = session.user.role === 'admin'
      // Sign-in entries of earlier versions contain address and device, which only administrators may see.
      const without = isAdmin ? [] : signInEvents
      const filter = { objectId, type, actor, from, until, without }
      return listHistory(app.db, filter, { ...paging, withWebhookSecrets: isAdmin })
    },

    'GET /history/actors/': () => listActors(app.db),

    'POST /history/undo/': ({ body, perform }) => perform('history.undo', body),
  }
}
