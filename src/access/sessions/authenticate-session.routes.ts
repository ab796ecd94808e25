import type { FastifyRequest } from 'fastify'
import { anyValue, type PanelEndpoint } from '../../contract/endpoint.ts'
import type { PanelReason, SessionReason } from '../../contract/errors.ts'
import type { ClientRequest, Principal } from '../../http/principal.ts'
import { RestRefusal } from '../../http/response/errors.ts'
import type { Headers } from '../../http/response/response.ts'
import { type Message, message } from '../../messages/message.ts'
import type { Daybook } from '../../operations.ts'
import type { UserRole } from '../users/user.ts'
import { type Connection, clearCookie, deviceCookie, readCookie, sessionCookie, setCookie } from './cookies.routes.ts'
import { deviceOf, isRecentlyAuthenticated, type SessionView } from './session.ts'
import { findSession, mustEnrol } from './sessions.operations.ts'

/** Headers of the responses of the panel's API. */
const panelHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const

/** The name of each role in the panel. */
const roleNames: Readonly<Record<UserRole, Message>> = {
  admin: message('role_admin'),
  manager: message('role_manager'),
  receptionist: message('role_receptionist'),
  provider: message('role_provider'),
  read_only: message('role_read_only'),
}

/** The minimum number of seconds between two updates of a session's last use, which saves a write per request. */
const touchAfter = 60

/** The settings that determine which origin counts as the service's own. */
interface Addresses {
  /** The origin configured with `--public-url`; undefined when it is not configured. */
  readonly publicOrigin: string | undefined
  /** Whether `X-Forwarded-Host` and `X-Forwarded-Proto` are read when a trusted proxy sends them. */
  readonly trustForwardedHost: boolean
}

/** The dependencies of `authenticateSession`. */
export interface SessionAuthenticationOptions extends Addresses {
  readonly app: Daybook
}

/**
 * Authenticates a request to the API of the panel. Checks CSRF headers and, unless the route admits anyone, session,
 * role, second-factor policy and, where the route requires it, recent authentication. Throws a refusal with 401 for a
 * missing or ended session, and with 403 when another check fails. The returned principal has a function `check`, which
 * throws a 403 refusal when the body contains a field for which the route requires recent authentication and the user
 * has not recently authenticated.
 */
export async function authenticateSession(
  options: SessionAuthenticationOptions,
  request: FastifyRequest,
  row: PanelEndpoint,
): Promise<Principal> {
  const { app, ...addresses } = options
  refuseOtherSites(request, addresses)
  const headers: Record<string, string | string[]> = { ...panelHeaders }
  const client = visitOf(request, addresses, headers)
  const secret = client.sessionSecret
  const now = app.now()
  const session = secret === undefined ? undefined : await findSession(app.db, secret, now)
  if (row.admits !== 'anyone') {
    if (!session) throw unauthorized(secret === undefined ? 'no_session' : 'session_ended', headers)
    if (!row.admits.includes(session.user.role)) {
      await reportDenied(app, session, { address: request.ip, now })
      throw forbidden(row.admits, headers)
    }
    if (!row.duringEnrolment && (await mustEnrol(app.db, session, now))) throw closed('second_factor_required', headers)
    if (row.fresh === true && !isRecentlyAuthenticated(session, now)) {
      throw closed('recent_authentication_required', headers)
    }
  }
  if (session) await touch(app, session, now)
  const actor = { kind: 'user', id: session?.user.id ?? 'visitor' } as const
  const check = (body: unknown): void => {
    const stale = session !== undefined && !isRecentlyAuthenticated(session, now)
    if (stale && needsProof(row, body)) throw closed('recent_authentication_required', headers)
  }
  const recheck = (): Promise<unknown> => authenticateSession(options, request, row)
  return { credentials: { session, client }, actor, headers, address: request.ip, check, recheck }
}

/**
 * Whether the body of a request contains a field, or a certain value of a field, for which the request's route requires
 * recent authentication.
 */
function needsProof({ fresh }: PanelEndpoint, body: unknown): boolean {
  if (fresh === undefined || fresh === true || typeof body !== 'object' || body === null) return false
  const fields = new Map<string, unknown>(Object.entries(body))
  return Object.entries(fresh).some(
    ([name, value]) => fields.has(name) && (value === anyValue || fields.get(name) === value),
  )
}

