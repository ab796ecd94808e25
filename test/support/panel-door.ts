import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { UserRole } from '../../src/access/users/user.ts'
import { now } from './clinic.ts'
import { askRaw } from './raw.ts'
import type { Answer, AnyBody, Service } from './service.ts'
import type { Sql } from './sql.ts'

/** The `response` of a panel route that returns no list. */
export interface PanelBody extends Omit<AnyBody, 'response'> {
  readonly response: Readonly<Record<string, unknown>> & readonly Readonly<Record<string, unknown>>[]
}

/** A browser with the panel open: its requests carry its cookie and origin. */
export class Browser {
  readonly #service: Pick<Service, 'url'>
  cookie: string | undefined
  /** The device cookie, by which users who signed in recognise the browser. */
  device: string | undefined

  constructor(service: Pick<Service, 'url'>, cookie?: string) {
    this.#service = service
    this.cookie = cookie
  }

  get(path: string, headers: readonly string[] = []): Promise<Answer<PanelBody>> {
    return this.ask('GET', path, ['Sec-Fetch-Site', 'same-origin', ...headers])
  }

  post(path: string, body: object = {}, headers: readonly string[] = []): Promise<Answer<PanelBody>> {
    const own = ['Origin', this.#service.url, 'Sec-Fetch-Site', 'same-origin', 'Content-Type', 'application/json']
    return this.ask('POST', path, [...own, ...headers], JSON.stringify(body))
  }

  /** Sends a request with these headers and the cookie, and stores the cookies of the response. */
  async ask(method: string, path: string, headers: readonly string[], body = ''): Promise<Answer<PanelBody>> {
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
export interface Inside {
  readonly userId: string
  readonly email: string
  readonly browser: Browser
}

/** Inserts a user of this role with a session into the database. */
export async function inside(
  { server, sql }: { readonly server: Pick<Service, 'url'>; readonly sql: Sql },
  role: UserRole,
  more: {
    readonly providerId?: number
    readonly status?: string
    readonly lastSeenAt?: number
    readonly expiresAt?: number
    /** When the user last proved their identity; just now when absent. */
    readonly authenticatedAt?: number
    readonly email?: string
    readonly passwordHash?: string
  } = {},
): Promise<Inside> {
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
  await sql(
    `insert into session (hash, id, person_id, device, address, created_at, last_seen_at, expires_at, authenticated_at)
     values (?, ?, ?, 'Test', '127.0.0.1', ?, ?, ?, ?)`,
    [hash, `ses_${name}`, userId, now, seen, more.expiresAt ?? now + 40_000, more.authenticatedAt ?? now],
  )
  return { userId, email, browser: new Browser(server, secret) }
}

/** Returns the secret of the set-up link that the server printed at its start. */
export function setUpSecret(service: Pick<Service, 'stdout'>): string {
  const secret = /^Set-up link: https?:\/\/.+\/admin\/set-up#([\w-]{43})$/m.exec(service.stdout)?.[1]
  assert.ok(secret !== undefined, service.stdout)
  return secret
}
