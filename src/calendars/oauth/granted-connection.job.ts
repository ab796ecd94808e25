import type { OutboundClient, OutboundRequest, OutboundResponse } from '../../http/outbound/outbound-client.ts'
import { OutboundError } from '../../http/outbound/outbound-error.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { maxCalendarBytes } from '../calendar-limits.ts'
import { refuseWhenBusy } from '../server-busy.job.ts'

/** The options of a connection to a calendar system at which the user signed in (OAuth 2.0). */
export interface GrantedOptions {
  readonly client: OutboundClient
  readonly version: string
  /** The base URL of the calendar system's API. */
  readonly apiUrl: string
  /** Returns an access token for the API. `refused` is a token that the API refused, and is not returned again. */
  readonly accessToken: (refused?: string) => Promise<string>
  /** Milliseconds within which a response of the API must arrive completely. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Returns the current Unix time in seconds. */
  readonly now: () => number
}

/** A request to the JSON API of a calendar system. */
export interface GrantedRequest {
  readonly method: OutboundRequest['method']
  /**
   * The percent-encoded path below the base URL of the API; or a complete URL from an earlier response, which must
   * begin with the base URL and to which `query` is not added.
   */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A response of the JSON API of a calendar system. */
export interface GrantedAnswer {
  readonly status: number
  /** The parsed JSON body of a response with status 2xx; undefined for an empty body and for any other status. */
  readonly body: unknown
}

/**
 * Sends the requests of one job to a JSON API with OAuth 2.0. Besides unexpected statuses, `send` reports with a
 * `CalendarFault` a missing response, invalid JSON, a failure to get an access token, and responses with status 200
 * that exceed `maxCalendarBytes` in all.
 */
export class GrantedConnection {
  readonly #options: GrantedOptions
  #bytesLeft = maxCalendarBytes

  constructor(options: GrantedOptions) {
    this.#options = options
  }

  /** Sends a request; throws a `CalendarFault` when the status is 429 or 503, or neither 2xx nor one of `expected`. */
  async send(request: GrantedRequest, expected: readonly number[] = []): Promise<GrantedAnswer> {
    const { accessToken } = this.#options
    const token = await accessToken()
    let answer = await this.#sendOnce(request, token)
    // An access token can be revoked before its expiry, for example when the user signs out everywhere, so a new one is
    // requested once.
    if (answer.status === 401) answer = await this.#sendOnce(request, await accessToken(token))
    const { status, text } = answer
    refuseWhenBusy(answer, this.#options.now())
    if (status >= 200 && status <= 299) return { status, body: text === '' ? undefined : parsed(text) }
    if (expected.includes(status)) return { status, body: undefined }
    throw faultOf(status, text)
  }

  async #sendOnce(
    { method, path, query = {}, body, headers }: GrantedRequest,
    token: string,
  ): Promise<Pick<OutboundResponse, 'status' | 'headers'> & { readonly text: string }> {
    const { client, version, apiUrl, timeout, signal } = this.#options
    const request: OutboundRequest = {
      method,
      url: addressOf(apiUrl, path, query),
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': `Daybook/${version}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      timeout,
      ...(signal && { signal }),
    }
    const pieces: string[] = []
    const onText = (piece: string): void => {
      this.#bytesLeft -= piece.length
      if (this.#bytesLeft < 0) throw new CalendarFault('too_large')
      pieces.push(piece)
    }
    const response = await client.download(request, { maxBytes: maxCalendarBytes, onText }).catch((error: unknown) => {
      if (error instanceof OutboundError) throw new CalendarFault(error.reason)
      throw error
    })
    const { status, headers: received } = response
    return { status, headers: received, text: response.body || pieces.join('') }
  }
}

/** Returns the URL of a request. The access token is sent with the request, so a URL outside of the API is refused. */
function addressOf(apiUrl: string, path: string, query: Readonly<Record<string, string>>): string {
  if (!path.startsWith('/')) {
    if (!path.startsWith(`${apiUrl}/`)) throw new CalendarFault('malformed')
    return path
  }
  const text = String(new URLSearchParams(query))
  return text === '' ? apiUrl + path : `${apiUrl}${path}?${text}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CalendarFault('malformed')
  }
}

const limits = /"reason":\s*"(?:rateLimitExceeded|userRateLimitExceeded|quotaExceeded|dailyLimitExceeded)"/

function faultOf(status: number, text: string): CalendarFault {
  if (status === 403 && limits.test(text)) return new CalendarFault('server_error', '429')
  if (status === 401 || status === 403) return new CalendarFault('sign_in_refused')
  if (status === 404) return new CalendarFault('not_found')
  return new CalendarFault('server_error', String(status))
}
