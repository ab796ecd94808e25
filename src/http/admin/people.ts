import type { peopleRows } from '../../contract/admin/people.ts'
import type { Commands } from '../../operations/index.ts'
import { hashLinkSecret, linkSeconds, listPeople, newLinkSecret } from '../../operations/people.ts'
import type { Handlers } from '../call.ts'
import type { Visit } from '../whom.ts'
import type { Panel } from './panel.ts'

/** Who may use the panel. */
export function peopleHandlers({ app }: Pick<Panel, 'app'>): Handlers<typeof peopleRows, Commands> {
  return {
    'GET /people/': async () => ({ all: await listPeople(app.db) }),

    'POST /people/add/': async ({ body, visit, now, perform }) => {
      const secret = newLinkSecret()
      const { name, email, role, providerId = null } = body
      const entry = { linkHash: hashLinkSecret(secret) }
      const { id } = await perform('users.create', { name, email, role, providerId, entry })
      return { id, ...linkOf(visit, secret, now) }
    },

    'POST /people/edit/': ({ body, perform }) => perform('users.edit', body),

    'POST /people/link/': async ({ body, visit, now, perform }) => {
      const secret = newLinkSecret()
      const { id, liftSecondFactor = false } = body
      await perform('users.invite', { id, liftSecondFactor, linkHash: hashLinkSecret(secret) })
      return { id, ...linkOf(visit, secret, now) }
    },

    'POST /people/remove/': ({ body, perform }) => perform('users.remove', body),
  }
}

function linkOf({ origin }: Visit, secret: string, now: number) {
  return { link: `${origin}/admin/set-password/${secret}`, expiresAt: now + linkSeconds }
}
