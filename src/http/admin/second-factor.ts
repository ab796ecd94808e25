import type { secondFactorRows } from '../../contract/admin/second-factor.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Commands } from '../../operations/index.ts'
import {
  listOwnPasskeys,
  registrationOptions,
  signInOptions,
  verifyPasskey,
  verifyRegistration,
} from '../../operations/passkeys.ts'
import { hashRecoveryCode, newRecoveryCodes } from '../../operations/second-factors.ts'
import { newSessionSecret } from '../../operations/sessions.ts'
import { stepOfPerson } from '../../operations/sign-in.ts'
import { newTotp, sealTotp } from '../../operations/totp.ts'
import type { Handlers } from '../call.ts'
import { type Panel, passkeyOrigin, placeOf, provePassword } from './panel.ts'
import { shownSignedIn } from './session.ts'

/** Authenticator apps, passkeys and recovery codes. */
export function secondFactorHandlers(panel: Panel): Handlers<typeof secondFactorRows, Commands> {
  const { app, attempts, findKey } = panel
  const { db } = app
  return {
    'POST /second-factor/totp/begin/': async ({ body, session, visit, now, perform }) => {
      await provePassword(panel, { session, visit, now, password: body.password })
      const { id, email } = session.person
      const key = await findKey()
      if (!key) {
        const sentence = 'Whoever runs the service must set DAYBOOK_SECRET_KEY first; see the operations guide.'
        throw new Refusal('second_factor_unavailable', sentence)
      }
      const made = await newTotp(email)
      await perform('second-factors.totp.begin', { personId: id, secret: sealTotp(key, id, made.secret) })
      return made
    },

    'POST /second-factor/totp/confirm/': async ({ body, session, visit, now, perform }) => {
      const { person } = session
      attempts.begin(visit.address, person.email, now)
      const step = await stepOfPerson(db, findKey, session, { code: body.code, now })
      if (step === undefined) {
        throw new Refusal('code_wrong', 'The code is wrong; check that the clocks of both devices are right.')
      }
      const codes = newRecoveryCodes()
      const codeHashes = codes.map(hashRecoveryCode)
      const { codesKept } = await perform('second-factors.totp.confirm', { personId: person.id, step, codeHashes })
      attempts.succeeded(visit.address, person.email)
      return { recoveryCodes: codesKept ? codes : [] }
    },

    'POST /second-factor/totp/remove/': async ({ body, session, visit, now, perform }) => {
      await provePassword(panel, { session, visit, now, password: body.password })
      return perform('second-factors.totp.remove', { personId: session.person.id })
    },

    'POST /second-factor/recovery-codes/renew/': async ({ body, session, visit, now, perform }) => {
      await provePassword(panel, { session, visit, now, password: body.password })
      const recoveryCodes = newRecoveryCodes()
      const codeHashes = recoveryCodes.map(hashRecoveryCode)
      await perform('second-factors.codes.renew', { personId: session.person.id, codeHashes })
      return { recoveryCodes }
    },

    'GET /second-factor/passkeys/': async ({ session }) => ({ all: await listOwnPasskeys(db, session.person.id) }),

    'POST /second-factor/passkeys/options/': async ({ body, session, visit, now }) => {
      await provePassword(panel, { session, visit, now, password: body.password })
      return { options: await registrationOptions(db, session.person, { origin: passkeyOrigin(panel, visit), now }) }
    },

    'POST /second-factor/passkeys/register/': async ({ body, session, visit, now, perform }) => {
      const { person } = session
      const { response, ...credential } = body.credential
      const transports = [...(response.transports ?? [])]
      const made = { ...credential, clientExtensionResults: {}, response: { ...response, transports } }
      const verified = await verifyRegistration(db, person, made, { origin: passkeyOrigin(panel, visit), now })
      if (!verified) {
        throw new Refusal('passkey_wrong', 'The browser’s answer does not fit what was asked; begin again.')
      }
      const codes = newRecoveryCodes()
      const { challenge, passkey } = verified
      const { codesKept } = await perform('second-factors.passkeys.register', {
        personId: person.id,
        challenge,
        passkey: { ...passkey, name: body.name },
        codeHashes: codes.map(hashRecoveryCode),
      })
      return { id: passkey.id, recoveryCodes: codesKept ? codes : [] }
    },

    'POST /second-factor/passkeys/remove/': async ({ body, session, visit, now, perform }) => {
      await provePassword(panel, { session, visit, now, password: body.password })
      return perform('second-factors.passkeys.remove', { personId: session.person.id, id: body.id })
    },

    'POST /session/passkey/options/': async ({ visit, now }) => ({
      options: await signInOptions(db, { origin: passkeyOrigin(panel, visit), now }),
    }),

    'POST /session/passkey/sign-in/': async ({ body, visit, now, perform }) => {
      attempts.begin(visit.address, undefined, now)
      const shown = { ...body.credential, clientExtensionResults: {} }
      const verdict = await verifyPasskey(db, shown, { origin: passkeyOrigin(panel, visit), now })
      if (!verdict) throw new Refusal('sign_in_failed', 'This passkey is not known here; sign in another way.')
      const secret = newSessionSecret()
      const { personId, proof } = verdict
      const actor = { kind: 'user', id: personId } as const
      const { person } = await perform('sessions.start', { personId, proof, place: placeOf(visit, secret) }, { actor })
      attempts.succeeded(visit.address, undefined)
      visit.keep(secret)
      return { person: await shownSignedIn(panel, person) }
    },
  }
}
