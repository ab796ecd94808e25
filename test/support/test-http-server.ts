import { connect } from 'node:net'
import type { CheckedToken, Token, TokenRegister } from '../../src/access/tokens/token.ts'
import type { PublicApi } from '../../src/contract/public-api.ts'
import type { ReadDatabase } from '../../src/db/database.ts'
import type { App, Context, Operation, Outcome } from '../../src/db/perform/app.ts'
import type { Handlers, ReadyFinder } from '../../src/http/call.ts'
import type { Observer } from '../../src/http/load/admission.ts'
import type { Refusal } from '../../src/messages/refusal.ts'
import { createServer } from '../../src/server/http-server.ts'

/**
 * The only operation behind the HTTP server of a test. The operation records its input and returns the outcome that
 * the test specifies.
 */
export type RecordingOperations = {
  readonly record: Operation<{ readonly row: string; readonly query: unknown; readonly body: unknown }, { id: string }>
}

/** A write that reached the operation, with its route, query, body and context. */
export interface RecordedWrite {
  readonly row: string
  readonly query: unknown
  readonly body: unknown
  readonly context: Context
}

/** The HTTP server of a test, with the writes that reached it. */
export interface TestHttpServer {
  readonly url: string
  readonly writes: RecordedWrite[]
  readonly logged: { level: string; fields: Readonly<Record<string, unknown>>; message: string }[]
  readonly uses: { tokenId: string; address: string }[]
  /** The server's clock in Unix seconds; a test may change the time. */
  readonly clock: { now: number }
  call(path: string, options?: HttpCallOptions): Promise<HttpCallResponse>
  /** Sends bytes and returns everything received until the connection closes. */
  raw(bytes: string | Uint8Array): Promise<string>
  /** Shuts down gracefully as the service does; `grace` is in milliseconds. */
  stop(grace: number): Promise<void>
  close(): Promise<void>
}

/** The options of one HTTP call: method, token, body and headers. */
export interface HttpCallOptions {
  readonly method?: string
  readonly token?: string | null
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** The response to one HTTP call. */
export interface HttpCallResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Parsed JSON, untyped as in a JavaScript client.
  readonly body: ReturnType<typeof JSON.parse>
}

const tokens: Readonly<Record<string, Token>> = {
  reader: { id: 't_reader', name: 'Reader', scope: 'read', rateLimit: null },
  writer: { id: 't_writer', name: 'Writer', scope: 'write', rateLimit: null },
  slow: { id: 't_slow', name: 'Slow', scope: 'write', rateLimit: 2 },
}

/** The options of the HTTP server that `startTestHttpServer` starts. */
export interface TestHttpServerOptions {
  readonly perform?: (write: RecordedWrite) => Outcome<{ id: string }>
  readonly handlers?: Partial<Handlers<PublicApi, RecordingOperations>>
  readonly wrongTokensPerMinute?: number
  readonly ready?: () => Promise<boolean>
  readonly trustProxy?: boolean | string
  /** Finds cached availability, which the server then sends without running its router (the fast path). */
  readonly findAvailability?: ReadyFinder<PublicApi['GET /availability/get/']>
  readonly maxRequests?: number
  readonly maxConnections?: number
  readonly observer?: Observer
}

function checked(secret: string): CheckedToken {
  const token = Object.hasOwn(tokens, secret) ? tokens[secret] : undefined
  if (token) return { token }
  if (secret === 'revoked') return { reason: 'revoked_token' }
  return { reason: secret === 'expired' ? 'expired_token' : 'invalid_token' }
}

const noDatabase = (): never => {
  throw new Error('No test of the HTTP server reads a database.')
}
const unusedDatabase: ReadDatabase = {
  get dialect() {
    return noDatabase()
  },
  get build() {
    return noDatabase()
  },
  run: noDatabase,
  snapshot: noDatabase,
  stream: noDatabase,
  texts: noDatabase,
  longSnapshot: noDatabase,
  caughtUp: noDatabase,
  streams: 0,
  close: noDatabase,
}

