import type { secondFactorRoutes } from '../../contract/panel/access/second-factors.ts'
import type { Handlers } from '../../http/call.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import {
  newSession,
  type PanelContext,
  passkeyOrigin,
  renewedSecret,
  replacedSession,
} from '../sessions/panel-session.routes.ts'
import { shownSignedIn } from '../sessions/session.routes.ts'
import { totpStepOfUser } from '../sessions/sign-in.operations.ts'
import { beginSignInAttempt } from '../sessions/sign-in-attempt.routes.ts'
import {
  findEmailOfPasskey,
  listOwnPasskeys,
  registrationOptions,
  signInOptions,
  verifyPasskey,
  verifyRegistration,
} from './passkeys.operations.ts'
import { hashRecoveryCode, newRecoveryCodes } from './second-factors.operations.ts'
import { newTotp, sealTotp } from './totp.ts'

/**
 * Route handlers of second factors, such as those that add authenticator apps and passkeys, and sign in with a passkey.
 */
export function secondFactorHandlers(panel: PanelContext): Handlers<typeof secondFactorRoutes, Operations> {
  const { app, findKey } = panel
  const { db } = app
  return {
    'POST /second-factor/totp/begin/': async ({ session, perform }) => {
      const { id, email } = session.user
      const key = await findKey()
      if (!key) {
        throw refusal('secret_key_missing')
      }
      const made = await newTotp(email)
      await perform('second-factors.totp.begin', { userId: id, secret: sealTotp(key, id, made.secret) })
      return made
    },

    'POST /second-factor/totp/confirm/': async ({ body, session, client, now, perform }) => {
      const { user } = session
      const attempt = await beginSignInAttempt(panel, { client, now, perform }, user.email)
      const step = await totpStepOfUser(db, findKey, session, { code: body.code, now })
      if (step === undefined) {
        throw refusal('code_wrong')
      }
      const codes = newRecoveryCodes()
      const codeHashes = codes.map(hashRecoveryCode)
      const { codesKept } = await perform('second-factors.totp.confirm', { userId: user.id, step, codeHashes })
      attempt.succeeded()
      return { recoveryCodes: codesKept ? codes : [] }
    },

    'POST /second-factor/totp/remove/': ({ session, perform }) =>
      perform('second-factors.totp.remove', { userId: session.user.id }),

    'POST /second-factor/recovery-codes/renew/': async ({ session, perform }) => {
      const recoveryCodes = newRecoveryCodes()
      const codeHashes = recoveryCodes.map(hashRecoveryCode)
      await perform('second-factors.codes.renew', { userId: session.user.id, codeHashes })
      return { recoveryCodes }
    },

    'GET /second-factor/passkeys/': async ({ session }) => ({ all: await listOwnPasskeys(db, session.user.id) }),

    'POST /second-factor/passkeys/options/': async ({ session, client, now }) => ({
      options: await registrationOptions(db, session.user, { origin: passkeyOrigin(panel, client), now }),
    }),

    'POST /second-factor/passkeys/register/': async ({ body, session, client, now, perform }) => {
      const { user } = session
      const { response, ...credential } = body.credential
      const transports = [...(response.transports ?? [])]
      const made = { ...credential, clientExtensionResults: {}, response: { ...response, transports } }
      const verified = await verifyRegistration(db, user, made, { origin: passkeyOrigin(panel, client), now })
      if (!verified) {
        throw new Refusal({ code: 'passkey_wrong', message: message('passkey_answer_wrong') })
      }
      const codes = newRecoveryCodes()
      const { challenge, passkey } = verified
      const { codesKept } = await perform('second-factors.passkeys.register', {
        userId: user.id,
        challenge,
        passkey: { ...passkey, name: body.name },
        codeHashes: codes.map(hashRecoveryCode),
      })
      return { id: passkey.id, recoveryCodes: codesKept ? codes : [] }
    },

    'POST /second-factor/passkeys/remove/': ({ body, session, perform }) =>
      perform('second-factors.passkeys.remove', { userId: session.user.id, id: body.id }),

    'POST /session/passkey/options/': async ({ client, now }) => ({
      options: await signInOptions(db, { origin: passkeyOrigin(panel, client), now }),
    }),

    'POST /session/passkey/sign-in/': async ({ body, session, client, now, perform }) => {
      const { attempt, verdict } = await tryPasskey(panel, { client, now, perform }, body.credential)
      if (!verdict) return attempt.fail('sign_in_failed', unknownPasskey())
      const { userId, proof } = verdict
      const actor = { kind: 'user', id: userId } as const
      const { place, keep } = newSession(client)
      const started = perform('sessions.start', { userId, proof, place, replaces: replacedSession(session) }, { actor })
      const { user } = await attempt.through('sign_in_failed', started)
      attempt.succeeded()
      keep()
      return { user: await shownSignedIn(panel, user) }
    },

    'POST /session/passkey/authenticate/': async ({ body, session, client, now, perform }) => {
      const { attempt, verdict } = await tryPasskey(panel, { client, now, perform }, body.credential)
      const { id } = session.user
      if (verdict?.userId !== id) return attempt.fail('confirm_failed', unknownPasskey())
      const { proof } = verdict
      const { hash, keep } = renewedSecret(client)
      const taken = perform('sessions.authenticate', { userId: id, sessionId: session.id, proof, hash })
      const { replaced } = await attempt.through('confirm_failed', taken)
      attempt.succeeded()
      if (replaced) keep()
      return {}
    },
  }
}

type Trying = Parameters<typeof beginSignInAttempt>[1]
type Credential = Omit<Parameters<typeof verifyPasskey>[1], 'clientExtensionResults'>

/**
 * Counts an attempt to authenticate with a passkey, for the client's address and, if the passkey is known, for its
 * owner; then verifies the browser's response. Throws a 429 refusal when one of the two counts exceeds its limit.
 * Throws `Unavailable` while the queue of password hashes is full; this check applies to every method of
 * authentication.
 */
async function tryPasskey(panel: PanelContext, trying: Trying, credential: Credential) {
  const { db } = panel.app
  const attempt = await beginSignInAttempt(panel, trying, await findEmailOfPasskey(db, credential.id))
  const at = { origin: passkeyOrigin(panel, trying.client), now: trying.now }
  return { attempt, verdict: await verifyPasskey(db, { ...credential, clientExtensionResults: {} }, at) }
}

function unknownPasskey(): Refusal {
  return new Refusal({ code: 'sign_in_failed', message: message('passkey_unknown') })
}
