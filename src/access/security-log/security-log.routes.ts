import type { securityRoutes } from '../../contract/panel/access/security-log.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import type { PanelContext } from '../sessions/panel-session.routes.ts'
import { listSecurityEvents, showSecondFactorPolicy } from './security-log.operations.ts'

/** Route handlers that list the security history, and show and set the roles that require a second factor. */
export function securityHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof securityRoutes, Operations> {
  return {
    'GET /security/': ({ query: { userId, kind }, paging }) => listSecurityEvents(app.db, { userId, kind }, paging),
    'GET /security/own/': ({ query: { kind }, session, paging }) =>
      listSecurityEvents(app.db, { userId: session.user.id, kind }, paging),
    'GET /security/second-factor/': () => showSecondFactorPolicy(app.db),
    'POST /security/second-factor/': ({ body, perform }) => perform('security.require-second-factor', body),
  }
}
