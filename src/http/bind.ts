import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App, CommandTable } from '../app.ts'
import type { PublicContract, PublicEndpoint } from '../contract/endpoint.ts'
import { type Admitted, authenticate, type Door } from './authenticate.ts'
import { type AnyHandler, type Handlers, performFor } from './call.ts'
import { idempotencyOf, ignoredFields } from './headers.ts'
import { pagingOf } from './list.ts'
import type { Fail } from './refuse.ts'
import { respond } from './respond.ts'
import { type Row, readRequest, readyRow } from './row.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request's token is known. */
    admitted: Admitted | undefined
  }
  interface FastifyContextConfig {
    /** The route's `METHOD /path/`: the key of the contract's row, where it has one. */
    row?: string
  }
}

/** All that the routes of one contract share. */
export interface Binding<C extends CommandTable> {
  readonly app: App<C>
  readonly door: Door
  readonly fail: Fail
  /** Where the contract's paths begin, e.g. `/api/v1`. */
  readonly root: string
}

/** Makes a route of each row of the contract: token, scope, checks, handler, answer, in this order. */
export function bind<T extends PublicContract, C extends CommandTable>(
  fastify: FastifyInstance,
  binding: Binding<C>,
  contract: T,
  handlers: Handlers<T, C>,
): void {
  const handlerOf: Readonly<Record<string, AnyHandler<C>>> = handlers
  for (const [key, endpoint] of Object.entries(contract)) {
    const handle = handlerOf[key]
    if (handle) bindRow(fastify, binding, { row: readyRow(key, endpoint), handle })
  }
}

interface Bound<C extends CommandTable> {
  readonly row: Row<PublicEndpoint>
  readonly handle: AnyHandler<C>
}

function bindRow<C extends CommandTable>(fastify: FastifyInstance, binding: Binding<C>, bound: Bound<C>): void {
  const { app, door, fail, root } = binding
  const { row } = bound
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    const response = reply.raw
    const headers: Record<string, string> = { ...request.admitted?.headers }
    return serve(app, bound, { request, response, headers }).catch((error: unknown) => {
      fail(error, { request: request.raw, response, requestId: request.id, route: row.key, headers })
    })
  }
  fastify.route({
    method: row.method,
    url: root + row.path,
    config: { row: row.key },
    onRequest: async (request) => {
      const { raw, ip } = request
      const asking = { request: raw, address: ip, scope: row.endpoint.scope, now: app.now() }
      request.admitted = await authenticate(door, asking)
    },
    handler,
    // Fastify refuses a content type it cannot read before the handler runs; whether it matters is the row's to say.
    errorHandler: (error, request, reply) => {
      if (request.admitted && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return handler(request, reply)
      throw error
    },
  })
}

/** One request on its way; `headers` gathers what its answer will carry, whatever it says. */
interface Passage {
  readonly request: FastifyRequest
  readonly response: ServerResponse
  readonly headers: Record<string, string>
}

async function serve<C extends CommandTable>(app: App<C>, bound: Bound<C>, passage: Passage): Promise<void> {
  const { row, handle } = bound
  const { request, response, headers } = passage
  const token = request.admitted?.caller
  if (!token) throw new Error('A route was reached without a token.')
  const url = urlOf(request.raw.url ?? '')
  const { query, body, sent, asked, ignored } = await readRequest(row, request, url.query)
  if (asked.dryRun) headers['X-SVC-Dry-Run'] = '1'
  if (ignored.length > 0) headers['X-SVC-Ignored-Fields'] = ignoredFields(ignored)
  const key = asked.idempotencyKey
  const context = {
    now: app.now(),
    actor: { kind: 'token', id: token.id },
    requestId: request.id,
    dryRun: asked.dryRun,
    idempotency: key === null ? null : idempotencyOf(key, { tokenId: token.id, route: row.key, query, body: sent }),
  } as const
  const perform = performFor(app, context, () => {
    headers['Idempotency-Replayed'] = 'true'
  })
  const paging = row.endpoint.answer === 'list' ? pagingOf(query) : undefined
  const answer = await handle({ query, body, paging, now: context.now, token, requestId: request.id, perform })
  await respond(answer, { endpoint: row.endpoint, response, headers, paging, url })
}

function urlOf(url: string): { path: string; query: string } {
  const [whole = ''] = url.split('#', 1)
  const at = whole.indexOf('?')
  return at < 0 ? { path: whole, query: '' } : { path: whole.slice(0, at), query: whole.slice(at + 1) }
}
