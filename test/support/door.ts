import { connect } from 'node:net'
import type { CheckedToken, Token, TokenRegister } from '../../src/access/tokens/token.ts'
import type { PublicApi } from '../../src/contract/public-api.ts'
import type { ReadDatabase } from '../../src/db/database.ts'
import type { App, Context, Operation, Outcome } from '../../src/db/perform/app.ts'
import type { Handlers, ReadyFinder } from '../../src/http/call.ts'
import type { Observer } from '../../src/http/load/admission.ts'
import type { Refusal } from '../../src/messages/refusal.ts'
import { createServer } from '../../src/server/http-server.ts'

/** The only operation behind the HTTP server of a test: it records its input and responds as the test specifies. */
export type DoorCommands = {
  readonly ask: Operation<{ readonly row: string; readonly query: unknown; readonly body: unknown }, { id: string }>
}

/** A write that reached the operation, with its input and context. */
export interface Asked {
  readonly row: string
  readonly query: unknown
  readonly body: unknown
  readonly context: Context
}

/** The HTTP server of a test, with the writes that reached it. */
export interface Door {
  readonly url: string
  readonly asked: Asked[]
  readonly logged: { level: string; fields: Readonly<Record<string, unknown>>; message: string }[]
  readonly uses: { tokenId: string; address: string }[]
  /** Unix seconds; a test may change the time. */
  readonly clock: { now: number }
  call(path: string, options?: CallOptions): Promise<Answered>
  /** Sends bytes and returns everything received until the connection closes. */
  raw(bytes: string | Uint8Array): Promise<string>
  close(): Promise<void>
}

/** The options of one call. */
export interface CallOptions {
  readonly method?: string
  readonly token?: string | null
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A response. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // Untyped, as clients in JavaScript read it.
  readonly body: ReturnType<typeof JSON.parse>
}

const tokens: Readonly<Record<string, Token>> = {
  reader: { id: 't_reader', name: 'Reader', scope: 'read', rateLimit: null },
  writer: { id: 't_writer', name: 'Writer', scope: 'write', rateLimit: null },
  slow: { id: 't_slow', name: 'Slow', scope: 'write', rateLimit: 2 },
}

/** The options of `openDoor`. */
export interface DoorOptions {
  readonly perform?: (asked: Asked) => Outcome<{ id: string }>
  readonly handlers?: Partial<Handlers<PublicApi, DoorCommands>>
  readonly wrongTokensPerMinute?: number
  readonly ready?: () => Promise<boolean>
  readonly trustProxy?: boolean | string
  /** Finds cached availability, for the fast path. */
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
  throw new Error('No test of the door reads a database.')
}
const unread: ReadDatabase = {
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

/** Starts the real HTTP server on a free port, with handlers that record their requests. */
export async function openDoor(options: DoorOptions = {}): Promise<Door> {
  const asked: Asked[] = []
  const logged: Door['logged'] = []
  const uses: Door['uses'] = []
  const clock = { now: 1_000_000 }
  const log = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) =>
    void logged.push({ level, fields, message })
  const app: App<DoorCommands> = {
    db: unread,
    now: () => clock.now,
    log: { info: log('info'), warn: log('warn'), error: log('error') },
    perform: async (_name, input, context) => {
      // Inputs are plain data, as when they are sent between threads.
      const one: Asked = { ...JSON.parse(JSON.stringify(input)), context }
      asked.push(one)
      return JSON.parse(JSON.stringify(options.perform?.(one) ?? { ok: { id: 'r_1' } }))
    },
  }
  const register: TokenRegister = {
    check: async (secret) => checked(secret),
    remembered: checked,
    recordUse: (tokenId, address) => void uses.push({ tokenId, address }),
    flush: async () => true,
  }
  const { fastify: server } = createServer<DoorCommands>({
    app,
    handlers: { ...handing(), ...options.handlers },
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
    asked,
    logged,
    uses,
    clock,
    call: (path, callOptions) => call(`${url}/api/v1${path}`, callOptions),
    raw: (bytes) => exchange(port, bytes),
    close: () => server.close(),
  }
}

/** Handlers that record a POST, and answer a read with its query. */
function handing(): Handlers<PublicApi, DoorCommands> {
  const write = (row: string) => (call: { query: object; body: unknown; perform: PerformAsk }) =>
    call.perform('ask', { row, query: call.query, body: call.body })
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
    'POST /reservations/edit/': nothing(write('reservations.edit')),
    'POST /reservations/remove/': nothing(write('reservations.remove')),
    'POST /customers/add/': write('customers.add'),
    'POST /customers/edit/': nothing(write('customers.edit')),
    'POST /customers/remove/': nothing(write('customers.remove')),
    'POST /services/add/': write('services.add'),
    'POST /services/edit/': nothing(write('services.edit')),
    'POST /services/remove/': nothing(write('services.remove')),
    'POST /providers/edit/': nothing(write('providers.edit')),
    'POST /providers/edit/service/': nothing(write('providers.edit.service')),
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

type PerformAsk = (name: 'ask', input: { row: string; query: unknown; body: unknown }) => Promise<{ id: string }>

function nothing<Input>(write: (call: Input) => Promise<unknown>) {
  return async (call: Input) => {
    await write(call)
    return {}
  }
}

async function call(url: string, options: CallOptions = {}): Promise<Answered> {
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

/** The outcome of a refusal. */
export function refusing(refusal: Refusal): Outcome<never> {
  return { refused: refusal.refused }
}
