import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RestFailure, wpRestError } from '../../contract/errors.ts'
import { message } from '../../messages/message.ts'
import { STATUS_CODES } from '../node-http.ts'
import { RestRefusal } from '../response/errors.ts'

/** The HTTP statuses for error codes of Node's HTTP server; all other errors get 400. */
const statusOf: ReadonlyMap<string, 408 | 431> = new Map([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
  ['HPE_HEADER_OVERFLOW', 431],
])
const messages = {
  400: message('bad_request'),
  408: message('request_timeout'),
  431: message('headers_too_long'),
} as const

/**
 * Handles a parser error of a connection: a malformed, slow or oversized request. Sends 400, 408 or 431 and then
 * destroys the connection, since a client that keeps sending must not keep it open. A connection on which nothing was
 * received is destroyed without a response: browsers open connections in advance, and would take such a response for
 * the one to their next request.
 */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const status = statusOf.get(error.code ?? '') ?? 400
  const body = JSON.stringify(wpRestError({ code: 'rest_bad_request', status }, messages[status]))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

const badRequest: RestFailure = { code: 'rest_bad_request', status: 400 }

/**
 * Refuses requests without exactly one Host header (HTTP/1.0 may omit it), and TRACE requests: both are used for
 * attacks through intermediaries. The connection is closed with the response, so that no later request on it is served.
 */
export function refuseMalformedRequest(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  done(
    isMalformed(request.raw)
      ? new RestRefusal(badRequest, messages[400], { headers: { Connection: 'close' } })
      : undefined,
  )
}

/** Whether `refuseMalformedRequest` refuses a request, because of its method or the number of its Host headers. */
export function isMalformed({ method, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = countHosts(rawHeaders)
  return method === 'TRACE' || hosts > 1 || (hosts === 0 && httpVersion !== '1.0')
}

function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
