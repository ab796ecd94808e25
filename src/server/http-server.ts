import { randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import proxyAddress from '@fastify/proxy-addr'
import createFastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import {
  authenticateToken,
  cachedToken,
  recheckToken,
  type TokenAuthentication,
} from '../access/tokens/authenticate-token.routes.ts'
import type { TokenRegister } from '../access/tokens/token.ts'
import { answerApiDocs } from '../api-docs/api-docs.routes.ts'
import type { PublicEndpoint } from '../contract/endpoint.ts'
import { openApi } from '../contract/openapi.ts'
import { panelRoot } from '../contract/panel-api.ts'
import { type PublicApi, publicApi } from '../contract/public-api.ts'
import type { App, OperationTable } from '../db/perform/app.ts'
import { type AdmissionSlots, bind, serving, tokenOf } from '../http/bind.ts'
import type { Handlers, ReadyFinder } from '../http/call.ts'
import { createFastPath, type FastPath } from '../http/fast-path.ts'
import { Admission, type Observer } from '../http/load/admission.ts'
import { refuseConnection, refuseMalformedRequest } from '../http/load/connection.ts'
import { Connections } from '../http/load/connections.ts'
import { serializeRequests } from '../http/load/pipeline.ts'
import { queuedBytes } from '../http/load/send-queue.ts'
import { createThrottle } from '../http/load/throttle.ts'
import { createHttpServer } from '../http/node-http.ts'
import { compileRoute } from '../http/request/parse-request.ts'
import { type Fail, failing, noRoute, RestRefusal, Unavailable } from '../http/response/errors.ts'
import { send } from '../http/response/response.ts'
import { answerMetrics, type HttpLoad, type MetricsOptions } from '../metrics/metrics.routes.ts'

/** The dependencies and settings of the HTTP server. */
export interface ServerOptions<C extends OperationTable> {
  readonly app: App<C>
  readonly handlers: Handlers<PublicApi, C>
  /** Finds cached responses to availability requests, which are then sent without the router (see `createFastPath`). */
  readonly findAvailability?: ReadyFinder<PublicApi['GET /availability/get/']>
  readonly tokens: TokenRegister
  /** The proxies whose `X-Forwarded-For` is trusted: none, all, or these addresses and ranges, separated by commas. */
  readonly trustProxy: boolean | string
  /** The public base URL of the service, as configured; undefined when none is configured. */
  readonly publicUrl?: string | undefined
  /**
   * Whether requests can be served now; the response to `/health/ready` depends on it. Concurrent requests share a
   * call.
   */
  readonly ready: () => Promise<boolean>
  /** Whether an error means that the database is temporarily unavailable. */
  readonly isUnavailable: (error: unknown) => boolean
  /**
   * The maximum number of requests with an invalid token from one address or IPv6 /64 per minute; 1,000 when absent.
   */
  readonly wrongTokensPerMinute?: number
  /** The maximum number of requests that the service works on at the same time; 1,000 when absent. */
  readonly maxRequests?: number
  /** The maximum number of open connections of one peer, except a trusted proxy; 512 when absent. */
  readonly maxConnections?: number
  readonly observer?: Observer
  readonly metrics?: MetricsOptions
  /** Registers routes in addition to those of the public API. */
  readonly more?: (fastify: FastifyInstance, fail: Fail, slots: AdmissionSlots) => void
}

/** The server with its graceful shutdown. */
export interface HttpServer {
  readonly fastify: FastifyInstance
  /** Completes the requests on open connections; connections that remain after `grace` milliseconds are closed. */
  close(grace: number): Promise<void>
  /** Returns the current load of the server, for the metrics. */
  load(): HttpLoad
}

/** The root path of the API. Changes within `v1` are backward-compatible. */
export const apiRoot = '/api/v1'

const seconds = 1000
/**
 * Timeouts in milliseconds of slow, hostile and idle connections. Every two seconds, Node checks for requests that have
 * exceeded `headersTimeout` or `requestTimeout` while they were being received.
 */
const timeouts = {
  headersTimeout: 10 * seconds,
  requestTimeout: 30 * seconds,
  keepAliveTimeout: 72 * seconds,
  connectionsCheckingInterval: 2 * seconds,
} as const

const unobserved: Observer = { answered: () => {}, shed: () => {} }

const noCompiler = () => () => {
  throw new Error('Routes are checked by the binder and carry no schemas of their own.')
}

/**
 * Creates the server without listening: the public API with its OpenAPI document and documentation, health checks and,
 * if configured, metrics.
 */
export function createServer<C extends OperationTable>(options: ServerOptions<C>): HttpServer {
  const { app, tokens, handlers } = options
  const addressOf = clientAddress(options.trustProxy)
  const localizable = ({ url = '' }: IncomingMessage) => url.startsWith(`${panelRoot}/`)
  const fail = failing({ log: app.log, isUnavailable: options.isUnavailable, addressOf, localizable })
  const failFor = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    const { row: route = 'none', errorPages: pages } = request.routeOptions.config
    const { admitted } = request
    const headers = admitted?.headers ?? {}
    const tokenId = tokenOf(admitted)
    fail(error, { request: request.raw, response: reply.raw, requestId: request.id, route, tokenId, headers, pages })
  }
  const admission = new Admission(options.maxRequests ?? 1000, options.observer ?? unobserved)
  const authentication: TokenAuthentication = {
    tokens,
    wrongTokens: createThrottle(),
    requests: createThrottle(),
    wrongTokensPerMinute: options.wrongTokensPerMinute ?? 1000,
  }
  const newRequestId = requestIds()
  const connections = new Connections({
    perPeer: options.maxConnections ?? 512,
    isProxy: trustedProxies(options.trustProxy),
    onExcess: excessReporter(app),
  })
  const shortcut = fastPaths(options, { authentication, admission, fail, addressOf, newRequestId })
  const fastify = createFastify({
    trustProxy: options.trustProxy,
    serverFactory: (route) =>
      httpServer((request, response) => shortcut(request, response) || route(request, response), connections),
    // While the server stops, requests that arrive on open connections are still served instead of refused with 503.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // The contract has its own validators and serialisers, so Fastify's compilers, which take 9 MB, are not loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    genReqId: newRequestId,
    clientErrorHandler: refuseConnection,
    routerOptions: { ignoreTrailingSlash: true, caseSensitive: true, querystringParser: () => ({}) },
    // Fastify calls this for a path that cannot be decoded, which gets the response to an unknown route.
    frameworkErrors: (_error, request, reply) => failFor(noRoute(), request, reply),
  })
  // Each route parses the body itself, after authentication, so Fastify must not parse it.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', (_request, _payload, done) => done(null))
  fastify.decorateRequest('admitted', undefined)
  if (options.publicUrl?.startsWith('https://')) sendTransportSecurity(fastify, new URL(options.publicUrl).host)
  fastify.addHook('onRequest', admission.hook)
  fastify.addHook('onRequest', refuseMalformedRequest)
  fastify.setNotFoundHandler(() => {
    throw noRoute()
  })
  fastify.setErrorHandler((error, request, reply) => {
    // For an unknown route, Fastify may report another error, such as one of the body, before it calls the not-found
    // handler. The response is 404 nevertheless, except for a `RestRefusal`, which only the service's own code throws.
    failFor(request.is404 && !(error instanceof RestRefusal) ? noRoute() : error, request, reply)
  })
  const authenticateProgram = async (request: FastifyRequest, { scope }: PublicEndpoint) => {
    const asking = () => ({ request: request.raw, address: request.ip, scope, now: app.now() })
    const { caller, headers } = await authenticateToken(authentication, asking())
    return {
      credentials: { token: caller },
      actor: { kind: 'token', id: caller.id } as const,
      headers: { ...headers },
      recheck: () => recheckToken(authentication, asking()),
    }
  }
  bind(fastify, { app, fail, slots: admission, root: apiRoot, admit: authenticateProgram }, publicApi, handlers)
  options.more?.(fastify, fail, admission)
  describeApi(fastify)
  answerHealth(fastify, options.ready)
  if (options.metrics) answerMetrics(fastify, options.metrics)
  return {
    fastify,
    close: (grace) => admission.close(fastify, grace),
    load: () => ({ inFlight: admission.inFlight, connections: connections.count, queued: queuedBytes() }),
  }
}

