import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, gzip } from 'node:zlib'
import type { Endpoint, FileAnswer, LiveAnswer, PreparedList } from '../../contract/endpoint.ts'
import { isObject } from '../request/json.ts'
import { type Paging, pageHeaders } from './list.ts'
import { type Headers, send, sendChunks, sendUnchanged, stream, type WholeResponse } from './response.ts'
import { ResponseCache } from './response-cache.ts'
import { sendFile, sendLive } from './stream.ts'

/** Where an answer goes, and what it must say beside the handler's own part. */
interface Destination {
  readonly endpoint: Endpoint
  readonly response: ServerResponse
  readonly headers: Headers
  readonly paging: Paging | undefined
  readonly url: { readonly path: string; readonly query: string }
}

export interface RespondOptions extends Destination {
  readonly request: IncomingMessage
}

/** In what form a client takes an answer, and what it has of it already, as its headers say. */
export interface Conditions {
  readonly ifNoneMatch: string | undefined
  readonly acceptEncoding: string | undefined
}

/** Puts what a handler returned into its envelope and sends it. */
export async function respond(answer: unknown, to: RespondOptions): Promise<void> {
  const { endpoint, response, headers } = to
  const status = endpoint.ok
  if (isObject(answer) && isBytes(answer.bytes)) return send(response, { status, headers, body: answer.bytes })
  if (isObject(answer) && isFile(answer.file)) return sendFile(response, headers, { ...answer, file: answer.file })
  if (isObject(answer) && isMessages(answer.live)) return sendLive(response, headers, answer.live)
  if (endpoint.answer !== 'list') return send(response, { status, headers, body: enveloped(endpoint, answer) })
  if (!isObject(answer)) throw new Error('A list row answered with no list.')
  if (isPrepared(answer)) {
    const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = to.request.headers
    return sendPrepared(answer, to, { ifNoneMatch, acceptEncoding: acceptEncoding?.toString() })
  }
  if (isParts(answer.items)) {
    const { paging, url } = to
    const more = paging && typeof answer.total === 'number' ? pageHeaders(paging, answer.total, url) : {}
    return stream(response, { status, headers: { ...headers, ...more }, items: answer.items })
  }
  if (isRows(answer.rows)) return stream(response, { status, headers, items: serialised(answer.rows) })
  const { items, more } = pageOf(answer, to)
  send(response, { status, headers: { ...headers, ...more }, body: underResponse(items) })
}

const opening = Buffer.from('{"status":"OK","response":[')
const closing = Buffer.from(']}')
/** Fewer bytes than these fit into one packet anyway. */
const worthPacking = 1_400

/** Sends what was prepared; with its tag, it is not sent again to whoever has it, and packed for whoever can unpack it. */
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
  } else if (list.size >= worthPacking && takesGzip(conditions.acceptEncoding)) {
    sendPacked(list, list.tag, response, { status, headers: { 'Content-Encoding': 'gzip', ...known } })
  } else {
    const size = opening.length + list.size + closing.length
    const body = joinedAnswers.find(list.tag, size, () => around(list))
    if (body) send(response, { status, headers: known, body })
    else sendChunks(response, { status, headers: known, pieces: around(list), size })
  }
}

/** Sends a gzipped list: from the cache, or compressed on a thread of its own. */
function sendPacked(
  list: PreparedList,
  tag: string,
  response: ServerResponse,
  head: Omit<WholeResponse, 'body'>,
): void {
  const known = packedAnswers.get(tag)
  if (known) {
    send(response, { ...head, body: known })
    return
  }
  gzip(Buffer.concat(around(list)), { level: constants.Z_BEST_SPEED }, (error, body) => {
    if (error) response.destroy(error)
    else packedAnswers.set(tag, body)
    if (!response.destroyed) send(response, { ...head, body })
  })
}

const joinedAnswers = new ResponseCache()
const packedAnswers = new ResponseCache()

function around({ pieces }: PreparedList): readonly Uint8Array[] {
  return [opening, ...pieces, closing]
}

/** Whether the client has what the tag names, as its `If-None-Match` says. */
function isKnown(tag: string, has: string | undefined): boolean {
  if (has === undefined) return false
  return has === tag || has === '*' || has.split(',').some((one) => one.trim() === tag)
}

function takesGzip(accepted: string | undefined): boolean {
  return accepted !== undefined && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted)
}

function enveloped({ answer }: Endpoint, value: unknown): string {
  if (answer === 'response') return underResponse(value)
  return JSON.stringify(answer === 'id' && isObject(value) ? { status: 'OK', id: value.id } : { status: 'OK' })
}

function underResponse(value: unknown): string {
  return `{"status":"OK","response":${JSON.stringify(value)}}`
}

function isPrepared(answer: object): answer is PreparedList {
  return 'pieces' in answer
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

// Told from rows by its name alone, which the type of the handler's answer holds to.
function isParts(value: unknown): value is AsyncIterable<string | Uint8Array> {
  return isRows(value)
}

async function* serialised(rows: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  for await (const part of rows) if (part.length > 0) yield `,${part.map((row) => JSON.stringify(row)).join(',')}`
}

function pageOf(
  answer: Readonly<Record<string, unknown>>,
  { paging, url }: RespondOptions,
): { items: readonly unknown[]; more: Headers } {
  const all = Array.isArray(answer.all) ? answer.all : undefined
  const items = all ?? (Array.isArray(answer.page) ? answer.page : [])
  if (!paging) return { items, more: {} }
  const { offset, limit } = paging
  const total = all ? all.length : Number(answer.total)
  return { items: all ? all.slice(offset, offset + limit) : items, more: pageHeaders(paging, total, url) }
}
