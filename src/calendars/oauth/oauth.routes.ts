import { createHash, randomBytes } from 'node:crypto'
import { narrowed, ownProvider } from '../../access/sessions/panel-session.routes.ts'
import type { calendarGrantRoutes } from '../../contract/panel/calendars/calendar-grants.ts'
import { encrypt, findDecrypted, type KeyRing } from '../../encryption.ts'
import type { Handlers } from '../../http/call.ts'
import { newId } from '../../ids.ts'
import { refusal } from '../../messages/refusal.ts'
import type { Operations } from '../../operations.ts'
import { accountPlace } from '../accounts/account.ts'
import type { CalendarContext } from '../calendars.routes.ts'
import { findApp, findGrant } from './oauth.sql.ts'
import {
  appPlace,
  callbackPath,
  endpointsOf,
  type GrantEndpoints,
  type GrantSecret,
  type GrantUrls,
  grantKinds,
  grantPlace,
} from './oauth.ts'

/** The dependencies of `calendarGrantHandlers`. */
export interface GrantContext extends Pick<CalendarContext, 'app' | 'findKey'> {
  origin(): string
  readonly grantUrls: GrantUrls
}

/**
 * Route handlers that return and set the site's OAuth credentials at calendar systems, and begin and complete sign-ins.
 */
export function calendarGrantHandlers({
  app,
  findKey,
  origin,
  grantUrls,
}: GrantContext): Handlers<typeof calendarGrantRoutes, Operations> {
  const keys = async (): Promise<KeyRing> => {
    const found = await findKey()
    if (!found) throw refusal('secret_key_missing')
    return found
  }
  const redirectUri = (): string => `${origin()}${callbackPath}`
  return {
    'GET /calendar-apps/': async ({ session }) => {
      const isAdmin = session.user.role === 'admin'
      const found = await Promise.all(grantKinds.map(async (kind) => ({ kind, app: await findApp(app.db, kind) })))
      return found.map((one) => ({
        kind: one.kind,
        isSet: one.app !== undefined,
        clientId: isAdmin ? (one.app?.clientId ?? '') : '',
        redirectUri: redirectUri(),
      }))
    },

    'POST /calendar-apps/set/': async ({ body: { kind, clientId, clientSecret }, perform }) => {
      if (clientId === '') return perform('calendars.apps.set', { kind, app: null })
      const before = await findApp(app.db, kind)
      const sealed = clientSecret === undefined ? before?.sealed : encrypt(await keys(), clientSecret, appPlace(kind))
      if (sealed === undefined) throw refusal('calendar_app_missing')
      return perform('calendars.apps.set', { kind, app: { clientId, sealed } })
    },

    'POST /calendar-accounts/authorize/': async ({
      body: { kind, providerId, accountId = null },
      session,
      perform,
    }) => {
      const site = await findApp(app.db, kind)
      if (!site) throw refusal('calendar_app_missing')
      const [state, verifier] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
      const stateHash = hashState(state)
      const sealed = encrypt(await keys(), verifier, grantPlace(stateHash))
      const own = ownProvider(session) ?? providerId
      const grant = { stateHash, userId: session.user.id, kind, providerId: own, accountId, sealed }
      await perform('calendars.grants.begin', { ...grant, ...narrowed(session) })
      const parameters = { clientId: site.clientId, redirectUri: redirectUri(), state, verifier }
      return { url: authorizationUrl(endpointsOf(kind, grantUrls), parameters) }
    },

    'POST /calendar-accounts/authorized/': async ({ body: { state, code }, session, perform }) => {
      const stateHash = hashState(state)
      const grant = await findGrant(app.db, stateHash)
      const ring = await keys()
      const verifier = grant && findDecrypted(ring, grant.sealed, grantPlace(stateHash))
      if (!grant || verifier === undefined) throw refusal('calendar_grant_expired')
      const id = grant.accountId ?? newId('calendar_account')
      const secret: GrantSecret = { code, verifier, redirectUri: redirectUri() }
      return perform('calendars.grants.finish', {
        ...{ stateHash, userId: session.user.id, id, host: new URL(endpointsOf(grant.kind, grantUrls).api).host },
        sealed: encrypt(ring, JSON.stringify(secret), accountPlace(id)),
        ...narrowed(session),
      })
    },
  }
}

/** Returns the hash under which the `state` parameter of an OAuth sign-in is stored. */
function hashState(state: string): string {
  return createHash('sha256').update(state).digest('base64url')
}

/** Returns the URL at which the user grants access, with the code challenge of the verifier (PKCE, RFC 7636). */
function authorizationUrl(
  { authorize, scope, more }: GrantEndpoints,
  {
    clientId,
    redirectUri,
    state,
    verifier,
  }: Readonly<Record<'clientId' | 'redirectUri' | 'state' | 'verifier', string>>,
): string {
  const url = new URL(authorize)
  url.search = String(
    new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope, state },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    }),
  )
  return url.href
}
