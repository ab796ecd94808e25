import type { FastifyRequest } from 'fastify'
import type { PanelEndpoint } from '../contract/endpoint.ts'
import type { SessionReason } from '../contract/errors.ts'
import { deviceOf, type SessionView } from '../domain/session.ts'
import type { Daybook } from '../operations/index.ts'
import { findSession } from '../operations/sessions.ts'
import { RestRefusal } from './refuse.ts'
import { type Connection, droppedCookie, keptCookie, sessionSecret } from './session-cookie.ts'
import type { Admitted, Visit } from './whom.ts'

/** What every answer of the panel's API says of itself. */
const panelHeaders = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
} as const

/** After so many seconds a session's use is written down again. */
const touchAfter = 60

const sentences: Readonly<Record<SessionReason, string>> = {
  no_session: 'Sign in to the panel first.',
  session_ended: 'This session is over; sign in again.',
}

/** Admits a browser to a row of the panel: by where the request comes from, then by session, then by role. */
export async function admitPerson(app: Daybook, request: FastifyRequest, row: PanelEndpoint): Promise<Admitted> {
  refuseOtherSites(request)
  const headers: Record<string, string> = { ...panelHeaders }
  const visit = visitOf(request, headers)
  const secret = sessionSecret(connectionOf(request))
  const now = app.now()
  const session = secret === undefined ? undefined : await findSession(app.db, secret, now)
  if (row.admits !== 'anyone') {
    if (!session) throw unauthorized(secret === undefined ? 'no_session' : 'session_ended', headers)
    if (!row.admits.includes(session.person.role)) throw forbidden(row.admits, headers)
  }
  if (session) await touch(app, session, now)
  const actor = { kind: 'user', id: session?.person.id ?? 'visitor' } as const
  return { whom: { session, visit }, actor, headers }
}

function visitOf(request: FastifyRequest, headers: Record<string, string>): Visit {
  return {
    address: request.ip,
    device: deviceOf(request.headers['user-agent'] ?? ''),
    origin: `${request.protocol}://${request.host}`,
    keep: (secret) => {
      headers['Set-Cookie'] = keptCookie(connectionOf(request), secret)
    },
    forget: () => {
      headers['Set-Cookie'] = droppedCookie(connectionOf(request))
    },
  }
}

/**
 * Refuses what another site has a browser send. A browser says truly where a request comes from: every write must say
 * so in one of two ways, and nothing said may name another place.
 */
function refuseOtherSites(request: FastifyRequest): void {
  const { headers, method } = request.raw
  const site = headers['sec-fetch-site']
  const { origin } = headers
  const reading = method === 'GET'
  const said = site !== undefined || origin !== undefined
  const sameSite = site === undefined || site === 'same-origin' || (reading && site === 'none')
  const sameOrigin = origin === undefined || (URL.canParse(origin) && new URL(origin).host === request.host)
  if (sameSite && sameOrigin && (said || reading)) return
  const failure = { code: 'rest_forbidden', status: 403, data: { reason: 'cross_site' } } as const
  throw new RestRefusal(
    failure,
    'Only the panel itself may ask this. Behind a proxy: it must pass the header Host on, or be named by --trust-proxy.',
  )
}

function connectionOf({ raw }: FastifyRequest): Connection {
  return { peer: raw.socket.remoteAddress, encrypted: 'encrypted' in raw.socket, headers: raw.headers }
}

// A fault here is no reason to refuse: the session then counts from its last use that was written down.
async function touch(app: Daybook, { id, lastSeenAt, person }: SessionView, now: number): Promise<void> {
  if (now - lastSeenAt < touchAfter) return
  const actor = { kind: 'user', id: person.id } as const
  await app.perform('sessions.touch', { id }, { now, actor, requestId: null, dryRun: false, idempotency: null })
}

function unauthorized(reason: SessionReason, headers: Record<string, string>): RestRefusal {
  const failure = { code: 'rest_forbidden', status: 401, data: { reason } } as const
  return new RestRefusal(failure, sentences[reason], headers)
}

function forbidden(admits: Exclude<PanelEndpoint['admits'], 'anyone'>, headers: Record<string, string>): RestRefusal {
  const failure = { code: 'rest_forbidden', status: 403, data: { admits } } as const
  return new RestRefusal(failure, `This is for people with the role ${admits.join(' or ')}.`, headers)
}