function httpServer(listener: RequestListener, connections: Connections): Server {
  // Node does not refuse a missing Host header, because the hook `refuseMalformedRequest` refuses it and also closes
  // the connection.
  const options = { ...timeouts, insecureHTTPParser: false, requireHostHeader: false }
  const server = createHttpServer(options, serializeRequests(listener))
  connections.watch(server)
  return server
}

/** Returns a function that serves bookings, and with `findAvailability` also availability, without the router. */
function fastPaths<C extends OperationTable>(
  { app, handlers, findAvailability }: ServerOptions<C>,
  given: {
    readonly authentication: TokenAuthentication
    readonly admission: Admission
    readonly fail: Fail
    readonly addressOf: (request: IncomingMessage) => string
    readonly newRequestId: () => string
  },
): FastPath {
  const { authentication } = given
  const ahead = {
    ...given,
    root: apiRoot,
    now: app.now,
    cachedPrincipal: (call: Parameters<typeof cachedToken>[1]) => cachedToken(authentication, call),
    recheck: (call: Parameters<typeof recheckToken>[1]) => recheckToken(authentication, call),
    recordUse: (tokenId: string, address: string, now: number) =>
      authentication.tokens.recordUse(tokenId, address, now),
  }
  const binding = { app, fail: given.fail, slots: given.admission }
  const booking = 'POST /reservations/add/'
  const booked = compileRoute(booking, publicApi[booking])
  const serveBooking = serving(binding, { row: booked, handle: handlers[booking] }, booking)
  const book = createFastPath({ ...ahead, row: booked, serve: serveBooking })
  if (!findAvailability) return book
  const reading = 'GET /availability/get/'
  const row = compileRoute(reading, publicApi[reading])
  const serve = serving(binding, { row, handle: handlers[reading] }, reading)
  const read = createFastPath({ ...ahead, row, serve, find: findAvailability })
  return (request, response) => read(request, response) || book(request, response)
}

