import { findAccount } from '../../access/security-log/security-log.operations.ts'
import type { PanelContext } from '../../access/sessions/panel-session.routes.ts'
import { countAttempt } from '../../access/sessions/sign-in-attempt.routes.ts'
import type { accountMailRoutes } from '../../contract/panel/outbound/account-mail.ts'
import type { Handlers } from '../../http/call.ts'
import type { Operations } from '../../operations.ts'
import { loadSettings } from '../notifications.sql.ts'

/**
 * Returns the handlers of the panel's routes that mail a password link, to a user who forgot the password or to a user
 * that an administrator chose, and of the route that tells whether such mail can be sent.
 */
export function accountMailHandlers({
  app,
  attempts,
}: Pick<PanelContext, 'app' | 'attempts'>): Handlers<typeof accountMailRoutes, Operations> {
  return {
    'GET /password/forgotten/': async () => ({ available: (await loadSettings(app.db)).settings.enabled }),

    'POST /password/forgotten/': async ({ body: { email }, client, now, perform }) => {
      attempts.fromAddress(client.address, now)
      // Requests for a password link are counted separately from attempts to sign in, so that they do not use up the
      // attempts of the account.
      await countAttempt(attempts, { name: { email, deviceHash: 'password-reset' }, now }, async () => {
        await perform('security.report', { kind: 'locked', userId: (await findAccount(app.db, email)) ?? null })
      })
      await perform('account-mail.password-reset', { email })
      return {}
    },

    'POST /users/send-link/': async ({ body, perform }) => {
      await perform('account-mail.invite', body)
      return {}
    },
  }
}