/** Starts the service's HTTP server on a free port, with handlers that record writes in `writes`. */
export async function startTestHttpServer(options: TestHttpServerOptions = {}): Promise<TestHttpServer> {
  const writes: RecordedWrite[] = []
  const logged: TestHttpServer['logged'] = []
  const uses: TestHttpServer['uses'] = []
  const clock = { now: 1_000_000 }
  const log = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void logged.push({ level, fields, message })
  const app: App<RecordingOperations> = {
    db: unusedDatabase,
    now: () => clock.now,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    perform: async (_name, input, context) => {
      // Input and outcome pass through JSON, because in the service they are plain data sent between threads.
      const one: RecordedWrite = { ...JSON.parse(JSON.stringify(input)), context }
      writes.push(one)
      return JSON.parse(JSON.stringify(options.perform?.(one) ?? { ok: { id: 'r_1' } }))
    },
  }
  const register: TokenRegister = {
    check: async (secret) => checked(secret),
    remembered: checked,
    recordUse: (tokenId, address) => void uses.push({ tokenId, address }),
    flush: async () => true,
  }
  const { fastify: server, close: stop } = createServer<RecordingOperations>({
    app,
    handlers: { ...recordingHandlers(), ...options.handlers },
    tokens: register,
    ...(options.maxConnections !== undefined && { maxConnections: options.maxConnections }),
    ...(options.maxRequests !== undefined && { maxRequests: options.maxRequests }),
    ...(options.observer && { observer: options.observer }),
    ...(options.findAvailability && { findAvailability: options.findAvailability }),
    trustProxy: options.trustProxy ?? false,
    ready: options.ready ?? (async () => true),
    isUnavailable: (error) => error instanceof Error && error.message === 'database is locked',
    ...(options.wrongTokensPerMinute !== undefined && { wrongTokensPerMinute: options.wrongTokensPerMinute }),
  })
  const url = await server.listen({ port: 0, host: '127.0.0.1' })
  const port = Number(new URL(url).port)
  return {
    url,
    writes,
    logged,
    uses,
    clock,
    call: (path, callOptions) => call(`${url}/api/v1${path}`, callOptions),
    raw: (bytes) => exchange(port, bytes),
    stop,
    close: () => server.close(),
  }
}

/**
 * Returns handlers that pass each write to the operation `record`, and answer each read with fixed data, mostly an
 * empty list.
 */
function recordingHandlers(): Handlers<PublicApi, RecordingOperations> {
  const write = (row: string) => (call: { query: object; body: unknown; perform: PerformRecord }) =>
    call.perform('record', { row, query: call.query, body: call.body })
  return {
    'GET /auth/verify/': ({ token }) => ({ name: token.name, scopes: token.scopes, siteUrl: '' }),
    'GET /availability/get/': () => ({ all: [] }),
    'GET /services/get/': () => ({ all: [] }),
    'GET /providers/get/': () => ({
      all: [1, 2, 3, 4, 5].map((id) => ({ id, name: `P${id}`, email: 'p@example.com' })),
    }),
    'GET /customers/get/': () => ({ all: [] }),
    'GET /reservations/get/': () => ({ all: [] }),
    'POST /reservations/add/': write('reservations.add'),
    'POST /reservations/edit/': withoutResult(write('reservations.edit')),
    'POST /reservations/remove/': withoutResult(write('reservations.remove')),
    'POST /customers/add/': write('customers.add'),
    'POST /customers/edit/': withoutResult(write('customers.edit')),
    'POST /customers/remove/': withoutResult(write('customers.remove')),
    'POST /services/add/': write('services.add'),
    'POST /services/edit/': withoutResult(write('services.edit')),
    'POST /services/remove/': withoutResult(write('services.remove')),
    'POST /providers/edit/': withoutResult(write('providers.edit')),
    'POST /providers/edit/service/': withoutResult(write('providers.edit.service')),
    'GET /availability/explain/': () => ({
      bookable: true,
      serviceId: 's',
      providerId: 1,
      start: 0,
      end: 1,
      rules: [],
    }),
    'GET /events/get/': () => [],
  }
}

type PerformRecord = (name: 'record', input: { row: string; query: unknown; body: unknown }) => Promise<{ id: string }>

function withoutResult<Input>(write: (call: Input) => Promise<unknown>) {
  return async (call: Input) => {
    await write(call)
    return {}
  }
}

async function call(url: string, options: HttpCallOptions = {}): Promise<HttpCallResponse> {
  const { token = 'writer', json } = options
  const body = options.body ?? (json === undefined ? undefined : JSON.stringify(json))
  const response = await fetch(url, {
    method: options.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

function exchange(port: number, bytes: string | Uint8Array): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let text = ''
  socket.setEncoding('utf8')
  socket.on('data', (part) => {
    text += part
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(text))
  return promise
}

/** Returns the outcome of an operation that threw this refusal. */
export function refusalOutcome(refusal: Refusal): Outcome<never> {
  return { refused: refusal.refused }
}
