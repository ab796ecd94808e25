import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../contract/endpoint.ts'
import type { App, OperationTable } from '../db/perform/app.ts'
import { type AnyHandler, type Handlers, performFor } from './call.ts'
import type { Principal } from './principal.ts'
import { idempotencyOf, ignoredFields } from './request/headers.ts'
import { compileRoute, parseRequest, type Route } from './request/parse-request.ts'
import { type Fail, overloaded } from './response/errors.ts'
import { firstPage, type Paging, pagingOf } from './response/list.ts'
import { respond } from './response/respond.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller of the request; undefined until the request is authenticated. */
    admitted: Principal | undefined
  }
  interface FastifyContextConfig {
    /**
     * The route's name in logs and metrics: method and path, such as `GET /services/get/`; see also `Binding.named`.
     */
    row?: string
  }
}

/**
 * The admission slots of requests in progress, which limit how many requests are handled at once (see `Admission`). A
 * request whose body has not arrived completely releases its slot until then, and acquires one again before its handler
 * runs.
 */
export interface AdmissionSlots {
  suspend(response: ServerResponse): void
  /** Acquires a slot again after `suspend`; returns false when none is free, unless the client has disconnected. */
  resume(response: ServerResponse): boolean
}

/** The functions and settings that all routes of one contract (the table that declares the routes of an API) share. */
export interface Binding<E extends Endpoint, C extends OperationTable> {
  readonly app: App<C>
  readonly fail: Fail
  /** The path prefix of the contract's routes, e.g. `/api/v1`. */
  readonly root: string
  /**
   * A prefix of the path in route names in logs and metrics. It distinguishes routes of two contracts with the same
   * method and path.
   */
  readonly named?: string
  readonly slots: AdmissionSlots
  /** Authenticates a request; throws when the caller may not use the route. */
  admit(request: FastifyRequest, endpoint: E): Promise<Principal>
}

/**
 * Registers one Fastify route for each route of the contract that has a handler. Each request is authenticated by
 * `binding.admit` and validated before its handler runs.
 */
export function bind<E extends Endpoint, T extends Readonly<Record<string, E>>, C extends OperationTable>(
  fastify: FastifyInstance,
  binding: Binding<E, C>,
  contract: T,
  handlers: Handlers<T, C>,
): void {
  const handlerOf: Readonly<Record<string, AnyHandler<C>>> = handlers
  for (const [key, endpoint] of Object.entries<E>(contract)) {
    const handle = handlerOf[key]
    if (handle) bindRow(fastify, binding, { row: compileRoute(key, endpoint), handle })
  }
}

interface Bound<E extends Endpoint, C extends OperationTable> {
  readonly row: Route<E>
  readonly handle: AnyHandler<C>
}

function bindRow<E extends Endpoint, C extends OperationTable>(
  fastify: FastifyInstance,
  binding: Binding<E, C>,
  bound: Bound<E, C>,
): void {
  const { root, named = '' } = binding
  const { row } = bound
  const name = `${row.method} ${named}${row.path}`
  const serve = serving(binding, bound, name)
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    const { admitted } = request
    if (!admitted) throw new Error('Handler reached without authentication.')
    reply.hijack()
    return serve({ request: request.raw, response: reply.raw, requestId: request.id, admitted })
  }
  fastify.route({
    method: row.method,
    url: root + row.path,
    config: { row: name, open: row.endpoint.admits === 'anyone' },
    onRequest: async (request) => {
      request.admitted = await binding.admit(request, row.endpoint)
    },
    handler,
    // Fastify rejects an unknown content type before the handler runs. An authenticated request is passed to the
    // handler nevertheless, because the handler's own body parser accepts or rejects the content type.
    errorHandler: (error, request, reply) => {
      if (request.admitted && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return handler(request, reply)
      throw error
    },
  })
}

