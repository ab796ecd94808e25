import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { type DatabaseKind, freshDatabase } from './databases.ts'
import { type CommandResult, command, commandHere, end, freshFolder, type Server, serve } from './daybook.ts'
import { dropDatabase, hasPostgres, postgresServer } from './postgres.ts'

/** The options of `startService`. */
export interface ServiceOptions {
  /** The site file to apply, as an object. */
  readonly site?: object
  /** PostgreSQL instead of the embedded database. */
  readonly databaseUrl?: string
  /** The initial time of the service's clock, in Unix seconds. */
  readonly now?: number
  readonly env?: Readonly<Record<string, string>>
  /** The data directory, instead of a new one. */
  readonly dataDir?: string
  /** Additional arguments of `serve`. */
  readonly serve?: readonly string[]
  /** A service whose PostgreSQL database and tokens this one shares, as a further node. */
  readonly beside?: Service
}

/** The options of one call. */
export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** Sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown
  /** The write token unless another is given; `null` sends none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Any response of the API; a test asserts on the fields it expects. */
export interface AnyBody {
  readonly status: string
  readonly id: string
  readonly response: readonly AnyRow[]
  readonly code: number | string
  readonly error: string
  readonly reason: string
  readonly details: Readonly<Record<string, string>>
  readonly message: string
  readonly data: Readonly<Record<string, unknown>>
  readonly messages?: Readonly<Record<string, unknown>>
}

/** Any row of a list. */
export interface AnyRow {
  readonly id: string
  readonly [field: string]: unknown
}

/** A response with its parsed body. */
export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

/** The real service in a separate process, as started by its operator. */
export interface Service {
  /** `http://127.0.0.1:<port>`; different after a restart. */
  readonly url: string
  /** The API root. */
  readonly root: string
  readonly dataDir: string
  /** The PostgreSQL database, where it runs on one. */
  readonly databaseUrl: string | undefined
  readonly readToken: string
  readonly writeToken: string
  /** The server's process id. */
  readonly pid: number | undefined
  /** Everything that the running server has printed on stdout. */
  readonly stdout: string
  /** Everything that the running server has printed on stderr. */
  readonly stderr: string
  call<Body = AnyBody>(
    method: 'GET' | 'POST' | (string & {}),
    path: string,
    options?: CallOptions,
  ): Promise<Answer<Body>>
  /** Runs a command on the same data while the server runs. */
  daybook(...args: readonly string[]): Promise<CommandResult>
  /** Applies a site file; fails when the command refuses. */
  apply(site: object): Promise<void>
  /** Sends SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL. */
  kill(): Promise<void>
  /** Restarts the service on the same data with the same options; its clock at `now` if given. */
  restart(change?: { readonly now?: number }): Promise<void>
}

/** Starts the service on fresh data with a token of each scope and the site applied; resolves when ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? freshFolder()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...(options.now === undefined ? {} : { DAYBOOK_NOW: String(options.now) }),
    ...options.env,
  }
  const place = options.databaseUrl ? ['--database-url', options.databaseUrl] : ['--data-dir', dataDir]
  const daybook = async (...args: readonly string[]): Promise<CommandResult> => {
    const result = await command([...args, ...place], env)
    // On PostgreSQL a command is another process, whose commits a node applies a moment later.
    if (options.databaseUrl) await applied(server.url, Date.now())
    return result
  }
  const here = (...args: readonly string[]): Promise<CommandResult> => commandHere([...args, ...place], env)
  const start = (): Promise<Server> => serve([...place, ...(options.serve ?? [])], env)
  const apply = async (site: object): Promise<void> => {
    const file = join(freshFolder(), 'site.json')
    writeFileSync(file, JSON.stringify(site))
    const { code, stderr } = await here('apply', file)
    assert.equal(code, 0, stderr)
    if (options.databaseUrl) await applied(server.url, Date.now())
  }
  let server = await start()
  const [readToken, writeToken] = await Promise.all([
    options.beside?.readToken ?? createToken(here, 'read'),
    options.beside?.writeToken ?? createToken(here, 'write'),
    options.site ? apply(options.site) : undefined,
  ])
  return {
    get url() {
      return server.url
    },
    get root() {
      return `${server.url}/api/v1`
    },
    get pid() {
      return server.child.pid
    },
    get stdout() {
      return server.stdout()
    },
    get stderr() {
      return server.stderr()
    },
    dataDir,
    databaseUrl: options.databaseUrl,
    readToken,
    writeToken,
    daybook,
    apply,
    call: (method, path, call = {}) => ask(`${server.url}/api/v1${path}`, method, { token: writeToken, ...call }),
    stop: () => end(server.child, 'SIGTERM'),
    kill: async () => {
      await end(server.child, 'SIGKILL')
    },
    restart: async ({ now } = {}) => {
      if (now !== undefined) env.DAYBOOK_NOW = String(now)
      server = await start()
    },
  }
}

/** Requests one URL and reads the complete response; JSON is parsed. */
async function ask<Body = AnyBody>(url: string, method: string, options: CallOptions): Promise<Answer<Body>> {
  const { query = {}, body, token, headers = {} } = options
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const response = await fetch(`${url}${search.size > 0 ? `?${search}` : ''}`, {
    method,
    headers: {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : undefined, text }
}

async function createToken(daybook: Service['daybook'], scope: 'read' | 'write'): Promise<string> {
  const { code, stdout, stderr } = await daybook('token', 'create', '--name', `test ${scope}`, '--scope', scope)
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

/**
 * Runs the tests of the body once per database; `open` starts the service on a fresh one, which is removed afterwards.
 * Without PostgreSQL, its half is skipped with the reason.
 */
export function eachDatabase(
  body: (kind: DatabaseKind, open: (options?: Omit<ServiceOptions, 'databaseUrl'>) => Promise<Service>) => void,
): void {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const skip = kind === 'postgres' && !hasPostgres() ? 'PostgreSQL is not installed' : false
    describe(`on ${kind}`, { skip }, () => {
      const opened: Service[] = []
      body(kind, async (options) => {
        const databaseUrl = kind === 'postgres' ? { databaseUrl: await freshPostgres() } : {}
        const service = await startService({ ...options, ...databaseUrl })
        opened.push(service)
        return service
      })
      after(async () => {
        for (const service of opened) {
          await service.kill()
          await dropPostgres(service.databaseUrl)
        }
      })
    })
  }
}

async function freshPostgres(): Promise<string> {
  const { at } = await freshDatabase('postgres')
  assert.ok('databaseUrl' in at)
  return at.databaseUrl
}

async function dropPostgres(databaseUrl: string | undefined): Promise<void> {
  const server = await postgresServer()
  if (server && databaseUrl !== undefined) await dropDatabase(server, databaseUrl)
}

/** Resolves when the node has applied what other processes committed before an instant (milliseconds). */
async function applied(url: string, before: number): Promise<void> {
  for (;;) {
    const asked = Date.now()
    const response = await fetch(`${url}/metrics`).catch(() => undefined)
    // A service that is stopped, or shows its metrics to token holders only, has nothing to wait for.
    if (!response?.ok) return
    const text = await response.text()
    const age = Number(/^daybook_invalidation_age_seconds (\S+)$/m.exec(text)?.[1])
    if (asked - age * 1000 > before) return
  }
}