/**
 * Sends Strict-Transport-Security with responses to requests for `host`, which is served over https. Responses of the
 * fast paths, which bypass the router and its hooks, do not have the header. Subdomains are not included, since other
 * services may run there.
 */
function sendTransportSecurity(fastify: FastifyInstance, host: string): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.raw.headers.host?.toLowerCase() === host) {
      reply.raw.setHeader('Strict-Transport-Security', 'max-age=31536000')
    }
    done()
  })
}

/**
 * Returns a function that finds the client address of a request: the peer's, or the one that trusted proxies report.
 */
function clientAddress(trustProxy: boolean | string): (request: IncomingMessage) => string {
  if (trustProxy === false) return (request) => request.socket.remoteAddress ?? ''
  const trusts = trustedProxies(trustProxy)
  return (request) => proxyAddress(request, trusts)
}

/** Returns a function that tests whether an address is that of a trusted proxy. */
function trustedProxies(trustProxy: boolean | string): (address: string) => boolean {
  if (trustProxy === true) return () => true
  const trusts = proxyAddress.compile(listOfProxies(trustProxy))
  return (address) => address !== '' && trusts(address, 0)
}

/** Returns a function that counts refused connections and logs their number, at most once a minute. */
function excessReporter<C extends OperationTable>({ log }: App<C>): () => void {
  let refused = 0
  let reportedAt = Number.NEGATIVE_INFINITY
  return () => {
    refused += 1
    const now = performance.now()
    if (now - reportedAt < 60 * seconds) return
    log.warn({ count: refused }, 'connections refused: one address has too many; is a proxy missing in --trust-proxy?')
    reportedAt = now
    refused = 0
  }
}

function listOfProxies(trusted: boolean | string): string[] {
  return typeof trusted === 'string' ? trusted.split(',').map((one) => one.trim()) : []
}

/** Returns a function that generates request ids, unique across processes. */
function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(count++).toString(36)}`
}

function describeApi(fastify: FastifyInstance): void {
  let text: string | undefined
  // The OpenAPI document is generated on first use, since most servers are never asked for it.
  const document = (): string => {
    text ??= JSON.stringify(openApi(publicApi, apiRoot))
    return text
  }
  fastify.get(`${apiRoot}/openapi.json`, { config: { row: 'GET /openapi.json', open: true } }, (_request, reply) => {
    sendDocument(reply, document())
  })
  answerApiDocs(fastify, { root: apiRoot, document })
}

function answerHealth(fastify: FastifyInstance, ready: () => Promise<boolean>): void {
  const well = JSON.stringify({ status: 'OK' })
  fastify.get('/health/live', { config: { row: 'GET /health/live', exempt: true } }, (_request, reply) =>
    sendDocument(reply, well),
  )
  // Readiness checks need no token and are never shed. Concurrent ones share a call of `ready`, so that many of them
  // cannot occupy the connections to the database.
  let running: Promise<boolean> | undefined
  const sharedReady = (): Promise<boolean> => {
    running ??= ready().finally(() => {
      running = undefined
    })
    return running
  }
  fastify.get('/health/ready', { config: { row: 'GET /health/ready', exempt: true } }, async (_request, reply) => {
    if (!(await sharedReady())) throw new Unavailable('The service is not ready.')
    sendDocument(reply, well)
  })
}

function sendDocument(reply: FastifyReply, body: string): void {
  reply.hijack()
  send(reply.raw, { status: 200, headers: {}, body })
}
