import type { sessionRows } from '../../contract/admin/session.ts'
import type { Person } from '../../domain/person.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Commands } from '../../operations/index.ts'
import { hashLinkSecret } from '../../operations/people.ts'
import { listAlive, loadFactors, newSessionSecret } from '../../operations/sessions.ts'
import { isSetUpNeeded } from '../../operations/set-up.ts'
import { verifySignIn } from '../../operations/sign-in.ts'
import { showSite } from '../../operations/site.ts'
import type { Handlers } from '../call.ts'
import { newPasswordHash, type Panel, placeOf, provePassword } from './panel.ts'

/** Signing in and out, the sessions of one person, set-up, passwords. */
export function sessionHandlers(panel: Panel): Handlers<typeof sessionRows, Commands> {
  const { app, attempts, findKey } = panel
  const { db } = app
  return {
    'GET /session/': async ({ session, now }) => {
      const { name, timezone, language, currency } = await showSite(db)
      return {
        setUpNeeded: await isSetUpNeeded(db),
        person: session ? await shownSignedIn(panel, session.person) : null,
        site: { name, timezone, language, currency },
        now,
      }
    },

    'POST /session/sign-in/': async ({ body, visit, now, perform }) => {
      attempts.begin(visit.address, body.email, now)
      const verdict = await verifySignIn(db, findKey, body, now)
      if (!verdict) {
        throw new Refusal('sign_in_failed', 'E-mail, password or code is wrong; check them and try again.')
      }
      if ('methods' in verdict) return { state: 'second_factor', person: null, methods: verdict.methods }
      const secret = newSessionSecret()
      const { personId, proof } = verdict
      const actor = { kind: 'user', id: personId } as const
      const { person } = await perform('sessions.start', { personId, proof, place: placeOf(visit, secret) }, { actor })
      attempts.succeeded(visit.address, body.email)
      visit.keep(secret)
      return { state: 'signed_in', person: await shownSignedIn(panel, person), methods: [] }
    },

    'POST /session/sign-out/': async ({ session, visit, perform }) => {
      await perform('sessions.end', { personId: session.person.id, which: { only: session.id } })
      visit.forget()
      return {}
    },

    'GET /sessions/': async ({ session, now }) => {
      const sessions = await listAlive(db, session.person.id, now)
      return {
        all: sessions.map(({ id, device, address, createdAt, lastSeenAt }) => {
          return { id, device, address, createdAt, lastSeenAt, current: id === session.id }
        }),
      }
    },

    'POST /sessions/end/': async ({ body, session, visit, perform }) => {
      const which = body.id === undefined ? { but: session.id } : { only: body.id }
      await perform('sessions.end', { personId: session.person.id, which })
      if (body.id === session.id) visit.forget()
      return {}
    },

    'POST /set-up/': async ({ body, visit, now, perform }) => {
      attempts.begin(visit.address, undefined, now)
      const secret = newSessionSecret()
      const { name, email, password } = body
      const { person } = await perform('set-up.finish', {
        linkHash: hashLinkSecret(body.secret),
        name,
        email,
        passwordHash: await newPasswordHash(password),
        place: placeOf(visit, secret),
      })
      attempts.succeeded(visit.address, undefined)
      visit.keep(secret)
      return { state: 'signed_in', person: await shownSignedIn(panel, person), methods: [] }
    },

    'POST /password/set/': async ({ body, visit, now, perform }) => {
      attempts.begin(visit.address, undefined, now)
      const passwordHash = await newPasswordHash(body.password)
      const done = await perform('users.password', { passwordHash, of: { linkHash: hashLinkSecret(body.secret) } })
      attempts.succeeded(visit.address, undefined)
      return done
    },

    'POST /password/change/': async ({ body, session, visit, now, perform }) => {
      await provePassword(panel, { session, visit, now, password: body.current })
      const passwordHash = await newPasswordHash(body.password)
      await perform('users.password', { passwordHash, of: { personId: session.person.id, sessionId: session.id } })
      return {}
    },
  }
}

/** Who is signed in, as the panel shows it to that person. */
export async function shownSignedIn({ app }: Pick<Panel, 'app'>, person: Person) {
  const { id, name, email, role, providerId } = person
  const { totp, passkeys, recoveryCodes } = await loadFactors(app.db, id)
  return { id, name, email, role, providerId, totp, passkeys, recoveryCodes }
}
