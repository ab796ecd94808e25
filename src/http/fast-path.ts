import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PublicEndpoint, Scope } from '../contract/endpoint.ts'
import type { RequestContext, ServeRequest } from './bind.ts'
import type { AnyReadyFinder } from './call.ts'
import { type Admission, sendOverloaded } from './load/admission.ts'
import { isMalformed } from './load/connection.ts'
import type { Principal, TokenPrincipal } from './principal.ts'
import { noFaults } from './request/faults.ts'
import type { Route } from './request/parse-request.ts'
import { pagingOf } from './response/list.ts'
import { type Conditions, sendPrepared } from './response/respond.ts'

/** The dependencies of a fast path, which serves the requests of one route without the router. */
export interface FastPathOptions {
  readonly root: string
  readonly row: Route<PublicEndpoint>
  readonly serve: ServeRequest
  /** Finds cached responses; absent for a route that writes. */
  readonly find?: AnyReadyFinder
  /**
   * Returns the authenticated caller of a request if its token is cached, valid, of sufficient scope and without a rate
   * limit; undefined leaves the request to the router.
   */
  readonly cachedPrincipal: (call: {
    request: IncomingMessage
    scope: Scope
    now: number
  }) => TokenPrincipal | undefined
  /** Authenticates a request again; rejects with the refusal of a caller who may no longer use the route. */
  readonly recheck: (call: { request: IncomingMessage; address: string; scope: Scope; now: number }) => Promise<unknown>
  /** Records the use of a token. */
  readonly recordUse: (tokenId: string, address: string, now: number) => void
  readonly admission: Admission
  readonly now: () => number
  /** Returns the IP address of the client of a request. */
  readonly addressOf: (request: IncomingMessage) => string
  readonly newRequestId: () => string
}

/** Serves a request and returns true; returns false without an effect when the router must serve the request. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Returns a function that serves the requests of one route without the router if `cachedPrincipal` knows the caller. If
 * possible, a cached response is sent at once, in a tenth of the time that the router and its hooks take. Otherwise the
 * request is queued for admission, and then `serve` handles it. The fast path and the router make the same checks. See
 * docs/decisions/0017.
 */
export function createFastPath(options: FastPathOptions): FastPath {
  const { row, serve, cachedPrincipal, recordUse, admission, now, addressOf, newRequestId } = options
  const path = options.root + row.path
  const reads = row.method === 'GET'
  const name = `${row.method} ${row.path}`
  const ready = options.find && readyAnswer(row, options.find, path)
  return (request, response) => {
    const { method, url = '' } = request
    // Writes have no query parameters, so a write with a query string is left to the router.
    if (method !== row.method || !(reads ? isFor(url, path) : url === path) || isMalformed(request)) return false
    if (admission.shedIfOverloaded(response, name, newRequestId)) return true
    const head = readHead(request.rawHeaders)
    if (reads && head.hasBody) return false
    const since = performance.now()
    const seconds = now()
    const token = cachedPrincipal({ request, scope: row.endpoint.scope, now: seconds })
    if (!token) return false
    const send = ready && admission.canStartNow() ? ready(url, seconds) : undefined
    if (send) {
      admission.follow(response, name, since)
      recordUse(token.id, addressOf(request), seconds)
      send(response, head)
      return true
    }
    const requestId = newRequestId()
    admission.admit(response, { row: name }, (admitted) => {
      if (!admitted) return sendOverloaded(response, requestId)
      const address = addressOf(request)
      recordUse(token.id, address, seconds)
      const principal: Principal = {
        credentials: { token },
        actor: { kind: 'token', id: token.id },
        headers: {},
        recheck: () => options.recheck({ request, address, scope: row.endpoint.scope, now: now() }),
      }
      // The handler starts one tick later: by then, a body that came in the same packet as the headers has been parsed.
      process.nextTick(serve, { request, response, requestId, admitted: principal } satisfies RequestContext)
    })
    return true
  }
}

/**
 * Returns a function that looks up the cached response for a URL and returns a function to send it; undefined when the
 * query is invalid or the response is not cached.
 */
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

/** The headers that are read when a request is served without the router. `request.headers` would parse all headers. */
interface RequestHead extends Conditions {
  readonly hasBody: boolean
}

function readHead(rawHeaders: readonly string[]): RequestHead {
  let hasBody = false
  let ifNoneMatch: string | undefined
  let acceptEncoding: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    // A header with a shorter name is none of those that are read here: the shortest has 13 characters.
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
