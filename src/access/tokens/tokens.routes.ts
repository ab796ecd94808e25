import type { tokenRoutes } from '../../contract/panel/access/tokens.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import type { PanelContext } from '../sessions/panel-session.routes.ts'
import { tokenState } from './token.ts'
import { hashSecret, listTokensByAge, newSecret } from './tokens.operations.ts'

/** Route handlers that list, create and revoke API tokens. */
export function tokenHandlers({ app }: Pick<PanelContext, 'app'>): Handlers<typeof tokenRoutes, Operations> {
  return {
    'GET /tokens/': async ({ now }) => {
      const tokens = await listTokensByAge(app.db)
      return { all: tokens.map((token) => ({ ...token, state: tokenState(token, now) })) }
    },

    'POST /tokens/add/': async ({ body, perform }) => {
      const secret = newSecret()
      const { name, scope, expiresAt = null, rateLimit = null } = body
      const { id } = await perform('tokens.create', { name, scope, expiresAt, rateLimit, hash: hashSecret(secret) })
      return { id, secret }
    },

    'POST /tokens/revoke/': async ({ body, perform }) => {
      await perform('tokens.revoke', body)
      return {}
    },
  }
}
