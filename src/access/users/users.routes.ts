import type { userRoutes } from '../../contract/panel/access/users.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import type { PanelContext } from '../sessions/panel-session.routes.ts'
import { hashLinkSecret, linkSeconds, listUsers, newLinkSecret } from './users.operations.ts'

/** Route handlers that list, create, change and remove users, and create links with which users set passwords. */
export function userHandlers({
  app,
  origin,
}: Pick<PanelContext, 'app' | 'origin'>): Handlers<typeof userRoutes, Operations> {
  return {
    'GET /users/': async () => ({ all: await listUsers(app.db) }),

    'POST /users/add/': async ({ body, now, perform }) => {
      const secret = newLinkSecret()
      const { name, email, role, providerId = null } = body
      const entry = { linkHash: hashLinkSecret(secret) }
      const { id } = await perform('users.create', { name, email, role, providerId, entry })
      return { id, ...linkOf(origin(), secret, now) }
    },

    'POST /users/edit/': ({ body, perform }) => perform('users.edit', body),

    'POST /users/link/': async ({ body, now, perform }) => {
      const secret = newLinkSecret()
      const { id, liftSecondFactor = false } = body
      await perform('users.invite', { id, liftSecondFactor, linkHash: hashLinkSecret(secret) })
      return { id, ...linkOf(origin(), secret, now) }
    },

    'POST /users/remove/': ({ body, perform }) => perform('users.remove', body),
  }
}

// The secret is in the URL's fragment, which browsers do not send, so that it appears neither in logs nor at proxies.
function linkOf(origin: string, secret: string, now: number) {
  return { link: `${origin}/admin/set-password#${secret}`, expiresAt: now + linkSeconds }
}
