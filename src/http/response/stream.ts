import type { ServerResponse } from 'node:http'
import type { FileAnswer, LiveAnswer } from '../../contract/endpoint.ts'
import { type Headers, written } from './response.ts'

/** What a download needs to be known by. */
interface Download {
  readonly file: FileAnswer['file']
  readonly name?: unknown
  readonly type?: unknown
  readonly bytes?: unknown
}

/** Sends a file as it comes, no faster than it is taken, for the browser to keep. */
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
    if (!(await written(response, part))) throw new Error('Whoever asked for the file went away.')
  })
  response.end()
}

/** Sends messages as they happen, until whoever listens is gone or nothing more comes. */
export async function sendLive(
  response: ServerResponse,
  headers: Headers,
  live: LiveAnswer<unknown>['live'],
): Promise<void> {
  // A client that left earlier: `close` was emitted before anything listened for it.
  if (response.destroyed || response.closed) return
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // A proxy that gathers answers would hold the messages back.
    'X-Accel-Buffering': 'no',
  })
  for await (const message of live(gone.signal)) {
    const text = message === null ? ':\n\n' : `data: ${JSON.stringify(message)}\n\n`
    if (!(await written(response, text))) return
  }
  response.end()
}
