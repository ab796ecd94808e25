import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, gzip } from 'node:zlib'
import type { Endpoint, FileAnswer, LiveAnswer, PreparedList } from '../../contract/endpoint.ts'
import { isObject } from '../request/json.ts'
import { type Paging, pageHeaders } from './list.ts'
import { type Headers, isKnown, send, sendChunks, sendUnchanged, stream, type WholeResponse } from './response.ts'
import { ResponseCache } from './response-cache.ts'
import { sendFile, sendLive } from './stream.ts'

/** The response to write to, with the data of the request that its headers depend on. */
interface Destination {
  readonly endpoint: Endpoint
  readonly response: ServerResponse
  readonly headers: Headers
  readonly paging: Paging | undefined
  readonly url: { readonly path: string; readonly query: string }
}

/** The request and response of `respond`. */
export interface RespondOptions extends Destination {
  readonly request: IncomingMessage
}

/** The conditional and encoding headers of a request. */
export interface Conditions {
  readonly ifNoneMatch: string | undefined
  readonly acceptEncoding: string | undefined
}

/**
 * Sends the result of a handler. A JSON value is wrapped as `endpoint.envelope` says; serialised bytes, files and event
 * streams are sent as they are.
 */
export async function respond(result: unknown, to: RespondOptions): Promise<void> {
  const { endpoint, response, headers } = to
  const status = endpoint.ok
  if (isObject(result) && isBytes(result.bytes)) return send(response, { status, headers, body: result.bytes })
  if (isObject(result) && isFile(result.file)) return sendFile(response, headers, { ...result, file: result.file })
  if (isObject(result) && isMessages(result.live)) return sendLive(response, headers, result.live)
  if (endpoint.envelope !== 'list') return send(response, { status, headers, body: enveloped(endpoint, result) })
  if (!isObject(result)) throw new Error('The handler of a list route returned no list.')
  if (isPrepared(result)) {
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = to.request.headers
    return sendPrepared(result, to, { ifNoneMatch, acceptEncoding: acceptEncoding?.toString() })
  }
  if (isParts(result.items)) {
    const { paging, url } = to
    const more = paging && typeof result.total === 'number' ? pageHeaders(paging, result.total, url) : {}
    return stream(response, { status, headers: { ...headers, ...more }, items: result.items })
  }
  if (isRows(result.rows)) return stream(response, { status, headers, items: serialised(result.rows) })
  const { items, more } = pageOf(result, to)
  send(response, { status, headers: { ...headers, ...more }, body: underResponse(items) })
}

const opening = Buffer.from('{"status":"OK","response":[')
const closing = Buffer.from(']}')
/** The minimum size in bytes of a list that is compressed; a shorter one fits into one packet uncompressed. */
const minCompressed = 1_400

/**
 * Sends a list that is already serialised (`PreparedList`). A list without an ETag is sent uncompressed. For a list
 * with an ETag, sends 304 if the ETag is in the request's `If-None-Match`; if not, sends the list, gzipped if the
 * client accepts gzip and the list has at least `minCompressed` bytes.
 */
export function sendPrepared(list: PreparedList, to: Destination, conditions: Conditions): void {
  const { endpoint, response, paging, url } = to
  const status = endpoint.ok
  const headers = paging ? { ...to.headers, ...pageHeaders(paging, list.total, url) } : to.headers
  if (list.tag === undefined) {
    send(response, { status, headers, body: Buffer.concat(around(list)) })
    return
  }
  const tag = `W/"${list.tag}"`
  const known = { ETag: tag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding', ...headers }
  if (isKnown(tag, conditions.ifNoneMatch)) {
    sendUnchanged(response, known)
  } else if (list.size >= minCompressed && takesGzip(conditions.acceptEncoding)) {
    sendCompressed(list, list.tag, response, { status, headers: { 'Content-Encoding': 'gzip', ...known } })
  } else {
    const size = opening.length + list.size + closing.length
    const body = joinedAnswers.find(list.tag, size, () => around(list))
    if (body) send(response, { status, headers: known, body })
    else sendChunks(response, { status, headers: known, pieces: around(list), size })
  }
}

/**
 * Sends a list gzipped. If the compressed body is not cached, compresses the list on a thread of Node's thread pool and
 * caches the body.
 */
function sendCompressed(
  list: PreparedList,
  tag: string,
  response: ServerResponse,
  head: Omit<WholeResponse, 'body'>,
): void {
  const known = compressedResponses.get(tag)
  if (known) {
    send(response, { ...head, body: known })
    return
  }
  gzip(Buffer.concat(around(list)), { level: constants.Z_BEST_SPEED }, (error, body) => {
    if (error) response.destroy(error)
    else compressedResponses.set(tag, body)
    if (!response.destroyed) send(response, { ...head, body })
  })
}

const joinedAnswers = new ResponseCache()
const compressedResponses = new ResponseCache()

function around({ pieces }: PreparedList): readonly Uint8Array[] {
  return [opening, ...pieces, closing]
}

function takesGzip(accepted: string | undefined): boolean {
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted)
}

function enveloped({ envelope }: Endpoint, value: unknown): string {
  if (envelope === 'response') return underResponse(value)
  return JSON.stringify(envelope === 'id' && isObject(value) ? { status: 'OK', id: value.id } : { status: 'OK' })
}

function underResponse(value: unknown): string {
  return `{"status":"OK","response":${JSON.stringify(value)}}`
}

function isPrepared(result: object): result is PreparedList {
  return 'pieces' in result
}

function isBytes(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}

function isRows(value: unknown): value is AsyncIterable<readonly unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function isFile(value: unknown): value is FileAnswer['file'] {
  return typeof value === 'function'
}

function isMessages(value: unknown): value is LiveAnswer<unknown>['live'] {
  return typeof value === 'function'
}

// Checks only that the value is an async iterable: parts of JSON text and groups of rows cannot be distinguished at run
// time. `respond` passes only the property `items` of a result, which contains parts (see `ListAnswer`).
function isParts(value: unknown): value is AsyncIterable<string | Uint8Array> {
  return isRows(value)
}

async function* serialised(rows: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const part of rows) if (part.length > 0) yield `,${part.map((row) => JSON.stringify(row)).join(',')}`
}

function pageOf(
  result: Readonly<Record<string, unknown>>,
  { paging, url }: RespondOptions,
): { items: readonly unknown[]; more: Headers } {
  const all = Array.isArray(result.all) ? result.all : undefined
  const items = all ?? (Array.isArray(result.page) ? result.page : [])
  if (!paging) return { items, more: {} }
  const { offset, limit } = paging
  const total = all ? all.length : Number(result.total)
  return { items: all ? all.slice(offset, offset + limit) : items, more: pageHeaders(paging, total, url) }
}
