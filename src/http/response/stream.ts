import type { ServerResponse } from 'node:http'
import type { FileAnswer, LiveAnswer } from '../../contract/endpoint.ts'
import { type Headers, written } from './response.ts'

/** A download: the function that writes its content, its file name, its media type and its size in bytes. */
interface Download {
  readonly file: FileAnswer['file']
  readonly name?: unknown
  readonly type?: unknown
  readonly bytes?: unknown
}

/** Streams a file with back-pressure, as an attachment. */
export async function sendFile(response: ServerResponse, headers: Headers, file: Download): Promise<void> {
  response.writeHead(200, {
    ...headers,
    'Content-Type': String(file.type),
    'Content-Disposition': `attachment; filename="${String(file.name)}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(typeof file.bytes === 'number' && { 'Content-Length': file.bytes }),
  })
  await file.file(async (part) => {
    if (!(await written(response, part))) throw new Error('The client disconnected during the download.')
  })
  response.end()
}

/**
 * Sends the messages of `live` as server-sent events until the client disconnects or `live` ends. A null instead of a
 * message is sent as a comment that prevents the connection from being closed as idle.
 */
export async function sendLive(
  response: ServerResponse,
  headers: Headers,
  live: LiveAnswer<unknown>['live'],
): Promise<void> {
  // If the client has disconnected already, `close` is not emitted again.
  if (response.destroyed || response.closed) return
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // This header disables buffering in a proxy, which would delay the messages.
    'X-Accel-Buffering': 'no',
  })
  for await (const message of live(gone.signal)) {
    const text = message === null ? ':\n\n' : `data: ${JSON.stringify(message)}\n\n`
    if (!(await written(response, text))) return
  }
  response.end()
}
