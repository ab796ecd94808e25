import type { Body, Endpoint, Query, Returns } from '../src/contract/endpoint.ts'
import type { ErrorEnvelope, WpRestError } from '../src/contract/errors.ts'
import type { PublicApi } from '../src/contract/public-api.ts'

/** Query and body as the row wants them; each may be left out where nothing in it is required. */
export type Ask<E extends Endpoint> = (Record<never, never> extends Query<E>
  ? { readonly query?: Query<E> }
  : { readonly query: Query<E> }) &
  (E['body'] extends null ? unknown : { readonly body: Body<E> })

/** The body of a success. */
export type Success<E extends Endpoint> = { readonly status: 'OK' } & (E['answer'] extends 'list'
  ? { readonly response: readonly Returns<E>[] }
  : E['answer'] extends 'response'
    ? { readonly response: Returns<E> }
    : Returns<E>)

/** Thrown for every answer that is no success. */
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

export interface ClientOptions {
  /** The API root, e.g. `https://book.example/api/v1`. */
  readonly root: string
  /** Keep it out of pages: whoever reads the page reads the token. */
  readonly token: string
}

/** More headers of one call, such as `Idempotency-Key`. */
export type CallHeaders = Readonly<Record<string, string>>

/** Calls one row of the contract, typed as the contract says. */
export type Client = <K extends keyof PublicApi>(
  row: K,
  ask: Ask<PublicApi[K]>,
  headers?: CallHeaders,
) => Promise<Success<PublicApi[K]>>

/** A client of the API for scripts and servers; needs nothing but `fetch`. */
export function createClient({ root, token }: ClientOptions): Client {
  return async (row, ask, headers = {}) => {
    const [method = '', path = ''] = row.split(' ')
    const { query = {}, body }: { query?: object; body?: unknown } = ask
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

/** The query as it stands in an address, with its `?`; nothing where nothing is asked. */
export function queryText(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}
