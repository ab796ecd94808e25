import { showSite } from '../../catalogue/site/site.operations.ts'
import type { sessionRoutes } from '../../contract/panel/access/session.ts'
import type { Handlers } from '../../http/call.ts'
import { type Refusal, refusal } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { hashDeviceSecret } from '../security-log/security-log.operations.ts'
import { checkSetUpLink, isSetUpNeeded } from '../users/set-up.operations.ts'
import type { User } from '../users/user.ts'
import { findUserLanguage } from '../users/user-language.sql.ts'
import { hashLinkSecret, ownerOfLink } from '../users/users.operations.ts'
import {
  newPasswordHash,
  newSession,
  type PanelContext,
  renewedSecret,
  replacedSession,
} from './panel-session.routes.ts'
import type { SessionView } from './session.ts'
import { listAlive, loadFactors } from './sessions.operations.ts'
import { verifySignIn } from './sign-in.operations.ts'
import { beginSignInAttempt } from './sign-in-attempt.routes.ts'

/**
 * Route handlers of sessions and passwords, such as those that sign users in and out, end sessions, create the first
 * administrator and set passwords.
 */
export function sessionHandlers(panel: PanelContext): Handlers<typeof sessionRoutes, Operations> {
  const { app, findKey } = panel
  const { db } = app
  return {
    'GET /session/': async ({ session, now }) => {
      const { name, timezone, language, currency, policies } = await showSite(db)
      const cancelReasons = session ? policies.cancelReasons : []
      return {
        setUpNeeded: await isSetUpNeeded(db),
        user: session ? await shownInSession(panel, session) : null,
        site: { name, timezone, language, currency, cancelReasons },
        now,
      }
    },

    'POST /session/sign-in/': async ({ body, session, client, now, perform }) => {
      const attempt = await beginSignInAttempt(panel, { client, now, perform }, body.email)
      const verdict = await verifySignIn(db, findKey, body, now)
      if (!verdict) return attempt.fail('sign_in_failed', signInFailed())
      if ('methods' in verdict) {
        await attempt.passwordAlone()
        return { state: 'second_factor', user: null, methods: verdict.methods }
      }
      const { userId, proof } = verdict
      const actor = { kind: 'user', id: userId } as const
      const { place, keep } = newSession(client)
      const started = perform('sessions.start', { userId, proof, place, replaces: replacedSession(session) }, { actor })
      const { user } = await attempt.through('sign_in_failed', started)
      attempt.succeeded()
      keep()
      return { state: 'signed_in', user: await shownSignedIn(panel, user), methods: [] }
    },

    'POST /session/authenticate/': async ({ body, session, client, now, perform }) => {
      const { id, email } = session.user
      const attempt = await beginSignInAttempt(panel, { client, now, perform }, email)
      const verdict = await verifySignIn(db, findKey, { ...body, email }, now)
      if (verdict && 'methods' in verdict) {
        await attempt.passwordAlone()
        return { state: 'second_factor', methods: verdict.methods }
      }
      if (verdict?.userId !== id) return attempt.fail('confirm_failed', signInFailed())
      const { proof } = verdict
      const { hash, keep } = renewedSecret(client)
      const taken = perform('sessions.authenticate', { userId: id, sessionId: session.id, proof, hash })
      const { replaced } = await attempt.through('confirm_failed', taken)
      attempt.succeeded()
      if (replaced) keep()
      return { state: 'authenticated', methods: [] }
    },

    'POST /session/authenticated/': () => ({}),

    'POST /session/notice/dismiss/': ({ session, perform }) =>
      perform('users.notice.dismiss', { userId: session.user.id }),

    'POST /session/language/': ({ session, body, perform }) =>
      perform('users.language', { userId: session.user.id, language: body.language }),

    'POST /session/sign-out/': async ({ session, client, perform }) => {
      await perform('sessions.end', { userId: session.user.id, which: { only: session.id }, own: true })
      client.forget()
      return {}
    },

    'GET /sessions/': async ({ session, now }) => {
      const sessions = await listAlive(db, session.user.id, now)
      return {
        all: sessions.map(({ id, device, address, createdAt, lastSeenAt }) => {
          return { id, device, address, createdAt, lastSeenAt, current: id === session.id }
        }),
      }
    },

    'POST /sessions/end/': async ({ body, session, client, perform }) => {
      const which = body.id === undefined ? { but: session.id } : { only: body.id }
      await perform('sessions.end', { userId: session.user.id, which })
      if (body.id === session.id) client.forget()
      return {}
    },

    'POST /set-up/': async ({ body, client, now, perform }) => {
      const attempt = await beginSignInAttempt(panel, { client, now, perform })
      const { name, email, password } = body
      const linkHash = hashLinkSecret(body.secret)
      // The set-up link is checked before the password is hashed: hashing is expensive, and the client is not
      // authenticated.
      await checkSetUpLink(db, linkHash, now)
      const passwordHash = await newPasswordHash(panel, password, { name, email })
      const { place, keep } = newSession(client)
      const { user } = await perform('set-up.finish', { linkHash, name, email, passwordHash, place })
      attempt.succeeded()
      keep()
      return { state: 'signed_in', user: await shownSignedIn(panel, user), methods: [] }
    },

    'POST /password/set/': async ({ body, client, now, perform }) => {
      await beginSignInAttempt(panel, { client, now, perform })
      const linkHash = hashLinkSecret(body.secret)
      const owner = await ownerOfLink(db, linkHash, now)
      const passwordHash = await newPasswordHash(panel, body.password, owner)
      const done = await perform('users.password', { passwordHash, of: { linkHash } })
      // The password that was guessed before is void, and the new one may be used at once.
      panel.attempts.succeeded(client.address, { email: owner.email })
      return done
    },

    'POST /password/change/': async ({ body, session, client, now, perform }) => {
      const { id, email } = session.user
      const attempt = await beginSignInAttempt(panel, { client, now, perform }, email)
      const passwordHash = await newPasswordHash(panel, body.password, session.user)
      const deviceHash = client.deviceSecret === undefined ? undefined : hashDeviceSecret(client.deviceSecret)
      await perform('users.password', { passwordHash, of: { userId: id, sessionId: session.id, deviceHash } })
      attempt.succeeded()
      return {}
    },
  }
}

function signInFailed(): Refusal {
  return refusal('sign_in_failed')
}

/**
 * Returns the data about a signed-in user that the panel receives: the account's main fields and its second factors.
 */
export async function shownSignedIn({ app }: Pick<PanelContext, 'app'>, user: User) {
  const { id, name, email, role, providerId } = user
  const { totp, passkeys, recoveryCodes } = await loadFactors(app.db, id)
  return { id, name, email, role, providerId, totp, passkeys, recoveryCodes }
}

async function shownInSession(
  panel: Pick<PanelContext, 'app'>,
  { user, factorsLiftedAt, secondFactorDueAt }: SessionView,
) {
  const shown = await shownSignedIn(panel, user)
  const missing = !shown.totp && shown.passkeys === 0
  const language = (await findUserLanguage(panel.app.db, user.id)) ?? null
  return { ...shown, language, factorsLiftedAt, secondFactorDueAt: missing ? secondFactorDueAt : null }
}
