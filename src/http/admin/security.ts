import type { securityRows } from '../../contract/admin/security.ts'
import type { Commands } from '../../operations/index.ts'
import { listSecurityEvents, showSecondFactorPolicy } from '../../operations/security.ts'
import type { Handlers } from '../call.ts'
import type { Panel } from './panel.ts'

/** The security history, and which roles need a second factor. */
export function securityHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof securityRows, Commands> {
  return {
    'GET /security/': ({ query: { personId, kind }, paging }) => listSecurityEvents(app.db, { personId, kind }, paging),
    'GET /security/own/': ({ query: { kind }, session, paging }) =>
      listSecurityEvents(app.db, { personId: session.person.id, kind }, paging),
    'GET /security/second-factor/': () => showSecondFactorPolicy(app.db),
    'POST /security/second-factor/': ({ body, perform }) => perform('security.require-second-factor', body),
  }
}
