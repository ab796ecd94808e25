import type { historyRows } from '../../contract/admin/history.ts'
import { listHistory } from '../../operations/history.ts'
import type { Commands } from '../../operations/index.ts'
import type { Handlers } from '../call.ts'
import type { Panel } from './panel.ts'

/** Who changed what, and when; and taking it back. */
export function historyHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof historyRows, Commands> {
  return {
    'GET /history/': ({ query, paging }) => {
      const { objectId, type, actor, from, until } = query
      return listHistory(app.db, { objectId, type, actor, from, until }, paging)
    },

    'POST /history/undo/': ({ body, perform }) => perform('history.undo', body),
  }
}