function closed(reason: Exclude<PanelReason, 'cross_site'>, headers: Headers): RestRefusal {
  const failure = { code: 'rest_forbidden', status: 403, data: { reason } } as const
  return new RestRefusal(failure, message(reason), { headers })
}

// The outcome of `security.report` is ignored: the request is refused even if the refusal cannot be recorded in the
// security history.
async function reportDenied(
  app: Daybook,
  { user }: SessionView,
  { address, now }: { readonly address: string; readonly now: number },
): Promise<void> {
  const actor = { kind: 'user', id: user.id } as const
  const context = { now, actor, address, requestId: null, dryRun: false, idempotency: null }
  await app.perform('security.report', { kind: 'denied', userId: user.id }, context)
}

function visitOf(
  request: FastifyRequest,
  addresses: Addresses,
  headers: Record<string, string | string[]>,
): ClientRequest {
  return {
    address: request.ip,
    device: deviceOf(request.headers['user-agent'] ?? ''),
    // `refuseOtherSites` has checked the host in `Origin`. Its scheme is the browser's, which the request itself lacks
    // behind a proxy that terminates TLS.
    origin: request.raw.headers.origin ?? requestOrigin(request, addresses),
    deviceSecret: readCookie(connectionOf(request), deviceCookie),
    sessionSecret: readCookie(connectionOf(request), sessionCookie),
    keep: (secret, deviceSecret) => {
      const connection = connectionOf(request)
      headers['Set-Cookie'] = [
        setCookie(connection, sessionCookie, secret),
        ...(deviceSecret === undefined ? [] : [setCookie(connection, deviceCookie, deviceSecret)]),
      ]
    },
    forget: () => {
      headers['Set-Cookie'] = clearCookie(connectionOf(request), sessionCookie)
    },
  }
}

/**
 * Checks `Sec-Fetch-Site` and `Origin` against CSRF: a request other than GET must have at least one of the two
 * headers. `Sec-Fetch-Site` must be `same-origin` or, for GET, `none`; the host and port in `Origin` must be the
 * service's own.
 */
function refuseOtherSites(request: FastifyRequest, addresses: Addresses): void {
  const { headers, method } = request.raw
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const reading = method === 'GET'
  const said = site !== undefined || origin !== undefined
  const sameSite = site === undefined || site === 'same-origin' || (reading && site === 'none')
  const own = [requestOrigin(request, addresses), addresses.publicOrigin ?? ''].map(hostOf)
  const sameOrigin = origin === undefined || own.some((host) => host !== undefined && host === hostOf(origin))
  if (sameSite && sameOrigin && (said || reading)) return
  const failure = { code: 'rest_forbidden', status: 403, data: { reason: 'cross_site' } } as const
  throw new RestRefusal(failure, message('cross_site'))
}

/** Returns the origin that a request was sent to. Forwarding headers are read only when the operator trusts them. */
function requestOrigin(request: FastifyRequest, { trustForwardedHost }: Addresses): string {
  if (trustForwardedHost) return `${request.protocol}://${request.host}`
  return `${'encrypted' in request.raw.socket ? 'https' : 'http'}://${request.raw.headers.host ?? ''}`
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

function connectionOf({ raw }: FastifyRequest): Connection {
  return { peer: raw.socket.remoteAddress, encrypted: 'encrypted' in raw.socket, headers: raw.headers }
}

// When storing the use of a session fails, the fault is logged and the request continues; the session's idle time then
// counts from the last stored use.
async function touch(app: Daybook, { id, lastSeenAt, user }: SessionView, now: number): Promise<void> {
  if (now - lastSeenAt < touchAfter) return
  const actor = { kind: 'user', id: user.id } as const
  const context = { now, actor, requestId: null, dryRun: false, idempotency: null }
  const outcome = await app.perform('sessions.touch', { id }, context)
  if ('fault' in outcome) app.log.warn({ fault: outcome.message }, 'the use of a session was not recorded')
}

function unauthorized(reason: SessionReason, headers: Headers): RestRefusal {
  const failure = { code: 'rest_forbidden', status: 401, data: { reason } } as const
  return new RestRefusal(failure, message(reason), { headers })
}

function forbidden(admits: Exclude<PanelEndpoint['admits'], 'anyone'>, headers: Headers): RestRefusal {
  const failure = { code: 'rest_forbidden', status: 403, data: { admits } } as const
  const roles = admits.map((role) => roleNames[role])
  return new RestRefusal(failure, message('role_required', { roles }), { headers })
}
