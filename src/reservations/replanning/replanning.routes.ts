import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import type { replanningRoutes } from '../../contract/panel/replanning.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { planAbsence } from './replanning.operations.ts'

/**
 * Returns the handlers of the panel's routes that suggest new times for the reservations of an absent provider, and
 * move the reservations to them.
 */
export function replanningHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof replanningRoutes, Operations> {
  return {
    'GET /replanning/': ({ query, now }) => planAbsence(app.db, query, now),
    'POST /replanning/move/': ({ body, perform }) => perform('reservations.replan', body),
  }
}
