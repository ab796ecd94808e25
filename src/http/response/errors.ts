import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ErrorEnvelope,
  type ErrorMessages,
  errorEnvelope,
  type RestFailure,
  refusals,
  type WpRestError,
  wpRestError,
} from '../../contract/errors.ts'
import type { Log, LogFields } from '../../db/perform/app.ts'
import { type Message, message } from '../../messages/message.ts'
import { type Details, Refusal } from '../../messages/refusal.ts'
import { sentence } from '../../messages/sentence.ts'
import { type Headers, send } from './response.ts'

/**
 * A refusal in WordPress's error format, raised outside of operations, for example for an invalid token, an unknown
 * route, wrong parameters of a GET or an exceeded rate limit.
 */
export class RestRefusal extends Error {
  readonly failure: RestFailure
  readonly reason: Message
  readonly headers: Headers
  readonly details: Details | undefined
  #tokenId: string | undefined

  /** The id of the API token of the refused request; undefined when no token is known. */
  get tokenId(): string | undefined {
    return this.#tokenId
  }

  constructor(
    failure: RestFailure,
    reason: Message,
    { headers = {}, details }: { readonly headers?: Headers; readonly details?: Details } = {},
  ) {
    super(sentence(reason))
    this.name = 'RestRefusal'
    this.failure = failure
    this.reason = reason
    this.headers = headers
    this.details = details
  }

  /** Sets the id of the API token of the refused request, for the log, and returns the refusal. */
  ofToken(tokenId: string | undefined): this {
    this.#tokenId = tokenId
    return this
  }
}

/**
 * Thrown when the service cannot serve a request now, for example because the database is unavailable or a queue is
 * full; the response is 503. A retry may succeed.
 */
export class Unavailable extends Error {}

/** Returns the refusal of an unknown route or method. */
export function noRoute(): RestRefusal {
  return new RestRefusal({ code: 'rest_no_route', status: 404 }, message('no_route'))
}

/**
 * Returns the refusal (503) of a request that cannot be handled because the maximum number of requests is being
 * handled.
 */
export function overloaded(requestId: string): RestRefusal {
  const failure = { code: 'rest_unavailable', status: 503, data: { requestId } } as const
  return new RestRefusal(failure, message('overloaded'))
}

/** Returns the refusal (429) of a rate limit; `seconds` is sent as `Retry-After`. */
export function tooMany(reason: Message, seconds: number, headers: Headers = {}): RestRefusal {
  const failure = { code: 'rest_too_many_requests', status: 429 } as const
  return new RestRefusal(failure, reason, { headers: { ...headers, 'Retry-After': String(seconds) } })
}

/** The HTML documents that a route sends for failed requests instead of JSON, by HTTP status. */
export type ErrorPages = Readonly<Partial<Record<number, string>>>

/** A failed request with its response. */
export interface ErrorResponse {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The name of the route in logs. The URL is not logged, because it may contain personal data or secrets. */
  readonly route: string
  /** The id of the API token that authenticated the request; absent for a session and before authentication. */
  readonly tokenId?: string | undefined
  /** The headers to send with the response, whatever its status. */
  readonly headers: Headers
  /** The HTML documents to send by status, if the route serves a page; otherwise JSON is sent. */
  readonly pages?: ErrorPages | undefined
}

/** Sends the response to a failed request. */
export type Fail = (error: unknown, failed: ErrorResponse) => void

/** The dependencies of `failing`, which sends the responses to failed requests. */
export interface FailingOptions {
  readonly log: Log
  /** Whether an error of the database is temporary. */
  readonly isUnavailable: (error: unknown) => boolean
  /** Returns the IP address of the client of a request. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Whether the response also contains its messages as codes with parameters, for a client that translates them. */
  readonly localizable: (request: IncomingMessage) => boolean
}

/** Statuses whose refusals are logged with the client's address, so that misuse can be attributed. */
const attributed: ReadonlySet<number> = new Set([401, 403, 429])

/**
 * Returns the function that logs failed requests and sends their error responses. A refusal is logged with code, route
 * and id of the API token, and for 401, 403 and 429 with the client's address; any other error is logged with its stack
 * trace. Nothing is logged or sent once the client has disconnected.
 */
export function failing({ log, isUnavailable, addressOf, localizable }: FailingOptions): Fail {
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
  const answer = (failed: ErrorResponse, { status, headers, body, messages }: FailureAnswer): void => {
    const page = failed.pages?.[status]
    if (page !== undefined) {
      const type = { 'Content-Type': 'text/html; charset=utf-8' }
      send(failed.response, { status, headers: { ...failed.headers, ...headers, ...type }, body: page })
      return
    }
    const whole = localizable(failed.request) ? { ...body, messages } : body
    send(failed.response, { status, headers: { ...failed.headers, ...headers }, body: JSON.stringify(whole) })
  }
  return (error, failed) => {
    const { request, response, requestId, route } = failed
    // The client has disconnected, so no response can be sent. This is not logged, because it is not an error.
    if (response.destroyed || (request.destroyed && !request.complete)) return
    if (error instanceof Refusal) {
      const { code } = error.refused
      logRefusal(failed, refusals[code].status, { code, tokenId: failed.tokenId })
      answer(failed, refusalAnswer(error))
    } else if (error instanceof RestRefusal) {
      const { failure, tokenId = failed.tokenId } = error
      logRefusal(failed, failure.status, { code: reasonOf(failure), tokenId })
      answer(failed, restAnswer(error))
    } else {
      log.error({ requestId, route, fault: traceOf(error) }, 'fault')
      // After an error in the middle of a response, the connection is destroyed, so that the client cannot take a
      // partial list for a complete one.
      if (response.headersSent) response.destroy()
      else {
        const isTemporary = error instanceof Unavailable || isUnavailable(error)
        answer(failed, restAnswer(isTemporary ? unavailable(requestId) : internalError(requestId)))
      }
    }
  }
}

/** The response to a request that failed. */
interface FailureAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: ErrorEnvelope | WpRestError
  readonly messages: ErrorMessages
}

function refusalAnswer({ refused }: Refusal): FailureAnswer {
  const { code, message: error, details } = refused
  return { status: refusals[code].status, headers: {}, body: errorEnvelope(refused), messages: { error, details } }
}

function restAnswer({ failure, headers, reason, details }: RestRefusal): FailureAnswer {
  const body = wpRestError(failure, reason)
  return { status: failure.status, headers, body, messages: { error: reason, details } }
}

function unavailable(requestId: string): RestRefusal {
  const failure = { code: 'rest_unavailable', status: 503, data: { requestId } } as const
  return new RestRefusal(failure, message('unavailable'))
}

function internalError(requestId: string): RestRefusal {
  return new RestRefusal({ code: 'rest_internal_error', status: 500, data: { requestId } }, message('internal_error'))
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function reasonOf(failure: RestFailure): string {
  return 'data' in failure && 'reason' in failure.data ? failure.data.reason : failure.code
}
