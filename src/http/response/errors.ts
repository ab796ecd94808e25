import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorEnvelope, type RestFailure, refusals, wpRestError } from '../../contract/errors.ts'
import type { Log, LogFields } from '../../db/perform/app.ts'
import { Refusal } from '../../messages/refusal.ts'
import { type Headers, send } from './response.ts'

/** A refusal outside of the operations: token, scope, route, parameters of a GET, rate limit. */
export class RestRefusal extends Error {
  readonly failure: RestFailure
  readonly headers: Headers
  #tokenId: string | undefined

  /** The id of the request's token, where known. */
  get tokenId(): string | undefined {
    return this.#tokenId
  }

  constructor(failure: RestFailure, message: string, headers: Headers = {}) {
    super(message)
    this.name = 'RestRefusal'
    this.failure = failure
    this.headers = headers
  }

  /** Attaches the id of the refused token, for the log. */
  ofToken(tokenId: string | undefined): this {
    this.#tokenId = tokenId
    return this
  }
}

/** The storage cannot serve the request now; a retry may succeed. */
export class Unavailable extends Error {}

/** Returns the refusal of an unknown route or method. */
export function noRoute(): RestRefusal {
  return new RestRefusal({ code: 'rest_no_route', status: 404 }, 'No route matches this address and method.')
}

/** The message for a request that finds no free slot. */
export const overloadedMessage = 'Too many requests are being worked on; try again in a moment.'

/** Returns the refusal of a request that finds no free slot. */
export function overloaded(requestId: string): RestRefusal {
  return new RestRefusal({ code: 'rest_unavailable', status: 503, data: { requestId } }, overloadedMessage, {
    'Retry-After': '1',
  })
}

/** Returns the refusal of a rate limit; `seconds` is the time to wait. */
export function tooMany(message: string, seconds: number, headers: Headers = {}): RestRefusal {
  const failure = { code: 'rest_too_many_requests', status: 429 } as const
  return new RestRefusal(failure, message, { ...headers, 'Retry-After': String(seconds) })
}

/** A failed request with its response. */
export interface ErrorResponse {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The key of the row; the URL is not logged. */
  readonly route: string
  /** The id of the token that authenticated the request. */
  readonly tokenId?: string | undefined
  /** Headers of the response, whatever its status. */
  readonly headers: Headers
}

/** Sends the response to a failed request. */
export type Fail = (error: unknown, failed: ErrorResponse) => void

/** The dependencies of `failing`. */
export interface FailingOptions {
  readonly log: Log
  /** Whether an error of the storage is temporary. */
  readonly isUnavailable: (error: unknown) => boolean
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string
}

/** Statuses whose refusals are logged with the client's address, so that misuse can be attributed. */
const attributed: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * Returns the function that answers failed requests as the contract declares. A refusal is logged by code, route and
 * token, with the client's address where access was refused; a fault is logged once with all details.
 */
export function failing({ log, isUnavailable, addressOf }: FailingOptions): Fail {
  const logRefusal = (
    failed: ErrorResponse,
    status: number,
    { code, tokenId }: Pick<LogFields, 'code' | 'tokenId'>,
  ): void => {
    const { request, requestId, route } = failed
    const address = attributed.has(status) ? addressOf(request) : undefined
    const token = tokenId === undefined ? {} : { tokenId }
    log.info({ requestId, route, code, ...token, ...(address !== undefined && { address }) }, 'refused')
  }
  return (error, failed) => {
    const { request, response, requestId, route } = failed
    // The client has disconnected; this is not an error.
    if (response.destroyed || (request.destroyed && !request.complete)) return
    if (error instanceof Refusal) {
      const { code } = error.refused
      logRefusal(failed, refusals[code].status, { code, tokenId: failed.tokenId })
      sendRefusal(error, failed)
    } else if (error instanceof RestRefusal) {
      const { failure, tokenId = failed.tokenId } = error
      logRefusal(failed, failure.status, { code: reasonOf(failure), tokenId })
      sendRest(failed, error.failure, error)
    } else {
      log.error({ requestId, route, fault: traceOf(error) }, 'fault')
      // A partial list must not end like a complete one.
      if (response.headersSent) response.destroy()
      else sendFault(failed, error instanceof Unavailable || isUnavailable(error))
    }
  }
}

function sendRefusal({ refused }: Refusal, { response, headers }: ErrorResponse): void {
  const body = JSON.stringify(errorEnvelope(refused))
  send(response, { status: refusals[refused.code].status, headers, body })
}

function sendFault(failed: ErrorResponse, unavailable: boolean): void {
  const data = { requestId: failed.requestId }
  if (unavailable) {
    const message = 'The service cannot do this right now; try again in a moment.'
    const more = { message, headers: { 'Retry-After': '1' } }
    sendRest(failed, { code: 'rest_unavailable', status: 503, data }, more)
  } else {
    const message = 'Something went wrong on our side; when you report it, name the request id.'
    sendRest(failed, { code: 'rest_internal_error', status: 500, data }, { message, headers: {} })
  }
}

function sendRest(failed: ErrorResponse, failure: RestFailure, more: { message: string; headers: Headers }): void {
  const body = JSON.stringify(wpRestError(failure, more.message))
  send(failed.response, { status: failure.status, headers: { ...failed.headers, ...more.headers }, body })
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function reasonOf(failure: RestFailure): string {
  return 'data' in failure && 'reason' in failure.data ? failure.data.reason : failure.code
}
