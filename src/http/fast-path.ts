import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PublicEndpoint, Scope } from '../contract/endpoint.ts'
import type { RequestContext, ServeRequest } from './bind.ts'
import type { AnyReadyFinder } from './call.ts'
import { type Admission, sendLater } from './load/admission.ts'
import { isMalformed } from './load/connection.ts'
import type { Principal, TokenPrincipal } from './principal.ts'
import { noFaults } from './request/faults.ts'
import type { Route } from './request/parse-request.ts'
import { pagingOf } from './response/list.ts'
import { type Conditions, sendPrepared } from './response/respond.ts'

/** What a way ahead of the router needs. */
export interface FastPathOptions {
  readonly root: string
  readonly row: Route<PublicEndpoint>
  readonly serve: ServeRequest
  /** Finds answers of a reading row that are ready, where some are. */
  readonly find?: AnyReadyFinder
  /** The caller of a request if its token is cached and unlimited; undefined leaves the request to the router. */
  readonly callerAtOnce: (asked: { request: IncomingMessage; scope: Scope; now: number }) => TokenPrincipal | undefined
  /** Records the use of a token. */
  readonly used: (tokenId: string, address: string, now: number) => void
  readonly admission: Admission
  readonly now: () => number
  /** The address that a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly newRequestId: () => string
}

/** Takes over a request if nothing about it is unusual; else nothing is done, and false. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * A way ahead of the router for all that is asked of one row by callers whose token is known. An answer that is ready is
 * sent at once: finding one costs a tenth of what the router and its hooks do. For all else what the router would have
 * led to is done, in its turn. It asks what they ask, of the same functions. See decisions/0017.
 */
export function createFastPath(options: FastPathOptions): FastPath {
  const { row, serve, callerAtOnce, used, admission, now, addressOf, newRequestId } = options
  const path = options.root + row.path
  const reads = row.method === 'GET'
  const name = `${row.method} ${row.path}`
  const ready = options.find && readyAnswer(row, options.find, path)
  return (request, response) => {
    const { method, url = '' } = request
    // A write has no query: one that is sent all the same goes the long way.
    if (method !== row.method || !(reads ? isFor(url, path) : url === path) || isMalformed(request)) return false
    if (admission.turnsAway(response, name, newRequestId)) return true
    const head = glance(request.rawHeaders)
    if (reads && head.hasBody) return false
    const since = performance.now()
    const seconds = now()
    const token = callerAtOnce({ request, scope: row.endpoint.scope, now: seconds })
    if (!token) return false
    const send = ready && admission.hasRoomNow() ? ready(url, seconds) : undefined
    if (send) {
      admission.follow(response, name, since)
      used(token.id, addressOf(request), seconds)
      send(response, head)
      return true
    }
    const requestId = newRequestId()
    admission.admit(response, { row: name }, (admitted) => {
      if (!admitted) return sendLater(response, requestId)
      used(token.id, addressOf(request), seconds)
      const principal: Principal = { credentials: { token }, actor: { kind: 'token', id: token.id }, headers: {} }
      // A body that came in one packet with its head is there by then.
      process.nextTick(serve, { request, response, requestId, admitted: principal } satisfies RequestContext)
    })
    return true
  }
}

/** Sends the answer to what is asked at an address, if the question is in order and its answer is ready. */
function readyAnswer(row: Route<PublicEndpoint>, find: AnyReadyFinder, path: string) {
  const { endpoint } = row
  return (url: string, now: number): ((response: ServerResponse, head: Conditions) => void) | undefined => {
    const faults = noFaults()
    const text = url.slice(path.length + 1)
    const query = row.readQuery(text, faults)
    if (faults.any()) return undefined
    const paging = pagingOf(query)
    const list = find({ query, paging, now })
    if (!list) return undefined
    return (response, head) =>
      sendPrepared(list, { endpoint, response, headers: noHeaders, paging, url: { path, query: text } }, head)
  }
}

function isFor(url: string, path: string): boolean {
  return url.startsWith(path) && (url.length === path.length || url[path.length] === '?') && !url.includes('#')
}

const noHeaders = {}

/** What of a request's head matters here; the headers as Node shows them would all be sorted out for it. */
interface Glance extends Conditions {
  readonly hasBody: boolean
}

function glance(rawHeaders: readonly string[]): Glance {
  let hasBody = false
  let ifNoneMatch: string | undefined
  let acceptEncoding: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // Shorter ones are none of these, and their letters need no look.
    if (name.length < 13) continue
    const value = rawHeaders[at + 1] ?? ''
    switch (name.toLowerCase()) {
      case 'content-length':
      case 'transfer-encoding':
        hasBody = true
        break
      case 'if-none-match':
        ifNoneMatch = ifNoneMatch === undefined ? value : `${ifNoneMatch}, ${value}`
        break
      case 'accept-encoding':
        acceptEncoding = acceptEncoding === undefined ? value : `${acceptEncoding}, ${value}`
        break
    }
  }
  return { hasBody, ifNoneMatch, acceptEncoding }
}
