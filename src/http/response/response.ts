import type { ServerResponse } from 'node:http'
import { countQueued } from '../load/send-queue.ts'

/** A header with several values is sent once for each. */
export type Headers = Readonly<Record<string, string | string[]>>

/** What every answer of the API says of itself. */
const constants = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
] as const

/**
 * A head as names and values in turns: Node takes that with less work than an object, and an object of several would first
 * have to be put together. What is said of an answer itself goes before what every answer says.
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

/** A whole answer: made as text, or bytes that were serialised before. */
export interface WholeResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array
}

/** Sends a whole answer with its length; every answer but a long list leaves here. */
export function send(response: ServerResponse, { status, headers, body }: WholeResponse): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  response.writeHead(status, headOf(headers, length))
  response.end(body)
  countQueued(response)
}

/** Sends a status that says all. */
export function sendStatus(response: ServerResponse, status: 204): void {
  response.writeHead(status, { 'Cache-Control': 'no-store' })
  response.end()
}

/** Says that what the client has is what it would be sent. */
export function sendUnchanged(response: ServerResponse, headers: Headers): void {
  response.writeHead(304, linesOf(headers))
  response.end()
}

/** A whole answer in pieces, each sent from where it is. */
export interface ChunkedResponse {
  readonly status: number
  readonly headers: Headers
  readonly pieces: readonly Uint8Array[]
  /** Bytes of all pieces. */
  readonly size: number
}

/** Sends pieces as one whole answer, in one write to the network. */
export function sendChunks(response: ServerResponse, { status, headers, pieces, size }: ChunkedResponse): void {
  response.writeHead(status, headOf(headers, size))
  response.cork()
  for (const piece of pieces) response.write(piece)
  response.end()
  countQueued(response)
}

/** A list that may be longer than memory should hold. */
export interface StreamedList {
  readonly status: number
  readonly headers: Headers
  /** The JSON of some items at a time, each with a comma before it; as bytes it is sent without a copy. */
  readonly items: AsyncIterable<string | Uint8Array>
}

const opening = '{"status":"OK","response":['
const closing = ']}'
/** Characters gathered before they are written; a list within them is sent whole, with its length. */
const chunkSize = 65_536

/** Sends the list as it comes, no faster than the client takes it; a client that goes away ends the reading. */
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

/** Writes and waits until there is room for more; false when nobody reads any longer. */
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
