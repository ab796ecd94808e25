import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { type AllowedNetworks, isAllowed, isPublic } from './address.ts'
import { OutboundError } from './outbound-error.ts'

/** The options of the HTTP client for requests to other systems. */
export interface OutboundOptions {
  /** Networks that may be reached although they are not public, also over plain http. */
  readonly allowed: AllowedNetworks
  /** Resolves host names; the resolver of the operating system when absent. */
  readonly lookup?: LookupFunction
}

/** One request to another system. */
export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'PROPFIND' | 'REPORT'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The timeout in milliseconds, from sending until the response has arrived completely. */
  readonly timeout: number
  readonly signal?: AbortSignal
}

/** The response of another system. */
export interface OutboundResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The first `maxResponseBytes` of the response as text; empty when `download` has passed the body to `onText`. */
  readonly body: string
}

const maxHeaderBytes = 16 * 1024
const connectMilliseconds = 5_000
/**
 * The maximum size in bytes of a body that is returned as text. A longer body is truncated, and its connection is
 * closed.
 */
const maxResponseBytes = 64 * 1024

/**
 * The HTTP client for URLs that users enter, protected against server-side request forgery. Apart from the networks in
 * `allowed`, it reaches only the public internet and only over https: it checks the address in the URL, every address
 * to which a name resolves, and the address of the connected socket. Redirects are not followed; size and time are
 * limited. Throws an `OutboundError` when there is no response.
 */
export class OutboundClient {
  readonly #allowed: AllowedNetworks
  readonly #lookup: LookupFunction
  #agent: Promise<Agent> | undefined

  constructor({ allowed, lookup = systemLookup }: OutboundOptions) {
    this.#allowed = allowed
    this.#lookup = sharedLookup(lookup)
  }

  /** Sends a request; resolves to the status, the headers and the first `maxResponseBytes` of the body. */
  send(request: OutboundRequest): Promise<OutboundResponse> {
    return this.#request(request, (_, body) => start(body))
  }

  async #request(
    { url, method, headers, body, timeout, signal }: OutboundRequest,
    read: (status: number, body: Dispatcher.ResponseData['body']) => Promise<string>,
  ): Promise<OutboundResponse> {
    const target = this.parse(url)
    this.#agent ??= this.#open()
    const agent = await this.#agent
    const limit = AbortSignal.timeout(timeout)
    const { origin, pathname, search } = target
    try {
      const response = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method,
        headers,
        ...(body !== undefined && { body }),
        headersTimeout: timeout,
        bodyTimeout: timeout,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      const { statusCode: status, headers: received } = response
      return { status, headers: received, body: await read(status, response.body) }
    } catch (error) {
      throw OutboundError.of(error, { timedOut: limit.aborted })
    }
  }

  /**
   * Sends a request and passes the body of a response with status 200 or 207 to `onText` as it arrives. Throws an
   * `OutboundError` with the reason `too_large` when that body exceeds `maxBytes` bytes. For other statuses, the first
   * `maxResponseBytes` are returned as `body`. An error thrown by `onText` ends the transfer and is thrown unchanged.
   */
  async download(
    request: OutboundRequest,
    { maxBytes, onText }: { readonly maxBytes: number; readonly onText: (piece: string) => void },
  ): Promise<OutboundResponse> {
    let failure: { readonly error: unknown } | undefined
    const response = await this.#request(request, async (status, body) => {
      if (status !== 200 && status !== 207) return start(body)
      const decoder = new TextDecoder()
      let size = 0
      for await (const chunk of body) {
        size += chunk.length
        if (size > maxBytes) throw new OutboundError('too_large')
        failure = failureOf(() => onText(decoder.decode(chunk, { stream: true })))
        if (failure) return ''
      }
      failure = failureOf(() => onText(decoder.decode()))
      return ''
    })
    if (failure) throw failure.error
    return response
  }

  /**
   * Parses and validates a URL without connecting: the scheme is http or https and permitted, there are no credentials,
   * and an IP address as host is permitted. Throws an `OutboundError` for any other URL.
   */
  parse(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new OutboundError('url_invalid')
    if (url.username !== '' || url.password !== '') throw new OutboundError('url_invalid')
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    // The URL parser has normalised hexadecimal, octal and short spellings of an IPv4 address.
    const fault = isIP(literal) === 0 ? undefined : this.#faultAt(literal, url.protocol)
    if (fault) throw fault
    if (url.protocol === 'http:' && this.#allowed.length === 0) throw new OutboundError('not_https')
    return url
  }

  /** Whether `parse` accepts a URL. */
  accepts(text: string): boolean {
    try {
      this.parse(text)
      return true
    } catch {
      return false
    }
  }

  /** Closes all connections of the client at once, including those with a request in progress. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy()
  }

  async #open(): Promise<Agent> {
    // `undici` is loaded on demand: it takes 8 MB of memory, and most installations send no outbound requests.
    const { Agent, buildConnector } = await import('undici')
    return new Agent({
      connect: this.#connector(buildConnector, this.#lookup),
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: 10_000,
      pipelining: 1,
    })
  }

  #faultAt(address: string, protocol: string): OutboundError | undefined {
    if (isAllowed(address, this.#allowed)) return undefined
    if (!isPublic(address)) return new OutboundError('address_not_public')
    return protocol === 'https:' ? undefined : new OutboundError('not_https')
  }

  #connector(build: typeof buildConnector, lookup: LookupFunction): buildConnector.connector {
    return (options, callback) => {
      const { protocol } = options
      const connect = build({
        timeout: connectMilliseconds,
        maxCachedSessions: 100,
        lookup: this.#checkedLookup(lookup, protocol),
      })
      connect(options, (error, socket) => {
        if (error) {
          callback(error, null)
          return
        }
        const fault = this.#faultAt(socket.remoteAddress ?? '', protocol)
        if (!fault) {
          callback(null, socket)
          return
        }
        socket.destroy()
        callback(fault, null)
      })
    }
  }

  /** Returns a lookup function that resolves a name only when all of its addresses are permitted. */
  #checkedLookup(lookup: LookupFunction, protocol: string): LookupFunction {
    return (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found
        const [first] = addresses ?? []
        if (error || !first) {
          callback(error ?? new OutboundError('name_not_resolved'), '')
          return
        }
        const faults = addresses.map(({ address }) => this.#faultAt(address, protocol))
        const fault = faults.find((one) => one !== undefined)
        if (fault) callback(fault, '')
        else if (options.all) callback(null, addresses)
        else callback(null, first.address, first.family)
      })
    }
  }
}

/**
 * Returns a lookup function that resolves a host name once for all connections that need it at the same time. The
 * resolver of the operating system occupies a thread of a small pool until it answers, so that the lookups of one name
 * whose server never answers would otherwise delay those of all other names.
 */
function sharedLookup(lookup: LookupFunction): LookupFunction {
  const waiting = new Map<string, Parameters<LookupFunction>[2][]>()
  return (hostname, options, callback) => {
    const key = JSON.stringify([hostname, options])
    const known = waiting.get(key)
    if (known) {
      known.push(callback)
      return
    }
    const callbacks = [callback]
    waiting.set(key, callbacks)
    lookup(hostname, options, (...result) => {
      waiting.delete(key)
      for (const resolve of callbacks) resolve(...result)
    })
  }
}

/** Calls `work` and returns the error that it throws; undefined when it throws none. */
function failureOf(work: () => void): { readonly error: unknown } | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return { error }
  }
}

/** Reads the first `maxResponseBytes` of a body and closes the connection when more follows. */
async function start(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > maxResponseBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxResponseBytes).toString('utf8')
}