/** Returns the id of the token that authenticated a request; undefined when no token did. */
export function tokenOf(admitted: Principal | undefined): string | undefined {
  return admitted?.actor.kind === 'token' ? admitted.actor.id : undefined
}

/** An authenticated request with its response. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** The authenticated caller; the `headers` in it are sent with the response, whatever the status of the response. */
  readonly admitted: Principal
}

/**
 * Validates an authenticated request, calls its handler and sends the response. Never rejects: errors are passed to
 * `fail`.
 */
export type ServeRequest = (requestContext: RequestContext) => Promise<void>

/** Returns the function that serves the requests of one route; `route` is the route's name in logs. */
export function serving<E extends Endpoint, C extends OperationTable>(
  { app, fail, slots }: Pick<Binding<E, C>, 'app' | 'fail' | 'slots'>,
  bound: Bound<E, C>,
  route: string,
): ServeRequest {
  return (requestContext) =>
    serve({ app, slots }, bound, requestContext).catch((error: unknown) => {
      const { request, response, requestId, admitted } = requestContext
      fail(error, { request, response, requestId, route, tokenId: tokenOf(admitted), headers: admitted.headers })
    })
}

async function serve<E extends Endpoint, C extends OperationTable>(
  { app, slots }: Pick<Binding<E, C>, 'app' | 'slots'>,
  bound: Bound<E, C>,
  requestContext: RequestContext,
): Promise<void> {
  const { row, handle } = bound
  const { request, response, requestId } = requestContext
  const { actor, credentials, headers, address } = requestContext.admitted
  const url = urlOf(request.url ?? '')
  const { query, body, sent, options, ignored } = request.complete
    ? await parseRequest(row, request, url.query)
    : await readSlowly(slots, requestContext, () => parseRequest(row, request, url.query))
  requestContext.admitted.check?.(body)
  if (options.dryRun) headers['X-SVC-Dry-Run'] = '1'
  if (ignored.length > 0) headers['X-SVC-Ignored-Fields'] = ignoredFields(ignored)
  const key = options.idempotencyKey
  const context = {
    now: app.now(),
    actor,
    requestId,
    dryRun: options.dryRun,
    idempotency: key === null ? null : idempotencyOf(key, { owner: actor.id, route: row.key, query, body: sent }),
    ...(address !== undefined && { address }),
  } as const
  const perform = performFor(app, context, () => {
    headers['Idempotency-Replayed'] = 'true'
  })
  const paging = pagingFor(row.endpoint, query)
  const result = await handle({ query, body, paging, now: context.now, requestId, perform, ...credentials })
  await respond(result, { endpoint: row.endpoint, request, response, headers, paging, url })
}

/**
 * Parses a request whose body is still arriving. Meanwhile the request holds no admission slot (the slots limit how
 * many requests are handled at once), since slow clients could otherwise occupy all slots. Throws a 503 refusal when no
 * slot is free afterwards, and the refusal of a caller who is no longer permitted, such as one whose token was revoked
 * meanwhile.
 */
async function readSlowly<T>(
  slots: AdmissionSlots,
  { response, requestId, admitted }: RequestContext,
  read: () => Promise<T>,
): Promise<T> {
  slots.suspend(response)
  const parsed = await read()
  if (!slots.resume(response)) throw overloaded(requestId)
  await admitted.recheck()
  return parsed
}

/**
 * Returns the page of a list that a request asks for. If it asks for none, returns the first page for a list of the
 * panel, and undefined (the complete list) for one of the public API. Also undefined when the route returns no list.
 */
function pagingFor({ envelope, admits }: Endpoint, query: unknown): Paging | undefined {
  if (envelope !== 'list') return undefined
  return pagingOf(query) ?? (admits === undefined ? undefined : firstPage)
}

function urlOf(url: string): { path: string; query: string } {
  const [target = ''] = url.split('#', 1)
  const at = target.indexOf('?')
  return at < 0 ? { path: target, query: '' } : { path: target.slice(0, at), query: target.slice(at + 1) }
}
