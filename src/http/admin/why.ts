import type { whyRows } from '../../contract/admin/why.ts'
import type { Commands } from '../../operations/index.ts'
import { explainDay, listChoices } from '../../operations/why.ts'
import type { Handlers } from '../call.ts'
import { ownProvider, type Panel } from './panel.ts'

/** Why a time can or cannot be booked. */
export function whyHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof whyRows, Commands> {
  return {
    'GET /why/': ({ query: { serviceId, providerId, date }, session, now }) =>
      explainDay(app.db, { serviceId, providerId, date, now, ofProvider: ownProvider(session) }),
    'GET /why/choices/': ({ session }) => listChoices(app.db, ownProvider(session)),
  }
}
