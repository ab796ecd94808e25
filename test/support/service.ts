import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { type DatabaseKind, excluded, freshDatabase } from './databases.ts'
import {
  type CommandResult,
  command,
  commandInProcess,
  endProcess,
  freshFolder,
  type Server,
  serve,
} from './daybook.ts'
import { pause } from './pause.ts'
import { dropDatabase, hasPostgres, postgresServer } from './postgres.ts'

/** The options of `startService`. */
export interface ServiceOptions {
  /** The content of the site file to apply. */
  readonly site?: object
  /** The URL of a PostgreSQL database to use instead of SQLite. */
  readonly databaseUrl?: string
  /** The initial time of the service's clock, in Unix seconds. */
  readonly now?: number
  readonly env?: Readonly<Record<string, string>>
  /** The data directory; when absent, a new temporary directory. */
  readonly dataDir?: string
  /** Additional arguments of `serve`. */
  readonly serve?: readonly string[]
  /**
   * A running service on the same PostgreSQL database. The new service process becomes a further node of its site, and
   * uses the tokens of the running service instead of creating its own.
   */
  readonly beside?: ServiceProcess
}

/** The options of one request to the API: query, body, token and headers. */
export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** The body of the request, sent as JSON; a string or bytes are sent unchanged. */
  readonly body?: unknown
  /** The token to send; the write token when absent, and no token when `null`. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** The parsed body of any response of the API; a test asserts the fields it expects. */
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

/** A row of any list that the API returns. */
export interface AnyRow {
  readonly id: string
  readonly [field: string]: unknown
}

/** An HTTP response with its body as text and parsed. */
export interface ApiResponse<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

/** The service in a separate process, started with `daybook serve` as its operator does. */
export interface ServiceProcess {
  /** The origin of the service, `http://127.0.0.1:<port>`; the port changes with a restart. */
  readonly url: string
  /** The URL of the API, `<url>/api/v1`. */
  readonly root: string
  readonly dataDir: string
  /** The URL of the PostgreSQL database; undefined on SQLite. */
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
  ): Promise<ApiResponse<Body>>
  /**
   * Runs a `daybook` command on the data of the service as a separate process, while the service runs or is stopped. On
   * PostgreSQL, also waits until a running service has applied the commits of the command to its caches, unless reading
   * its metrics requires a token.
   */
  daybook(...args: readonly string[]): Promise<CommandResult>
  /** Applies a site file with `daybook apply`; fails unless the command succeeds. */
  apply(site: object): Promise<void>
  /**
   * Sends SIGTERM to the service and resolves to the exit code of its process, or to null when a signal ended the
   * process.
   */
  stop(): Promise<number | null>
  /** Kills the service with SIGKILL and resolves when its process has ended. */
  kill(): Promise<void>
  /**
   * Starts the service again, after `stop` or `kill`, on the same data with the same options. Its clock starts at `now`
   * if given, otherwise as at the previous start.
   */
  restart(change?: { readonly now?: number }): Promise<void>
}

/**
 * Starts the service, on a new data directory unless the options name a database or a directory. Creates a read and a
 * write token unless another node has them, and applies the site file of the options. Resolves when the service is
 * ready.
 */
export async function startService(options: ServiceOptions = {}): Promise<ServiceProcess> {
  const dataDir = options.dataDir ?? freshFolder()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...(options.now === undefined ? {} : { DAYBOOK_NOW: String(options.now) }),
    ...options.env,
  }
  const place = options.databaseUrl ? ['--database-url', options.databaseUrl] : ['--data-dir', dataDir]
  const daybook = async (...args: readonly string[]): Promise<CommandResult> => {
    const result = await command([...args, ...place], env)
    // On PostgreSQL the service applies the commits of another process, such as this command, to its caches a moment
    // later.
    if (options.databaseUrl) await applied(server.url, Date.now())
    return result
  }
  const here = (...args: readonly string[]): Promise<CommandResult> => commandInProcess([...args, ...place], env)
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
    stop: () => endProcess(server.child, 'SIGTERM'),
    kill: async () => {
      await endProcess(server.child, 'SIGKILL')
    },
    restart: async ({ now } = {}) => {
      if (now !== undefined) env.DAYBOOK_NOW = String(now)
      server = await start()
    },
  }
}

/** Requests one URL and reads the complete response; `body` is the parsed JSON, or undefined for any other response. */
async function ask<Body = AnyBody>(url: string, method: string, options: CallOptions): Promise<ApiResponse<Body>> {
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

async function createToken(daybook: ServiceProcess['daybook'], scope: 'read' | 'write'): Promise<string> {
  const { code, stdout, stderr } = await daybook('token', 'create', '--name', `test ${scope}`, '--scope', scope)
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

/**
 * Defines the tests of `body` once per kind of database. `open` starts a service on a fresh database; after the tests,
 * the service is killed and its PostgreSQL database is dropped. Where PostgreSQL is not installed, or
 * `DAYBOOK_TEST_DATABASE` names the other kind, the tests are skipped with the reason.
 */
export function eachDatabase(
  body: (kind: DatabaseKind, open: (options?: Omit<ServiceOptions, 'databaseUrl'>) => Promise<ServiceProcess>) => void,
): void {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const missing = kind === 'postgres' && !hasPostgres() && 'PostgreSQL is not installed'
    const skip = excluded(kind) || missing
    describe(`on ${kind}`, { skip }, () => {
      const opened: ServiceProcess[] = []
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

/**
 * Resolves when the service has applied to its caches all commits before the instant `before`, in Unix milliseconds.
 */
async function applied(url: string, before: number): Promise<void> {
  for (;;) {
    const asked = Date.now()
    const response = await fetch(`${url}/metrics`).catch(() => undefined)
    // A stopped service has no caches. The metrics of a service that requires a token for them cannot be read here.
    if (!response?.ok) return
    const text = await response.text()
    const age = Number(/^daybook_invalidation_age_seconds (\S+)$/m.exec(text)?.[1])
    if (asked - age * 1000 > before) return
    await pause()
  }
}
