import type { Query, Returns } from '../../../src/contract/endpoint.ts'
import type { PanelApi } from '../../../src/contract/panel-api.ts'
import { ApiError, type EndpointRequest, queryText } from '../../client.ts'
import { needsReauthentication, requestReauthentication } from './reauthentication.ts'

/** A route of the panel's API, such as `GET /users/`. */
export type PanelRoute = keyof PanelApi

/** A `GET` route that returns JSON, not a file or the event stream. */
export type ReadRoute = {
  [K in PanelRoute]: K extends `GET ${string}` ? (PanelApi[K]['envelope'] extends 'file' | 'live' ? never : K) : never
}[PanelRoute]

/**
 * A route with another method than `GET`. Most of these routes change data. The others only return data, such as the
 * preview of a change or the result of a query in the request body (`useLookup`).
 */
export type WriteRoute = Exclude<PanelRoute, `GET ${string}`>

/**
 * The response of a route; for a route that returns a list or a stream, one item of the list or one message of the
 * stream.
 */
export type Item<K extends PanelRoute> = Returns<PanelApi[K]>

/** One page of a list, with the total number of items. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly total: number
}

// These tables are mapped types, so that the compiler resolves the types of each route once; it would resolve
// conditional types at every use.
type QueryTable = { readonly [K in PanelRoute]: Query<PanelApi[K]> }
type RequestTable = { readonly [K in PanelRoute]: EndpointRequest<PanelApi[K]> }
type ResponseTable = {
  readonly [K in PanelRoute]: PanelApi[K]['envelope'] extends 'list' ? ListPage<Item<K>> : Item<K>
}

/** The query parameters of a route. */
export type PanelRouteQuery<K extends PanelRoute> = QueryTable[K]

/** Query parameters and body of a request. */
export type PanelRouteRequest<K extends PanelRoute> = RequestTable[K]

/** The response of a route; a `ListPage` where the route returns a list. */
export type PanelResponse<K extends PanelRoute> = ResponseTable[K]

/** The root path of the panel's API. */
export const panelApiRoot = '/admin/api'

/**
 * Sends a request to the panel's API. Rejects with `ApiError` for every JSON response that is not a success, and with
 * `TypeError` when there is no response.
 */
export function request<K extends PanelRoute>(
  route: K,
  request: PanelRouteRequest<K>,
  signal?: AbortSignal,
): Promise<PanelResponse<K>> {
  return requestUntyped(route, request, signal)
}

/**
 * Sends a request like `request`, which the service performs once: for 24 hours, a request with the same key gets the
 * response to the first one, and must have the same body.
 */
export function requestOnce<K extends WriteRoute>(
  route: K,
  request: PanelRouteRequest<K>,
  idempotencyKey: string,
): Promise<PanelResponse<K>> {
  return requestUntyped(route, { ...request, idempotencyKey })
}

/** Query parameters, body and idempotency key of a request, without the types of a particular route. */
export interface UntypedRequest {
  readonly query?: object
  readonly body?: unknown
  readonly idempotencyKey?: string
}

/**
 * Sends a request like `request`, without the types of a particular route. The response is not validated, since panel
 * and service have the same version. When the service requires recent authentication, the user is asked to confirm
 * their identity, and the request is repeated after the confirmation.
 */
export async function requestUntyped(route: string, request: UntypedRequest, signal?: AbortSignal) {
  const sent = await send(route, request, signal)
  // A request refused with 401 is repeated once: a confirmation of identity in another tab may have rotated the session
  // cookie, and the refused request changed nothing.
  const first = sent.response.status === 401 ? await send(route, request, signal) : sent
  const mustReauthenticate = !first.response.ok && needsReauthentication(first.response.status, first.answer)
  const { response, answer } =
    mustReauthenticate && (await requestReauthentication()) ? await send(route, request, signal) : first
  if (!response.ok) throw new ApiError(response.status, answer)
  const data = 'response' in answer ? answer.response : answer
  const total = response.headers.get('X-WP-Total')
  return total === null ? data : Object.assign(answer, { items: data, total: Number(total) })
}

async function send(route: string, request: UntypedRequest, signal?: AbortSignal) {
  const [method = '', path = ''] = route.split(' ')
  const { query = {}, body, idempotencyKey } = request
  const response = await fetch(`${panelApiRoot}${path}${queryText(query)}`, {
    method,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { response, answer: JSON.parse(await response.text()) }
}
