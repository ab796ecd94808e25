import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isForwarded } from '../http/request/forwarded.ts'
import { noRoute } from '../http/response/errors.ts'

/** The current load of the HTTP server. */
export interface HttpLoad {
  /** The number of requests that hold an admission slot: those that are queued or being handled. */
  readonly inFlight: number
  /** The number of open connections. */
  readonly connections: number
  /** The number of bytes of responses that are queued for sending. */
  readonly queued: number
}

/** The dependencies of the metrics route. */
export interface MetricsOptions {
  readonly contentType: string
  /** Returns all metrics in the Prometheus text format. */
  text(): Promise<string>
  /** The bearer token that clients must send; when undefined, only clients on this machine may read the metrics. */
  readonly token: string | undefined
}

/** Serves `/metrics` to permitted clients; other clients receive the response to an unknown route. */
export function answerMetrics(fastify: FastifyInstance, options: MetricsOptions): void {
  fastify.get('/metrics', { config: { row: 'GET /metrics', exempt: true } }, async (request, reply) => {
    if (!mayLook(request.raw, options.token)) throw noRoute()
    const text = await options.text()
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
/**
 * Whether a request comes from this machine, addresses it by a loopback name, and has no forwarding header of a proxy.
 */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  if (!loopback.test(socket.remoteAddress ?? '') || !ownNames.test(headers.host ?? '')) return false
  return !isForwarded(headers)
}
