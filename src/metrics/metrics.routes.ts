import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isForwarded } from '../http/request/forwarded.ts'
import { noRoute } from '../http/response/errors.ts'

/** What the HTTP server is busy with. */
export interface HttpLoad {
  /** Requests being worked on. */
  readonly inFlight: number
  /** Open connections. */
  readonly connections: number
  /** Bytes of responses queued for sending. */
  readonly queued: number
}

/** What the page of figures is given. */
export interface MetricsOptions {
  readonly contentType: string
  /** All figures as text. */
  text(load: HttpLoad): Promise<string>
  /** Who sends it as a bearer token may look from anywhere; without one, only this machine may. */
  readonly token: string | undefined
}

/** Answers `/metrics` to whoever may look; for all others there is no such route. */
export function answerMetrics(fastify: FastifyInstance, options: MetricsOptions, load: () => HttpLoad): void {
  fastify.get('/metrics', { config: { row: 'GET /metrics', atOnce: true } }, async (request, reply) => {
    if (!mayLook(request.raw, options.token)) throw noRoute()
    const text = await options.text(load())
    reply.header('Cache-Control', 'no-store').header('Content-Type', options.contentType)
    return text
  })
}

function mayLook(request: IncomingMessage, token: string | undefined): boolean {
  if (token === undefined) return isFromHere(request)
  const sent = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(sent), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const loopback = /^(?:127\.|::1$|::ffff:127\.)/
const ownNames = /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/i
/** Whether a program on this machine asks by itself. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '') || !ownNames.test(headers.host ?? '')) return false
  return !isForwarded(headers)
}
