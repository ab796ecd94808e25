import type { OutboundClient, OutboundRequest, OutboundResponse } from '../../http/outbound/outbound-client.ts'
import { OutboundError } from '../../http/outbound/outbound-error.ts'
import type { AccountSecret } from '../accounts/account.ts'
import { CalendarFault } from '../calendar-fault.ts'
import { maxCalendarBytes } from '../calendar-limits.ts'
import { refuseWhenBusy } from '../server-busy.job.ts'
import { type DavResource, type MultistatusHandlers, MultistatusReader } from './multistatus.ts'

const maxRedirects = 3
const redirects: readonly number[] = [301, 302, 303, 307, 308]

/** The options of a connection to a CalDAV server. */
export interface DavOptions {
  readonly client: OutboundClient
  readonly version: string
  readonly secret: AccountSecret
  /** Milliseconds within which a response of the server must arrive completely. */
  readonly timeout: number
  readonly signal?: AbortSignal | undefined
  /** Returns the current Unix time in seconds. */
  readonly now: () => number
}

/** A request to a CalDAV server. */
export interface DavRequest {
  readonly method: OutboundRequest['method']
  readonly url: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A response of a CalDAV server, with the URL that sent it after redirects. */
export interface DavAnswer extends OutboundResponse {
  readonly url: string
}

/** A multistatus response that was read completely. */
export interface Multistatus {
  readonly url: string
  readonly resources: readonly DavResource[]
  readonly syncToken: string
}

/**
 * Sends the requests of one job to a CalDAV server, with the credentials of the account, through the outbound client,
 * which connects only to public addresses and allowed networks. Throws a `CalendarFault` when there is no response, a
 * redirect is refused, the status is 429 or 503, or the responses exceed `maxCalendarBytes` in all.
 */
export class DavConnection {
  readonly #options: DavOptions
  #bytesLeft = maxCalendarBytes

  constructor(options: DavOptions) {
    this.#options = options
  }

  /** Sends a request and follows redirects; `read` receives the body of a response with status 200 or 207. */
  async send(request: DavRequest, read: (piece: string) => void = () => {}): Promise<DavAnswer> {
    let { url } = request
    for (let count = 0; count <= maxRedirects; count += 1) {
      const response = await this.#sendOnce({ ...request, url }, read)
      const location = [response.headers.location ?? []].flat()[0]
      if (!redirects.includes(response.status) || location === undefined) return { ...response, url }
      if (!URL.canParse(location, url)) throw new CalendarFault('url_invalid')
      const next = new URL(location, url)
      // The password is sent with each request, so a redirect from https to another protocol is refused.
      if (url.startsWith('https:') && next.protocol !== 'https:') throw new CalendarFault('not_https')
      url = next.href
    }
    throw new CalendarFault('too_many_redirects')
  }

  /**
   * Sends a request and reads the multistatus response. Returns undefined when the response has a status in
   * `otherwise`; throws a `CalendarFault` for any other status than 207.
   */
  async multistatus(
    request: DavRequest,
    handlers: Partial<MultistatusHandlers> = {},
    otherwise: readonly number[] = [],
  ): Promise<Multistatus | undefined> {
    const resources: DavResource[] = []
    const reader = new MultistatusReader({ resource: (resource) => resources.push(resource), ...handlers })
    const answer = await this.send(withXml(request), (piece) => reader.push(piece))
    if (otherwise.includes(answer.status)) return undefined
    if (answer.status !== 207) throw faultOf(answer.status)
    reader.end()
    return { url: answer.url, resources, syncToken: reader.syncToken.trim() }
  }

  async #sendOnce(
    { method, url, body, headers }: DavRequest,
    read: (piece: string) => void,
  ): Promise<OutboundResponse> {
    const { client, version, secret, timeout, signal } = this.#options
    const request: OutboundRequest = {
      ...{ method, url, timeout, ...(signal && { signal }), ...(body !== undefined && { body }) },
      headers: {
        authorization: `Basic ${Buffer.from(`${secret.user}:${secret.password}`).toString('base64')}`,
        'user-agent': `Daybook/${version}`,
        ...headers,
      },
    }
    const onText = (piece: string): void => {
      this.#bytesLeft -= piece.length
      if (this.#bytesLeft < 0) throw new CalendarFault('too_large')
      read(piece)
    }
    const response = await client.download(request, { maxBytes: maxCalendarBytes, onText }).catch((error: unknown) => {
      if (error instanceof OutboundError) throw new CalendarFault(error.reason)
      throw error
    })
    refuseWhenBusy(response, this.#options.now())
    return response
  }
}

/** Returns the fault that an HTTP status of a CalDAV server means. */
export function faultOf(status: number): CalendarFault {
  if (status === 401 || status === 403) return new CalendarFault('sign_in_refused')
  if (status === 404 || status === 410) return new CalendarFault('not_found')
  // A server that responds with a web page, or does not support the request method, is not a CalDAV server.
  if ([200, 400, 405, 501].includes(status)) return new CalendarFault('not_a_calendar')
  return new CalendarFault('server_error', String(status))
}

function withXml(request: DavRequest): DavRequest {
  return { ...request, headers: { 'content-type': 'application/xml; charset=utf-8', ...request.headers } }
}
