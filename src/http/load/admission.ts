import type { ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wpRestError } from '../../contract/errors.ts'
import { message } from '../../messages/message.ts'
import { networkOf } from '../network.ts'
import { tooMany } from '../response/errors.ts'
import { send } from '../response/response.ts'
import { type Grant, LoadShedder } from './load-shedder.ts'
import { OpenCounts } from './open-counts.ts'

/** Hears what becomes of requests. */
export interface Observer {
  /** One is over; `route` is `METHOD /path/`, undefined where none is; status 0 when nobody was answered. */
  answered(route: string | undefined, status: number, seconds: number): void
  /** One was turned away because too many were there. */
  shed(): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered at once however many requests are there: it asks how the service is. */
    atOnce?: true
    /** Served without authentication, as is what no route matches: counts towards what one client address may have in flight. */
    open?: boolean
  }
}

/** Milliseconds without a request after which a stopping service takes the connections that are left for idle. */
const quiet = 100
/** After these, what has not arrived whole is taken for something that never will. */
const silent = 1_000

/** Unauthenticated requests that one client address may have in flight. */
const maxOpenPerClient = 64

/**
 * Admits requests in their turn, `maxRequests` at once, and follows each to its end. A request holds one of these slots while the
 * service works on it: neither while its body arrives, which a slow client draws out, nor while its response is sent.
 */
export class Admission {
  /** Requests that are not closed yet. */
  readonly #open = new Set<ServerResponse>()
  /** Requests that hold a slot. */
  readonly #working = new Set<ServerResponse>()
  /** Unauthenticated requests in flight, by the network of the client. */
  readonly #openOf = new OpenCounts()
  readonly #shedder = new LoadShedder()
  readonly #most: number
  readonly #observer: Observer
  #stopping = false
  #lastAt = 0

  constructor(most: number, observer: Observer) {
    this.#most = most
    this.#observer = observer
  }

  /** Requests being worked on. */
  get inFlight(): number {
    return this.#working.size
  }

  /** Gives a request's slot back, until `resume`: its body has not arrived yet. */
  suspend(response: ServerResponse): void {
    this.#working.delete(response)
  }

  /** Takes a slot again; false when there is none. */
  resume(response: ServerResponse): boolean {
    if (response.destroyed) return true
    if (!this.#hasSlot) return false
    this.#working.add(response)
    return true
  }

  get #hasSlot(): boolean {
    return this.#working.size < this.#most
  }

  /** Whether what is ready may be answered at once: nobody waits, and the turn is young. */
  hasRoomNow(): boolean {
    return !this.#stopping && this.#hasSlot && this.#shedder.share()
  }

  /** Turns a request away if it would be, before anything else is looked at: that must cost next to nothing. */
  turnsAway(response: ServerResponse, row: string, newRequestId: () => string): boolean {
    if (this.#hasSlot && !this.#shedder.full) return false
    this.#lastAt = performance.now()
    if (this.#stopping) response.setHeader('Connection', 'close')
    this.#observer.shed()
    this.#observer.answered(row, laterStatus, 0)
    sendLater(response, newRequestId())
    return true
  }

  /** Sees the request to its end, and tells of it; `since` is when it came. */
  follow(response: ServerResponse, row: string | undefined, since: number): void {
    this.#lastAt = since
    response.on('close', () => {
      this.#open.delete(response)
      this.#working.delete(response)
      const status = response.writableFinished ? response.statusCode : 0
      this.#observer.answered(row, status, (performance.now() - since) / 1000)
    })
  }

  /** Takes a request in and tells when its turn has come, or that it is turned away; a client that left hears nothing. */
  admit(response: ServerResponse, { row, atOnce, open = false }: FastifyContextConfig, go: Grant): void {
    const room = this.#hasSlot
    if (this.#stopping) response.setHeader('Connection', 'close')
    if (room || atOnce) {
      this.#open.add(response)
      this.#working.add(response)
      // Emitted when the response is complete in memory; sending it takes as long as its client likes.
      response.once('prefinish', () => this.#working.delete(response))
    }
    this.follow(response, row, performance.now())
    const tell = (admitted: boolean): void => {
      // Nobody is left to be answered.
      if (response.destroyed) return
      if (!admitted) this.#observer.shed()
      go(admitted)
    }
    if (atOnce) go(true)
    else if (room) this.#shedder.enter(tell, { open })
    else tell(false)
  }

  /** The first hook of every request. */
  readonly hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { config } = request.routeOptions
    // Before it queues: what one client sends beyond its share costs as little as possible.
    if ((config.open === true || request.is404) && !this.#countOpen(networkOf(request.ip), reply.raw)) {
      this.follow(reply.raw, config.row, performance.now())
      done(tooMany(message('too_many_in_flight'), 1))
      return
    }
    this.admit(reply.raw, config, (admitted) => {
      if (admitted) {
        done()
      } else {
        reply.hijack()
        sendLater(reply.raw, request.id)
      }
    })
  }

  /** Counts an unauthenticated request until it is closed; false beyond what one client may have in flight. */
  #countOpen(client: string, response: ServerResponse): boolean {
    if (!this.#openOf.add(client, maxOpenPerClient)) return false
    response.once('close', () => this.#openOf.remove(client))
    return true
  }

  /**
   * Ends the server: no connection is taken from now on, what is asked on the open ones is still answered, each with the
   * word that it was the last, and once nobody asks any more the idle ones are closed. After `grace` milliseconds all are.
   */
  async close(fastify: FastifyInstance, grace: number): Promise<void> {
    const { server } = fastify
    const until = performance.now() + grace
    this.#stopping = true
    for (const response of this.#open) if (!response.headersSent) response.setHeader('Connection', 'close')
    // The HTTP server's own `close` would also cut connections on which a request is just arriving.
    Server.prototype.close.call(server)
    this.#lastAt = performance.now()
    while (performance.now() < until && (this.#open.size > 0 || performance.now() - this.#lastAt < quiet)) {
      await pause(10)
    }
    const late = setTimeout(() => server.closeAllConnections(), until - performance.now())
    // Closing ends the connections that are idle then; one that is still answering becomes idle later, and one on which
    // half a request has arrived never does.
    const idle = setInterval(() => {
      const nobody = this.#open.size === 0 && performance.now() - this.#lastAt > silent
      if (nobody) server.closeAllConnections()
      else server.closeIdleConnections()
    }, 50)
    await fastify.close()
    clearInterval(idle)
    clearTimeout(late)
  }
}

const laterStatus = 503
const laterHeaders = { 'Retry-After': '1' }
/** What the answer says before and after the request's id. */
const [beforeId = '', afterId = ''] = JSON.stringify(
  wpRestError({ code: 'rest_unavailable', status: laterStatus, data: { requestId: ' ' } }, message('overloaded')),
).split('" "')

/**
 * Answers a request that is turned away. Not by way of an error and the log: it must cost next to nothing beside what is
 * served.
 */
export function sendLater(response: ServerResponse, requestId: string): void {
  send(response, { status: laterStatus, headers: laterHeaders, body: `${beforeId}"${requestId}"${afterId}` })
}
