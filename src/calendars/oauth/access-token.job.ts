import { setTimeout as pause } from 'node:timers/promises'
import { resultOf } from '../../db/perform/outcome.ts'
import { workerContext } from '../../db/perform/worker-context.ts'
import { encrypt, findDecrypted, type KeyRing } from '../../encryption.ts'
import { OutboundError } from '../../http/outbound/outbound-error.ts'
import { accountPlace, type CalendarAccount } from '../accounts/account.ts'
import type { AccountOpening } from '../accounts/account-opening.job.ts'
import { findAccount } from '../accounts/accounts.sql.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { refuseWhenBusy } from '../server-busy.job.ts'
import { findApp } from './oauth.sql.ts'
import { appPlace, type GrantEndpoints, type GrantKind, type GrantSecret } from './oauth.ts'

/** An access token is no longer used from this many seconds before its expiry. */
const margin = 120

/**
 * An OAuth access token, and the revision of the account with whose credentials it was requested. After a new sign-in
 * the account has another revision, and a job that loads the account then neither uses the token nor waits for it.
 */
interface AccessToken {
  readonly revision: number
  readonly token: string
  readonly until: number
}

// The cache of access tokens by account id. It is in memory only, so new tokens are requested after a restart.
const tokens = new Map<string, AccessToken>()
// The requests for access tokens in progress, by account id and revision.
const asking = new Map<string, Promise<AccessToken>>()

/** Milliseconds until an account is loaded again whose authorization code another node is exchanging. */
const pauseMilliseconds = 1_000

/** The dependencies and the account of a request for an access token. */
export interface TokenRequest {
  readonly opening: AccountOpening
  readonly account: Pick<CalendarAccount, 'id' | 'kind' | 'revision'>
  readonly endpoints: GrantEndpoints
  readonly keys: KeyRing
}

/**
 * Returns an OAuth access token of an account, other than `refused`. Concurrent calls for a revision of an account
 * share one request, and no request is made when `refused` has already been replaced. One node exchanges an
 * authorization code while the others wait. If the user signed in again after the caller loaded the account, the token
 * belongs to the new sign-in. A new refresh token is stored encrypted. Throws a `CalendarFault` on failure, such as
 * `sign_in_refused` when the grant was revoked or has expired.
 */
export async function accessToken(request: TokenRequest, refused?: string): Promise<string> {
  return (await tokenOf(request, refused)).token
}

async function tokenOf(request: TokenRequest, refused: string | undefined): Promise<AccessToken> {
  const { opening, account } = request
  const known = tokens.get(account.id)
  const isCurrent = known?.revision === account.revision && known.until > opening.app.now()
  if (isCurrent && known.token !== refused) return known
  const key = `${account.id} ${account.revision}`
  const running = asking.get(key)
  if (running) return running
  const asked = ask(request, refused)
    .then((found) => {
      // A request of an earlier sign-in may be answered last.
      if ((tokens.get(account.id)?.revision ?? 0) <= found.revision) tokens.set(account.id, found)
      return found
    })
    .finally(() => asking.delete(key))
  asking.set(key, asked)
  return asked
}

async function ask(request: TokenRequest, refused: string | undefined): Promise<AccessToken> {
  const { opening, account, keys } = request
  const kind = account.kind as GrantKind
  const { app } = opening
  const site = await findApp(app.db, kind)
  // The account is loaded again, because another job may have exchanged its authorization code, or the user may have
  // signed in again, since the caller loaded it. An authorization code can be exchanged only once, so the token of a
  // new sign-in is requested with the key of that revision.
  const stored = await findAccount(app.db, account.id)
  if (stored && stored.revision !== account.revision) return tokenOf({ ...request, account: stored }, refused)
  const sealed = stored?.sealed ?? ''
  const clientSecret = site && findDecrypted(keys, site.sealed, appPlace(kind))
  const text = findDecrypted(keys, sealed, accountPlace(account.id))
  if (text === undefined || (site && clientSecret === undefined)) throw new CalendarFault('no_key')
  if (!site || clientSecret === undefined) throw new CalendarFault('sign_in_refused')
  const credentials = { clientId: site.clientId, clientSecret, sealed, text }
  const secret: GrantSecret = JSON.parse(text)
  if (!('code' in secret)) return requestToken(request, secret, credentials)
  const { id, revision } = account
  const context = () => ({ ...workerContext('calendars'), now: app.now() })
  const { claimed } = resultOf(await app.perform('calendars.accounts.claim', { id, sealed }, context()))
  if (!claimed) {
    await pause(pauseMilliseconds)
    return ask(request, refused)
  }
  try {
    return await requestToken(request, secret, credentials)
  } finally {
    resultOf(await app.perform('calendars.accounts.release', { id, revision }, context()))
  }
}

