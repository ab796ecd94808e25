import type { ServerResponse } from 'node:http'
import { countQueued } from '../load/send-queue.ts'

/** Response headers; a header with several values is sent once for each. */
export type Headers = Readonly<Record<string, string | string[]>>

/** The headers of each response that `headOf` builds, unless the response sets them itself. */
const constants = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/**
 * Returns the headers as an array of alternating names and values, which Node processes faster than objects that would
 * have to be merged. A header in `headers` replaces the constant header of the same name.
 */
function headOf(headers: Headers, length?: number): (string | number)[] {
  const head = linesOf(headers)
  for (const [name, value] of constants) if (headers[name] === undefined) head.push(name, value)
  if (length !== undefined) head.push('Content-Length', length)
  return head
}

function linesOf(headers: Headers): (string | number)[] {
  const lines: (string | number)[] = []
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (typeof value === 'string') lines.push(name, value)
    else for (const one of value) lines.push(name, one)
  }
  return lines
}

/** A complete response, as text or serialised bytes. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array
}

/** Sends a complete response with its `Content-Length`; a 503 tells the client to try again after a second. */
export function send(response: ServerResponse, { status, headers, body }: WholeResponse): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  response.writeHead(status, headOf(status === 503 ? { 'Retry-After': '1', ...headers } : headers, length))
  response.end(body)
  countQueued(response)
}

/** Sends a status without a body. */
export function sendStatus(response: ServerResponse, status: 204): void {
  response.writeHead(status, { 'Cache-Control': 'no-store' })
  response.end()
}

/**
 * Whether `If-None-Match` (`has`) contains the tag or is `*`. The comparison is weak (RFC 9110, 13.1.2), since a proxy
 * that compresses a response makes its tag weak.
 */
export function isKnown(tag: string, has: string | undefined): boolean {
  if (has === undefined) return false
  return has === tag || has.trim() === '*' || has.split(',').some((one) => strong(one.trim()) === strong(tag))
}

function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag
}

/** Sends 304 without a body. */
export function sendUnchanged(response: ServerResponse, headers: Headers): void {
  response.writeHead(304, linesOf(headers))
  response.end()
}

/** A complete response in several pieces. */
export interface ChunkedResponse {
  readonly status: number
  readonly headers: Headers
  readonly pieces: readonly Uint8Array[]
  /** The total number of bytes of all pieces. */
  readonly size: number
}

/** Sends all pieces as one response, in one write to the network. */
export function sendChunks(response: ServerResponse, { status, headers, pieces, size }: ChunkedResponse): void {
  response.writeHead(status, headOf(headers, size))
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
  countQueued(response)
}

/** A list that may be too long to hold in memory. */
export interface StreamedList {
  readonly status: number
  readonly headers: Headers
  /**
   * Parts of the list's JSON with a comma before every item; `stream` omits the comma before the first item of the
   * list. A part that is given as bytes is sent without a copy.
   */
  readonly items: AsyncIterable<string | Uint8Array>
}

const opening = '{"status":"OK","response":['
const closing = ']}'
/**
 * The number of characters of text parts that are buffered before a write. A list of text parts that is shorter in
 * total is sent with a `Content-Length`.
 */
const chunkSize = 65_536

/** Streams a list with back-pressure; stops reading when the client disconnects. */
export async function stream(response: ServerResponse, { status, headers, items }: StreamedList): Promise<void> {
  let text = ''
  let first = true
  for await (const item of items) {
    const isText = typeof item === 'string'
    text += first ? opening : ''
    if (isText) text += first ? item.slice(1) : item
    if (isText && text.length < chunkSize) {
      first = false
      continue
    }
    if (!response.headersSent) response.writeHead(status, headOf(headers))
    if (text !== '' && !(await written(response, text))) return
    if (!isText && !(await written(response, first ? item.subarray(1) : item))) return
    text = ''
    first = false
  }
  text += first ? opening + closing : closing
  if (response.headersSent) response.end(text)
  else send(response, { status, headers, body: text })
}

/** Writes a part of a response. Resolves to true when the next part can be written, to false if the client has left. */
export function written(response: ServerResponse, part: string | Uint8Array): boolean | Promise<boolean> {
  if (response.destroyed) return false
  if (response.write(part)) return true
  countQueued(response)
  return new Promise((room) => {
    const over = (): void => {
      response.off('drain', over).off('close', over)
      room(!response.destroyed)
    }
    response.on('drain', over).on('close', over)
  })
}
