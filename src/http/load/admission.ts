import type { ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wpRestError } from '../../contract/errors.ts'
import { message } from '../../messages/message.ts'
import { networkOf } from '../network.ts'
import { type ErrorPages, tooMany } from '../response/errors.ts'
import { send } from '../response/response.ts'
import { type AdmissionCallback, LoadShedder } from './load-shedder.ts'
import { OpenCounts } from './open-counts.ts'

/** Receives notifications about ended and shed requests. */
export interface Observer {
  /**
   * Called when a request has ended. `route` is its name, such as `GET /services/get/`, undefined for an unknown route;
   * `status` is 0 when the client disconnected before the response was sent; `seconds` is the duration.
   */
  answered(route: string | undefined, status: number, seconds: number): void
  /** Called when a request was shed because of overload, except when no slot was free after its body had arrived. */
  shed(): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether requests to the route are never shed and hold no admission slot, as those of health checks. */
    exempt?: true
    /**
     * Whether the route is served without authentication. Its requests, like those to unknown routes, count towards the
     * limit of the client's network (`maxOpenPerClient`).
     */
    open?: boolean
    /**
     * The HTML documents to send for failed requests to the route, by HTTP status; for other statuses, JSON is sent.
     */
    errorPages?: ErrorPages
  }
}

/** Milliseconds between two checks in which a stopping server looks for new requests. */
const checkInterval = 10
/**
 * Consecutive checks without a request after which a stopping server closes idle connections. Checks are counted, not
 * milliseconds: after a stall of the event loop, requests that arrived during it are read before the next check.
 */
const idleChecks = 25
/**
 * Milliseconds since the arrival of the last request after which a stopping server that has no request in progress also
 * closes connections with incomplete requests.
 */
const abandonedDelay = 1_000

/**
 * Limit of requests in flight to unknown routes and routes without authentication, per client network (see
 * `networkOf`).
 */
const maxOpenPerClient = 64

/**
 * The share of all slots that requests to unknown routes and routes without authentication can hold, so that clients
 * with many addresses leave slots to authenticated requests.
 */
const maxOpenShare = 1 / 2

/**
 * Admission control: a request is admitted while fewer than `maxRequests` requests hold a slot, unless the load shedder
 * sheds it; one to an unknown route or a route without authentication only while such requests hold less than their
 * share (`maxOpenShare`). Requests to exempt routes, such as health checks, are always admitted and hold no slot, so
 * that they cannot take the slots of other requests. Any other request holds a slot while it is queued or handled,
 * until its response is complete in memory. It holds none while its body arrives or while a complete response is sent,
 * since slow clients can prolong both. Every request that is not shed is tracked until it has ended.
 */
export class Admission {
  /** The responses of requests that were admitted or queued in `admit` and have not ended. */
  readonly #unfinished = new Set<ServerResponse>()
  /** The responses of requests that hold an admission slot. */
  readonly #working = new Set<ServerResponse>()
  /** The responses of all requests to unknown routes and routes without authentication. */
  readonly #unauthenticated = new WeakSet<ServerResponse>()
  /** The number of responses in both `#working` and `#unauthenticated`. */
  #unauthenticatedWorking = 0
  /**
   * The number of requests in flight to routes without authentication and to unknown routes, by client network (see
   * `networkOf`).
   */
  readonly #openOf = new OpenCounts()
  readonly #shedder = new LoadShedder()
  readonly #maxRequests: number
  readonly #observer: Observer
  #stopping = false
  #lastAt = 0

  constructor(maxRequests: number, observer: Observer) {
    this.#maxRequests = maxRequests
    this.#observer = observer
  }

  /** The number of requests that hold an admission slot. */
  get inFlight(): number {
    return this.#working.size
  }

  /** Releases the slot of a request until `resume`, while its body arrives. */
  suspend(response: ServerResponse): void {
    this.#release(response)
  }

  /**
   * Acquires a slot again after `suspend`. Returns false when no slot is free; returns true, without a slot, when the
   * client has disconnected.
   */
  resume(response: ServerResponse): boolean {
    if (response.destroyed) return true
    if (!this.#hasSlotFor(response)) return false
    this.#acquire(response)
    return true
  }

  get #hasSlot(): boolean {
    return this.#working.size < this.#maxRequests
  }

  #hasSlotFor(response: ServerResponse): boolean {
    if (!this.#unauthenticated.has(response)) return this.#hasSlot
    return this.#hasSlot && this.#unauthenticatedWorking < this.#maxRequests * maxOpenShare
  }

  #acquire(response: ServerResponse): void {
    this.#working.add(response)
    if (this.#unauthenticated.has(response)) this.#unauthenticatedWorking += 1
  }

  #release(response: ServerResponse): void {
    if (this.#working.delete(response) && this.#unauthenticated.has(response)) this.#unauthenticatedWorking -= 1
  }

  /**
   * Whether a cached response can be sent at once: the server is not stopping, a slot is free, no request is queued,
   * and the current turn of the event loop is short so far. If so, the response counts as work begun in this turn.
   */
  canStartNow(): boolean {
    return !this.#stopping && this.#hasSlot && this.#shedder.share()
  }

