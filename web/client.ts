import type { Body, Endpoint, Query, Returns } from '../src/contract/endpoint.ts'
import type { ErrorEnvelope, WpRestError } from '../src/contract/errors.ts'
import type { PublicApi } from '../src/contract/public-api.ts'

/** Query and body of a request to a route; the query is optional when none of its fields is required. */
export type EndpointRequest<E extends Endpoint> = (Record<never, never> extends Query<E>
  ? { readonly query?: Query<E> }
  : { readonly query: Query<E> }) &
  (E['body'] extends null ? unknown : { readonly body: Body<E> })

/** The body of a successful response of a route. */
export type Success<E extends Endpoint> = { readonly status: 'OK' } & (E['envelope'] extends 'list'
  ? { readonly response: readonly Returns<E>[] }
  : E['envelope'] extends 'response'
    ? { readonly response: Returns<E> }
    : Returns<E>)

/**
 * Thrown for an HTTP response with a status other than 2xx, with its status and body. The body must be JSON: for any
 * other body, parsing throws a `SyntaxError` instead.
 */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorEnvelope | WpRestError

  constructor(status: number, body: ErrorEnvelope | WpRestError) {
    super('error' in body ? body.error : body.message)
    this.name = 'ApiError'
    this.status = status
    this.body = body
  }
}

/** The options of `createClient`. */
export interface ClientOptions {
  /** The API root without a slash at the end, such as `https://book.example/api/v1`. */
  readonly root: string
  /** The API token, sent as a bearer token. It is a secret: never embed it in a page. */
  readonly token: string
}

/** Additional headers of one request, such as `Idempotency-Key`. */
export type CallHeaders = Readonly<Record<string, string>>

/**
 * A function that sends a request to a route of the public API. The route determines the types of request and response.
 * Throws `ApiError` for an error response.
 */
export type Client = <K extends keyof PublicApi>(
  route: K,
  request: EndpointRequest<PublicApi[K]>,
  headers?: CallHeaders,
) => Promise<Success<PublicApi[K]>>

/** Creates a client of the public API for scripts and servers; it requires only the global function `fetch`. */
export function createClient({ root, token }: ClientOptions): Client {
  return async (route, request, headers = {}) => {
    const [method = '', path = ''] = route.split(' ')
    const { query = {}, body }: { query?: object; body?: unknown } = request
    const response = await fetch(`${root}${path}${queryText(query)}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = JSON.parse(await response.text())
    if (!response.ok) throw new ApiError(response.status, answer)
    return answer
  }
}

/**
 * Serialises query parameters with a leading `?`, without undefined values; returns an empty string when no parameter
 * remains.
 */
export function queryText(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
