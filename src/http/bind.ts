import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App, CommandTable } from '../app.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { type AnyHandler, type Handlers, performFor } from './call.ts'
import { idempotencyOf, ignoredFields } from './headers.ts'
import { firstPage, type Paging, pagingOf } from './list.ts'
import type { Fail } from './refuse.ts'
import { respond } from './respond.ts'
import { type Row, readRequest, readyRow } from './row.ts'
import type { Admitted } from './whom.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once it is known who asks. */
    admitted: Admitted | undefined
  }
  interface FastifyContextConfig {
    /** The route's `METHOD /path/`: the key of the contract's row, where it has one. */
    row?: string
  }
}

/** All that the routes of one contract share. */
export interface Binding<E extends Endpoint, C extends CommandTable> {
  readonly app: App<C>
  readonly fail: Fail
  /** Where the contract's paths begin, e.g. `/api/v1`. */
  readonly root: string
  /** What names of routes begin with in logs and figures, where contracts may have the same rows. */
  readonly named?: string
  /** Admits whom the row admits; anyone else is refused. */
  admit(request: FastifyRequest, endpoint: E): Promise<Admitted>
}

/** Makes a route of each row of the contract: admission, checks, handler, answer, in this order. */
export function bind<E extends Endpoint, T extends Readonly<Record<string, E>>, C extends CommandTable>(
  fastify: FastifyInstance,
  binding: Binding<E, C>,
  contract: T,
  handlers: Handlers<T, C>,
): void {
  const handlerOf: Readonly<Record<string, AnyHandler<C>>> = handlers
  for (const [key, endpoint] of Object.entries<E>(contract)) {
    const handle = handlerOf[key]
    if (handle) bindRow(fastify, binding, { row: readyRow(key, endpoint), handle })
  }
}

interface Bound<E extends Endpoint, C extends CommandTable> {
  readonly row: Row<E>
  readonly handle: AnyHandler<C>
}

function bindRow<E extends Endpoint, C extends CommandTable>(
  fastify: FastifyInstance,
  binding: Binding<E, C>,
  bound: Bound<E, C>,
): void {
  const { app, fail, root, named = '' } = binding
  const { row } = bound
  const name = `${row.method} ${named}${row.path}`
  const handler = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    const response = reply.raw
    const headers = request.admitted?.headers ?? {}
    return serve(app, bound, { request, response, headers }).catch((error: unknown) => {
      fail(error, { request: request.raw, response, requestId: request.id, route: name, headers })
    })
  }
  fastify.route({
    method: row.method,
    url: root + row.path,
    config: { row: name },
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

/** One request on its way; `headers` gathers what its answer will carry, whatever it says. */
interface Passage {
  readonly request: FastifyRequest
  readonly response: ServerResponse
  readonly headers: Record<string, string>
}

async function serve<E extends Endpoint, C extends CommandTable>(
  app: App<C>,
  bound: Bound<E, C>,
  passage: Passage,
): Promise<void> {
  const { row, handle } = bound
  const { request, response, headers } = passage
  const { admitted } = request
  if (!admitted) throw new Error('A route was reached by whom nobody admitted.')
  const url = urlOf(request.raw.url ?? '')
  const { query, body, sent, asked, ignored } = await readRequest(row, request, url.query)
  if (asked.dryRun) headers['X-SVC-Dry-Run'] = '1'
  if (ignored.length > 0) headers['X-SVC-Ignored-Fields'] = ignoredFields(ignored)
  const key = asked.idempotencyKey
  const { actor, whom } = admitted
  const context = {
    now: app.now(),
    actor,
    requestId: request.id,
    dryRun: asked.dryRun,
    idempotency: key === null ? null : idempotencyOf(key, { owner: actor.id, route: row.key, query, body: sent }),
  } as const
  const perform = performFor(app, context, () => {
    headers['Idempotency-Replayed'] = 'true'
  })
  const paging = pagingFor(row.endpoint, query)
  const answer = await handle({ query, body, paging, now: context.now, requestId: request.id, perform, ...whom })
  await respond(answer, { endpoint: row.endpoint, request: request.raw, response, headers, paging, url })
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