/** The client credentials of this site, and the secret of the account as stored and as decrypted. */
interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly sealed: string
  readonly text: string
}

/** Requests an access token with the secret of an account, and stores a new refresh token in the response. */
async function requestToken(
  request: TokenRequest,
  secret: GrantSecret,
  { clientId, clientSecret, sealed, text }: Credentials,
): Promise<AccessToken> {
  const { opening, account, endpoints } = request
  const { app, client, version, timeout = 30_000 } = opening
  const grant =
    'code' in secret
      ? {
          ...{ grant_type: 'authorization_code', code: secret.code, code_verifier: secret.verifier },
          redirect_uri: secret.redirectUri,
        }
      : { grant_type: 'refresh_token', refresh_token: secret.refreshToken }
  const response = await client
    .send({
      method: 'POST',
      url: endpoints.token,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': `Daybook/${version}` },
      body: String(new URLSearchParams({ ...grant, client_id: clientId, client_secret: clientSecret })),
      timeout,
    })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) throw new CalendarFault(error.reason)
      throw error
    })
  refuseWhenBusy(response, app.now())
  const { status, body } = response
  // RFC 6749, 5.2: an invalid grant is answered with 400, and invalid client credentials with 400 or 401.
  if (status === 400 || status === 401) throw new CalendarFault('sign_in_refused')
  if (status !== 200) throw new CalendarFault('server_error', String(status))
  const given = tokensIn(body)
  const refreshToken = given.refreshToken ?? ('refreshToken' in secret ? secret.refreshToken : undefined)
  // Without a refresh token, access would end when the access token expires, within about an hour. Such a sign-in is
  // therefore not accepted.
  if (refreshToken === undefined) throw new CalendarFault('sign_in_refused')
  const until = app.now() + Math.max(0, given.seconds - margin)
  if ('refreshToken' in secret && secret.refreshToken === refreshToken)
    return { revision: account.revision, token: given.accessToken, until }
  await storeSecret(request, { refreshToken }, { sealed, text })
  return { revision: account.revision, token: given.accessToken, until }
}

/**
 * Replaces the secret of an account, which was read as `sealed` and decrypted to `text`. A key rotation may have
 * re-encrypted `text` in the meantime; `secret` is then encrypted with the current keys. Does nothing if another secret
 * was stored, such as that of a new sign-in.
 */
async function storeSecret(
  { opening, account, keys }: Pick<TokenRequest, 'opening' | 'account' | 'keys'>,
  secret: GrantSecret,
  { sealed, text }: { readonly sealed: string; readonly text: string },
): Promise<void> {
  const { app, findKey } = opening
  const place = accountPlace(account.id)
  const reseal = { id: account.id, from: sealed, to: encrypt(keys, JSON.stringify(secret), place) }
  const context = { ...workerContext('calendars'), now: app.now() }
  if (resultOf(await app.perform('calendars.accounts.reseal', reseal, context)).stored) return
  const stored = await findAccount(app.db, account.id)
  if (stored?.revision !== account.revision) return
  const current = await findKey()
  if (!current) throw new CalendarFault('no_key')
  if (findDecrypted(current, stored.sealed, place) !== text) return
  await storeSecret({ opening, account, keys: current }, secret, { sealed: stored.sealed, text })
}

function tokensIn(body: string) {
  let given: Readonly<Record<string, unknown>>
  try {
    given = Object(JSON.parse(body))
  } catch {
    throw new CalendarFault('malformed')
  }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = given
  if (typeof accessToken !== 'string' || accessToken === '') throw new CalendarFault('malformed')
  return {
    accessToken,
    refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : undefined,
    seconds: typeof seconds === 'number' && seconds > 0 ? seconds : 3_600,
  }
}
