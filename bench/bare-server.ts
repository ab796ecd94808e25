import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'

/** The response that the bare server sends for one path. */
export interface BareAnswer {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Whether the body is sent with gzip, compressed once when the server starts. */
  readonly packed?: boolean
}

/** The message that starts the bare server: the accepted tokens and the responses. */
export interface BareData {
  readonly tokens: readonly string[]
  readonly answers: readonly BareAnswer[]
}

// The bare server is the baseline of every figure that compares with "bare". It sends the service's responses with
// Node's HTTP server, or a 304 to a conditional request, or a 401 to an unknown token or path. Apart from looking up a
// hash of the token in a map, it does nothing else.
process.once('message', serve)

function serve({ tokens, answers }: BareData): void {
  const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')
  const known = new Map(tokens.map((token) => [hashOf(token), token]))
  const ready = new Map(
    answers.map(({ path, headers, body, packed }) => [
      path,
      { headers, body: packed ? gzipSync(body, { level: 1 }) : Buffer.from(body) },
    ]),
  )
  const server = createServer((request, response) => {
    const token = request.headers.authorization?.slice('Bearer '.length) ?? ''
    const answer = ready.get(request.url ?? '')
    if (!known.has(hashOf(token)) || !answer) {
      response.writeHead(401)
      response.end()
      return
    }
    if (request.headers['if-none-match'] !== undefined) {
      response.writeHead(304, answer.headers)
      response.end()
      return
    }
    response.writeHead(200, { ...answer.headers, 'Content-Length': answer.body.length })
    response.end(answer.body)
  })
  // The same timeout as in the service, in milliseconds. Idle connections stay open while other servers are measured.
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
}
