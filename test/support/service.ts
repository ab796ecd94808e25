import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import type { DatabaseKind } from './databases.ts'
import { type CommandResult, command, commandHere, end, freshFolder, type Server, serve } from './daybook.ts'
import { createDatabase, dropDatabase, hasPostgres, postgresServer } from './postgres.ts'

export interface ServiceOptions {
  /** The site file to apply, as an object. */
  readonly site?: object
  /** PostgreSQL instead of the embedded database. */
  readonly databaseUrl?: string
  /** Where the service's clock starts, in Unix seconds. */
  readonly now?: number
  readonly env?: Readonly<Record<string, string>>
  /** Where its data is, instead of a folder of its own. */
  readonly dataDir?: string
  /** More arguments of `serve`. */
  readonly serve?: readonly string[]
  /** Another node on the same PostgreSQL database, whose tokens are taken over. */
  readonly beside?: Service
}

export interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** Sent as JSON; a string or bytes are sent as they are. */
  readonly body?: unknown
  /** The write token unless another is given; `null` sends none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

/** Any answer of the API; a test asserts on the fields it expects. */
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
}

/** Any row of a list. */
export interface AnyRow {
  readonly id: string
  readonly [field: string]: unknown
}

export interface Answer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  readonly text: string
}

/** The real service in a process of its own, as its user would start it. */
export interface Service {
  /** `http://127.0.0.1:<port>`; another after a restart. */
  readonly url: string
  /** The API root. */
  readonly root: string
  readonly dataDir: string
  /** The PostgreSQL database, where it runs on one. */
  readonly databaseUrl: string | undefined
  readonly readToken: string
  readonly writeToken: string
  /** All that the running server said on stdout. */
  readonly stdout: string
  /** All that the running server said on stderr. */
  readonly stderr: string
  call<Body = AnyBody>(
    method: 'GET' | 'POST' | (string & {}),
    path: string,
    options?: CallOptions,
  ): Promise<Answer<Body>>
  /** Runs a command beside the server, on the same data. */
  daybook(...args: readonly string[]): Promise<CommandResult>
  /** Makes the site match a site file; fails when the command refuses. */
  apply(site: object): Promise<void>
  /** SIGTERM; answers with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL, at once. */
  kill(): Promise<void>
  /** Starts it again on the same data, with the same options; its clock at `now` if that is given. */
  restart(change?: { readonly now?: number }): Promise<void>
}

/** Starts the service on fresh data, ready to be asked, with a token of each scope and the site applied. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? freshFolder()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...(options.now === undefined ? {} : { DAYBOOK_NOW: String(options.now) }),
    ...options.env,
  }
  const place = options.databaseUrl ? ['--database-url', options.databaseUrl] : ['--data-dir', dataDir]
  const daybook = (...args: readonly string[]): Promise<CommandResult> => command([...args, ...place], env)
  const here = (...args: readonly string[]): Promise<CommandResult> => commandHere([...args, ...place], env)
  const start = (): Promise<Server> => serve([...place, ...(options.serve ?? [])], env)
  const apply = async (site: object): Promise<void> => {
    const file = join(freshFolder(), 'site.json')
    writeFileSync(file, JSON.stringify(site))
    const { code, stderr } = await here('apply', file)
    assert.equal(code, 0, stderr)
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

/** Asks one URL and reads the answer whole; JSON is parsed. */
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
 * Runs the tests of the body once for each database; `open` starts the service on a fresh one. What it started is ended
 * and removed after them. Without a PostgreSQL to be had, its half is left out, with the reason.
 */
export function eachDatabase(
  body: (kind: DatabaseKind, open: (options?: Omit<ServiceOptions, 'databaseUrl'>) => Promise<Service>) => void,
): void {
  for (const kind of ['sqlite', 'postgres'] as const) {
    const skip = kind === 'postgres' && !hasPostgres() ? 'PostgreSQL is not installed' : false
    describe(`on ${kind}`, { skip }, () => {
      const opened: Service[] = []
      body(kind, async (options) => {
        const databaseUrl = kind === 'postgres' ? { databaseUrl: await emptyPostgres() } : {}
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

async function emptyPostgres(): Promise<string> {
  const server = await postgresServer()
  assert.ok(server)
  return createDatabase(server)
}

async function dropPostgres(databaseUrl: string | undefined): Promise<void> {
  const server = await postgresServer()
  if (server && databaseUrl !== undefined) await dropDatabase(server, databaseUrl)
}
