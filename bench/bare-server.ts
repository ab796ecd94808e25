import { createServer } from 'node:http'
import { authenticateToken } from '../src/access/tokens/authenticate-token.routes.ts'
import { tokenRegister } from '../src/access/tokens/tokens.operations.ts'
import { SqliteReads } from '../src/db/sqlite/sqlite-reads.ts'
import { createThrottle } from '../src/http/load/throttle.ts'

/** The response to one path. */
export interface BareAnswer {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The data with which the bare server is started. */
export interface BareData {
  readonly file: string
  readonly answers: readonly BareAnswer[]
}

// The reference of every figure that compares with "bare": the same bytes from Node's own server after the same check
// of the token, and nothing else.
process.once('message', serve)

function serve({ file, answers }: BareData): void {
  const db = new SqliteReads(file)
  const authentication = {
    tokens: tokenRegister({ db, perform: async () => ({ ok: null }) }),
    wrongTokens: createThrottle(),
    requests: createThrottle(),
    wrongTokensPerMinute: 1000,
  }
  const ready = new Map(answers.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body) }]))
  const server = createServer(async (request, response) => {
    const answer = ready.get(request.url ?? '')
    const now = Math.floor(Date.now() / 1000)
    await authenticateToken(authentication, {
      request,
      address: request.socket.remoteAddress ?? '',
      scope: 'read',
      now,
    })
    if (request.headers['if-none-match'] !== undefined) {
      response.writeHead(304, answer?.headers)
      response.end()
      return
    }
    response.writeHead(200, { ...answer?.headers, 'Content-Length': answer?.body.length })
    response.end(answer?.body)
  })
  // Like the service: connections stay open while others are measured.
  server.keepAliveTimeout = 72_000
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
}
