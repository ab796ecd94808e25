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
    /** Set once it is known who asks. */
    admitted: Principal | undefined
  }
  interface FastifyContextConfig {
    /** The route's `METHOD /path/`: the key of the contract's row, where it has one. */
    row?: string
  }
}

/** The slots of requests being worked on: given back while a body arrives, taken again before the work goes on. */
export interface AdmissionSlots {
  suspend(response: ServerResponse): void
  /** False when no slot is free. */
  resume(response: ServerResponse): boolean
}

/** All that the routes of one contract share. */
export interface Binding<E extends Endpoint, C extends OperationTable> {
  readonly app: App<C>
  readonly fail: Fail
  /** Where the contract's paths begin, e.g. `/api/v1`. */
  readonly root: string
  /** What names of routes begin with in logs and figures, where contracts may have the same rows. */
  readonly named?: string
  readonly slots: AdmissionSlots
  /** Admits whom the row admits; anyone else is refused. */
  admit(request: FastifyRequest, endpoint: E): Promise<Principal>
}

/** Makes a route of each row of the contract: admission, checks, handler, answer, in this order. */
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
    if (!admitted) throw new Error('A route was reached by whom nobody admitted.')
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
    // Fastify refuses a content type it cannot read before the handler runs; whether it matters is the row's to say.
    errorHandler: (error, request, reply) => {
      if (request.admitted && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return handler(request, reply)
      throw error
    },
  })
}

/** The id of the token that a request was admitted with; undefined for a session. */
export function tokenOf(admitted: Principal | undefined): string | undefined {
  return admitted?.actor.kind === 'token' ? admitted.actor.id : undefined
}

/** One request on its way, of whom the row admits. */
export interface RequestContext {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** Its headers gather what the answer will carry, whatever it says. */
  readonly admitted: Principal
}

/** Serves a request to its end: checks, handler, answer. */
export type ServeRequest = (requestContext: RequestContext) => Promise<void>

/** What serves the requests of one row, under this name in logs. */
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
  const { query, body, sent, asked, ignored } = request.complete
    ? await parseRequest(row, request, url.query)
    : await readSlowly(slots, requestContext, () => parseRequest(row, request, url.query))
  requestContext.admitted.check?.(body)
  if (asked.dryRun) headers['X-SVC-Dry-Run'] = '1'
  if (ignored.length > 0) headers['X-SVC-Ignored-Fields'] = ignoredFields(ignored)
  const key = asked.idempotencyKey
  const context = {
    now: app.now(),
    actor,
    requestId,
    dryRun: asked.dryRun,
    idempotency: key === null ? null : idempotencyOf(key, { owner: actor.id, route: row.key, query, body: sent }),
    ...(address !== undefined && { address }),
  } as const
  const perform = performFor(app, context, () => {
    headers['Idempotency-Replayed'] = 'true'
  })
  const paging = pagingFor(row.endpoint, query)
  const answer = await handle({ query, body, paging, now: context.now, requestId, perform, ...credentials })
  await respond(answer, { endpoint: row.endpoint, request, response, headers, paging, url })
}

/** Reads a request of which a part is still to come: a slow client must not hold a slot meanwhile. */
async function readSlowly<T>(
  slots: AdmissionSlots,
  { response, requestId }: RequestContext,
  read: () => Promise<T>,
): Promise<T> {
  slots.suspend(response)
  const sent = await read()
  if (!slots.resume(response)) throw overloaded(requestId)
  return sent
}

/** Lists of the panel always come by the page. */
function pagingFor({ answer, admits }: Endpoint, query: unknown): Paging | undefined {
  if (answer !== 'list') return undefined
  return pagingOf(query) ?? (admits === undefined ? undefined : firstPage)
}

function urlOf(url: string): { path: string; query: string } {
  const [whole = ''] = url.split('#', 1)
  const at = whole.indexOf('?')
  return at < 0 ? { path: whole, query: '' } : { path: whole.slice(0, at), query: whole.slice(at + 1) }
}
