import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

export type Headers = Readonly<Record<string, string>>

/** What every answer of the API says of itself. */
const constantHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const

/** A whole answer: made as text, or bytes that were serialised before. */
export interface WholeAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string | Uint8Array
}

/** Sends a whole answer with its length; every answer but a long list leaves here. */
export function send(response: ServerResponse, { status, headers, body }: WholeAnswer): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
  response.writeHead(status, { ...constantHeaders, ...headers, 'Content-Length': length })
  response.end(body)
}

/** Sends a status that says all. */
export function sendStatus(response: ServerResponse, status: 204): void {
  response.writeHead(status, { 'Cache-Control': 'no-store' })
  response.end()
}

/** A list that may be longer than memory should hold. */
export interface StreamedList {
  readonly status: number
  readonly headers: Headers
  readonly rows: AsyncIterable<readonly unknown[]>
}

const opening = '{"status":"OK","response":['
const closing = ']}'
/** Characters gathered before they are written; a list within them is sent whole, with its length. */
const chunkSize = 65_536

/** Sends the list as it comes, no faster than the client takes it; a client that goes away ends the reading. */
export async function stream(response: ServerResponse, { status, headers, rows }: StreamedList): Promise<void> {
  let text = opening
  let first = true
  for await (const chunk of rows) {
    for (const row of chunk) {
      text += first ? JSON.stringify(row) : `,${JSON.stringify(row)}`
      first = false
    }
    if (text.length < chunkSize) continue
    if (!response.headersSent) response.writeHead(status, { ...constantHeaders, ...headers })
    if (!(await written(response, text))) return
    text = ''
  }
  if (response.headersSent) response.end(text + closing)
  else send(response, { status, headers, body: text + closing })
}

/** Writes and waits until there is room for more; false when nobody reads any longer. */
export async function written(response: ServerResponse, text: string | Uint8Array): Promise<boolean> {
  if (response.destroyed) return false
  if (response.write(text)) return true
  const stop = new AbortController()
  const { signal } = stop
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  stop.abort()
  return !response.destroyed
}
