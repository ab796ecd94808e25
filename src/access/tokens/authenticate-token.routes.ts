import type { IncomingMessage } from 'node:http'
import type { Scope } from '../../contract/endpoint.ts'
import type { TokenReason } from '../../contract/errors.ts'
import type { Throttle } from '../../http/load/throttle.ts'
import { networkOf } from '../../http/network.ts'
import type { TokenPrincipal } from '../../http/principal.ts'
import { RestRefusal, tooMany } from '../../http/response/errors.ts'
import type { Headers } from '../../http/response/response.ts'
import { message } from '../../messages/message.ts'
import type { Token, TokenRegister } from './token.ts'

/** The result of `authenticateToken`: the authenticated caller, and the rate-limit headers of the response. */
interface Known {
  readonly caller: TokenPrincipal
  readonly headers: Headers
}

/** The state of token authentication in memory, shared by all requests that one thread answers. */
export interface TokenAuthentication {
  readonly tokens: TokenRegister
  readonly wrongTokens: Throttle
  readonly requests: Throttle
  /** The maximum number of requests with an invalid token from one address (or IPv6 /64) per minute. */
  readonly wrongTokensPerMinute: number
}

interface Asking {
  readonly request: IncomingMessage
  readonly address: string
  readonly scope: Scope
  readonly now: number
}

const scopes: Readonly<Record<Token['scope'], readonly Scope[]>> = { read: ['read'], write: ['read', 'write'] }

/**
 * Authenticates a request by its token. Throws a refusal with 401 for a missing or invalid token and for more than one
 * token, with 403 for an insufficient scope, and with 429 beyond a rate limit.
 */
export async function authenticateToken(
  authentication: TokenAuthentication,
  { request, address, scope, now }: Asking,
): Promise<Known> {
  const token = await tokenIn(authentication, { request, address, now })
  authentication.tokens.recordUse(token.id, address, now)
  const headers = countRequest(authentication, token, now)
  requireScope(token, scope, headers)
  return { caller: callerOf(token), headers }
}

/**
 * Authenticates a request again whose body took time to arrive, and neither counts nor records it again. Rejects like
 * `authenticateToken`, except for the rate limit of the token.
 */
export async function recheckToken(authentication: TokenAuthentication, asking: Asking): Promise<void> {
  requireScope(await tokenIn(authentication, asking), asking.scope, {})
}

async function tokenIn(
  authentication: TokenAuthentication,
  { request, address, now }: Omit<Asking, 'scope'>,
): Promise<Token> {
  const found = credentialIn(request.rawHeaders)
  if ('reason' in found && found.reason !== 'invalid_token') throw unauthorized(found.reason)
  const checked = 'reason' in found ? found : await authentication.tokens.check(found.secret, now)
  if ('reason' in checked) throw wrongToken(authentication, { address, now, ...checked })
  return checked.token
}

function requireScope(token: Token, scope: Scope, headers: Headers): void {
  if (allows(token, scope)) return
  const failure = { code: 'rest_forbidden', status: 403, data: { requiredScope: scope } } as const
  throw new RestRefusal(failure, message('scope_required', { scope }), { headers }).ofToken(token.id)
}

function callerOf({ id, name, scope }: Token): TokenPrincipal {
  return { id, name, scopes: scopes[scope] }
}

/**
 * Returns the principal of a request, without a query of the database, if the check of its token is cached and
 * succeeds, the token's scope is sufficient and the token has no rate limit. Otherwise returns undefined; the caller
 * then calls `authenticateToken`. The caller records the use of the token.
 */
export function cachedToken(
  { tokens }: TokenAuthentication,
  { request, scope, now }: Omit<Asking, 'address'>,
): TokenPrincipal | undefined {
  const found = credentialIn(request.rawHeaders)
  const checked = 'secret' in found ? tokens.remembered(found.secret, now) : undefined
  if (!checked || 'reason' in checked) return undefined
  const { token } = checked
  return token.rateLimit === null && allows(token, scope) ? callerOf(token) : undefined
}

function allows(token: Token, scope: Scope): boolean {
  return scopes[token.scope].includes(scope)
}

/**
 * Returns the token in the header `Authorization` or `X-SVC-API-Key`, or the reason for which there is not exactly one
 * well-formed token. The raw headers are searched, because Node silently drops every `Authorization` header after the
 * first. A token in the query string is ignored.
 */
function credentialIn(rawHeaders: readonly string[]): { secret: string } | { reason: TokenReason } {
  let name = ''
  let value: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at]?.toLowerCase()
    if (header !== 'authorization' && header !== 'x-svc-api-key') continue
    if (value !== undefined) return { reason: 'ambiguous_credentials' }
    name = header
    value = rawHeaders[at + 1] ?? ''
  }
  const text = value?.trim() ?? ''
  const secret = name === 'authorization' ? /^bearer +(\S+)$/i.exec(text)?.[1] : text
  if (secret) return { secret }
  return { reason: text === '' || /^bearer$/i.test(text) ? 'missing_token' : 'invalid_token' }
}

/**
 * Counts a request with an invalid token against its address and returns the refusal to throw: 401, or 429 beyond the
 * limit.
 */
function wrongToken(
  authentication: TokenAuthentication,
  wrong: { address: string; now: number; reason: TokenReason; tokenId?: string },
): RestRefusal {
  const standing = authentication.wrongTokens.count(
    networkOf(wrong.address),
    authentication.wrongTokensPerMinute,
    wrong.now,
  )
  if (standing.allowed) return unauthorized(wrong.reason).ofToken(wrong.tokenId)
  return tooMany(message('too_many_wrong_tokens'), standing.reset).ofToken(wrong.tokenId)
}

function unauthorized(reason: TokenReason): RestRefusal {
  const failure = { code: 'rest_forbidden', status: 401, data: { reason } } as const
  return new RestRefusal(failure, message(reason), { headers: { 'WWW-Authenticate': 'Bearer' } })
}

function countRequest(authentication: TokenAuthentication, token: Token, now: number): Headers {
  const limit = token.rateLimit
  if (limit === null) return {}
  const standing = authentication.requests.count(token.id, limit, now)
  const headers = {
    'RateLimit-Policy': `"token";q=${limit};w=60`,
    RateLimit: `"token";r=${standing.remaining};t=${standing.reset}`,
  }
  if (standing.allowed) return headers
  throw tooMany(message('token_rate_exceeded'), standing.reset, headers).ofToken(token.id)
}