  /**
   * Sheds a request (503) and returns true if no slot is free or the queue is full; returns false otherwise. Callers
   * call this before they authenticate the request, since shedding must cost next to nothing.
   */
  shedIfOverloaded(response: ServerResponse, row: string, newRequestId: () => string): boolean {
    if (this.#hasSlot && !this.#shedder.full) return false
    this.#lastAt = performance.now()
    if (this.#stopping) response.setHeader('Connection', 'close')
    this.#observer.shed()
    this.#observer.answered(row, overloadedStatus, 0)
    sendOverloaded(response, newRequestId())
    return true
  }

  /**
   * Tracks a request until it has ended, then notifies the observer; `since` is the time of its arrival in milliseconds
   * of `performance.now()`.
   */
  follow(response: ServerResponse, row: string | undefined, since: number): void {
    this.#lastAt = since
    response.on('close', () => {
      this.#unfinished.delete(response)
      this.#release(response)
      const status = response.writableFinished ? response.statusCode : 0
      this.#observer.answered(row, status, (performance.now() - since) / 1000)
    })
  }

  /**
   * Queues a request and calls `go` once: with true when the request may begin, with false when it is shed. `go` is not
   * called if the client disconnects before that.
   */
  admit(response: ServerResponse, { row, exempt, open = false }: FastifyContextConfig, go: AdmissionCallback): void {
    if (open) this.#unauthenticated.add(response)
    const room = this.#hasSlotFor(response)
    if (this.#stopping) response.setHeader('Connection', 'close')
    if (room || exempt) this.#unfinished.add(response)
    if (room && !exempt) {
      this.#acquire(response)
      // The slot is released on `prefinish`, when the response is complete in memory: sending it depends on the client.
      response.once('prefinish', () => this.#release(response))
    }
    this.follow(response, row, performance.now())
    const settle = (admitted: boolean): void => {
      // The client has disconnected while the request was queued, so no response is needed.
      if (response.destroyed) return
      if (!admitted) this.#observer.shed()
      go(admitted)
    }
    if (exempt) go(true)
    else if (room) this.#shedder.enter(settle, { open })
    else settle(false)
  }

  /**
   * The Fastify hook that runs before authentication. It lets a request continue once the request is admitted. It
   * refuses a request beyond the limit of its client's network with 429, and a request that is shed with 503.
   */
  readonly hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { config } = request.routeOptions
    const open = config.open === true || request.is404
    // The client's limit is checked before the request is queued, so that requests beyond it cost as little as
    // possible.
    if (open && !this.#countOpen(networkOf(request.ip), reply.raw)) {
      this.follow(reply.raw, config.row, performance.now())
      done(tooMany(message('too_many_in_flight'), 1))
      return
    }
    this.admit(reply.raw, { ...config, open }, (admitted) => {
      if (admitted) {
        done()
      } else {
        reply.hijack()
        sendOverloaded(reply.raw, request.id, config.errorPages?.[503])
      }
    })
  }

  /**
   * Counts a request to a route without authentication, or to an unknown route, until the request has ended. Returns
   * false, without counting, when `maxOpenPerClient` requests of the client's network are in flight.
   */
  #countOpen(client: string, response: ServerResponse): boolean {
    if (!this.#openOf.add(client, maxOpenPerClient)) return false
    response.once('close', () => this.#openOf.remove(client))
    return true
  }

  /**
   * Shuts the server down gracefully: stops accepting connections, answers requests on open connections with
   * `Connection: close`, and closes idle connections. After `grace` milliseconds all connections are closed.
   */
  async close(fastify: FastifyInstance, grace: number): Promise<void> {
    const { server } = fastify
    const until = performance.now() + grace
    this.#stopping = true
    for (const response of this.#unfinished) if (!response.headersSent) response.setHeader('Connection', 'close')
    // Calls the method of `net.Server`: that of `http.Server` would also close idle connections, on which requests may
    // have arrived that the server has not read yet.
    Server.prototype.close.call(server)
    this.#lastAt = performance.now()
    let idle = 0
    while (performance.now() < until && (this.#unfinished.size > 0 || idle < idleChecks)) {
      const lastAt = this.#lastAt
      await pause(checkInterval)
      idle = this.#lastAt === lastAt ? idle + 1 : 0
    }
    const late = setTimeout(() => server.closeAllConnections(), until - performance.now())
    // `fastify.close` closes only the connections that are idle when it is called. A connection whose response is still
    // being sent becomes idle later, and one with a partial request never becomes idle.
    const closing = setInterval(() => {
      const abandoned = this.#unfinished.size === 0 && performance.now() - this.#lastAt > abandonedDelay
      if (abandoned) server.closeAllConnections()
      else server.closeIdleConnections()
    }, 50)
    await fastify.close()
    clearInterval(closing)
    clearTimeout(late)
  }
}

const overloadedStatus = 503
const overloadedPageHeaders = { 'Content-Type': 'text/html; charset=utf-8' }
/** The JSON of the overload response before the request id, and after it. */
const [beforeId = '', afterId = ''] = JSON.stringify(
  wpRestError({ code: 'rest_unavailable', status: overloadedStatus, data: { requestId: ' ' } }, message('overloaded')),
).split('" "')

/** Sends 503 to a shed request without creating an error or a log line, since shedding must cost next to nothing. */
export function sendOverloaded(response: ServerResponse, requestId: string, page?: string): void {
  if (page !== undefined) {
    send(response, { status: overloadedStatus, headers: overloadedPageHeaders, body: page })
    return
  }
  send(response, { status: overloadedStatus, headers: {}, body: `${beforeId}"${requestId}"${afterId}` })
}
