import type { historyRows } from '../../contract/admin/history.ts'
import { signInEvents } from '../../domain/event.ts'
import { listHistory } from '../../operations/history.ts'
import type { Commands } from '../../operations/index.ts'
import type { Handlers } from '../call.ts'
import type { Panel } from './panel.ts'

/** Who changed what, and when; and taking it back. */
export function historyHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof historyRows, Commands> {
  return {
    'GET /history/': ({ query, paging, session }) => {
      const { objectId, type, actor, from, until } = query
      // Entries of earlier versions have the address and the device of whoever signed in.
      const without = session.person.role === 'admin' ? [] : signInEvents
      return listHistory(app.db, { objectId, type, actor, from, until, without }, paging)
    },

    'POST /history/undo/': ({ body, perform }) => perform('history.undo', body),
  }
}
