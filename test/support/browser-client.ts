import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { UserRole } from '../../src/access/users/user.ts'
import { now } from './clinic.ts'
import { askRaw } from './raw.ts'
import type { AnyBody, ApiResponse, ServiceProcess } from './service.ts'
import type { Sql } from './sql.ts'

/** The parsed body of a response of the panel's API; its property `response` is an object or a list. */
export interface PanelBody extends Omit<AnyBody, 'response'> {
  readonly response: Readonly<Record<string, unknown>> & readonly Readonly<Record<string, unknown>>[]
}

/**
 * A simulated browser with the panel open. Requests carry the browser's cookies and, when sent by `get` and `post`, the
 * header `Sec-Fetch-Site`; those of `post` also carry `Origin`.
 */
export class BrowserClient {
  readonly #service: Pick<ServiceProcess, 'url'>
  cookie: string | undefined
  /**
   * The value of the device cookie, by which the service recognises a known browser; undefined before the service set
   * it.
   */
  device: string | undefined

  constructor(service: Pick<ServiceProcess, 'url'>, cookie?: string) {
    this.#service = service
    this.cookie = cookie
  }

  /** Returns the time by the clock of the service, in Unix seconds; it goes on from when the service was started. */
  async serverNow(): Promise<number> {
    return Number((await this.get('/session/')).body.response.now)
  }

  get(path: string, headers: readonly string[] = []): Promise<ApiResponse<PanelBody>> {
    return this.ask('GET', path, ['Sec-Fetch-Site', 'same-origin', ...headers])
  }

  post(path: string, body: object = {}, headers: readonly string[] = []): Promise<ApiResponse<PanelBody>> {
    const own = ['Origin', this.#service.url, 'Sec-Fetch-Site', 'same-origin', 'Content-Type', 'application/json']
    return this.ask('POST', path, [...own, ...headers], JSON.stringify(body))
  }

  /**
   * Sends a request to the panel's API with these headers and the browser's cookies, and stores the cookies of the
   * response.
   */
  async ask(method: string, path: string, headers: readonly string[], body = ''): Promise<ApiResponse<PanelBody>> {
    const carried = [
      ...(this.cookie === undefined ? [] : [`daybook-loopback=${this.cookie}`]),
      ...(this.device === undefined ? [] : [`daybook-loopback-device=${this.device}`]),
    ]
    const cookie = carried.length === 0 ? [] : ['Cookie', carried.join('; ')]
    const response = await askRaw(`${this.#service.url}/admin/api${path}`, method, [...headers, ...cookie], body)
    const [set, device] = response.headers.getSetCookie()
    if (device !== undefined) {
      const kept = /^daybook-loopback-device=([\w-]{43}); Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/
      this.device = kept.exec(device)?.[1]
      assert.ok(this.device !== undefined, device)
    }
    if (set !== undefined) {
      const value = /^daybook-loopback=([\w-]*); Path=\/; HttpOnly; SameSite=Strict(?:; Max-Age=0)?$/.exec(set)?.[1]
      assert.ok(value !== undefined, set)
      this.cookie = value === '' ? undefined : value
    }
    return { ...response, body: asPanelBody(response.body) }
  }
}

function asPanelBody(body: unknown): PanelBody {
  return body as PanelBody
}

/** A signed-in user whose session was inserted into the database. */
export interface TestUser {
  readonly userId: string
  readonly email: string
  readonly browser: BrowserClient
}

/** Inserts a user with this role and a session into the database, which is faster than signing in. */
export async function insertSignedInUser(
  { server, sql }: { readonly server: Pick<ServiceProcess, 'url'>; readonly sql: Sql },
  role: UserRole,
  more: {
    readonly providerId?: number
    readonly status?: string
    readonly lastSeenAt?: number
    readonly expiresAt?: number
    /**
     * When the user last proved their identity, in Unix seconds; when absent, the end of the session, so that the proof
     * counts as recent however long a test takes.
     */
    readonly authenticatedAt?: number
    readonly email?: string
    readonly passwordHash?: string
  } = {},
): Promise<TestUser> {
  const name = randomBytes(8).toString('hex')
  const userId = `u_${name}`
  const email = more.email ?? `${name}@panel.example`
  await sql(
    `insert into person (id, email, email_key, role, provider_id, name, password_hash, status, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      userId,
      email,
      email,
      role,
      more.providerId ?? null,
      name,
      more.passwordHash ?? null,
      more.status ?? 'active',
      now,
      now,
    ],
  )
  const secret = randomBytes(32).toString('base64url')
  const hash = createHash('sha256').update(secret).digest('hex')
  const seen = more.lastSeenAt ?? now
  const expiresAt = more.expiresAt ?? now + 40_000
  await sql(
    `insert into session (hash, id, person_id, device, address, created_at, last_seen_at, expires_at, authenticated_at)
     values (?, ?, ?, 'Test', '127.0.0.1', ?, ?, ?, ?)`,
    [hash, `ses_${name}`, userId, now, seen, expiresAt, more.authenticatedAt ?? expiresAt],
  )
  return { userId, email, browser: new BrowserClient(server, secret) }
}

/** Returns the secret of the set-up link that the service printed when it started. */
export function setUpSecret(service: Pick<ServiceProcess, 'stdout'>): string {
  const secret = /^Set-up link: https?:\/\/.+\/admin\/set-up#([\w-]{43})$/m.exec(service.stdout)?.[1]
  assert.ok(secret !== undefined, service.stdout)
  return secret
}
