import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** An event as the stand-in keeps it; any field of the API may be set. */
export interface StoredEvent {
  readonly id: string
  readonly etag: string
  readonly [field: string]: unknown
}

interface Change {
  readonly at: number
  readonly event: StoredEvent
}

/** A calendar of the stand-in. */
interface StoredCalendar {
  readonly summary: string
  readonly accessRole: string
  readonly primary?: boolean
  /** The latest state of each event. */
  readonly events: Map<string, Change>
}

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean

/**
 * A server that answers as Google's authorization server and Calendar API (v3) do, by their public documentation: code flow
 * with PKCE, refresh tokens, event lists with sync tokens and pages, and conditional writes. It says nothing about Google itself.
 */
export class GoogleStandIn {
  readonly clientId = 'client-1.apps.example'
  readonly clientSecret = 'GOCSPX-secret'
  readonly calendars = new Map<string, StoredCalendar>()
  /** The method and path of each request to the API. */
  readonly requests: string[] = []
  /** The titles that were asked for. */
  readonly fields: string[] = []
  /** How many events a page has at most. */
  pageSize = 1_000
  /** Answers a request in place of the API; false to let it answer. */
  interfere: Answer = () => false
  /** Whether each refresh gives another refresh token and ends the one before. */
  rotates = false
  refreshes = 0
  /** Sync tokens below this position have expired. */
  expiredBelow = 0
  readonly #server: Server
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>()
  readonly #refreshTokens = new Set<string>()
  readonly #accessTokens = new Set<string>()
  #position = 1

  private constructor(server: Server) {
    this.#server = server
    this.clear()
  }

  static async open(): Promise<GoogleStandIn> {
    const server = createServer()
    const standIn = new GoogleStandIn(server)
    server.on('request', (request, response) => {
      void standIn.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return standIn
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Removes all events, requests and interferences; grants stay. */
  clear(): void {
    this.calendars.clear()
    this.calendars.set('ana@example.com', { summary: 'Ana', accessRole: 'owner', primary: true, events: new Map() })
    this.calendars.set('team@group.example', { summary: 'Team', accessRole: 'reader', events: new Map() })
    Object.assign(this, { pageSize: 1_000, interfere: () => false, rotates: false, expiredBelow: 0, refreshes: 0 })
    this.requests.length = 0
    this.fields.length = 0
  }

  /** Grants access as a user who agrees does; returns the code that leads to tokens. */
  agree(challenge: string, redirectUri: string): string {
    const code = randomBytes(16).toString('hex')
    this.#codes.set(code, { challenge, redirectUri })
    return code
  }

  /** Ends all access that was granted. */
  revoke(): void {
    this.#refreshTokens.clear()
    this.#accessTokens.clear()
  }

  /** Ends the access tokens, as their lifetime does. */
  expireTokens(): void {
    this.#accessTokens.clear()
  }

  /** Stores an event as its owner does, and returns it. */
  put(calendar: string, event: Readonly<Record<string, unknown>> & { readonly id: string }): StoredEvent {
    const { events } = this.#calendar(calendar)
    this.#position += 1
    const before = events.get(event.id)?.event
    const stored: StoredEvent = {
      ...{ status: 'confirmed', iCalUID: `${event.id}@google.com`, summary: 'A secret title' },
      ...{ created: before?.created ?? '2026-01-01T00:00:00Z', ...event, etag: `"${this.#position}"` },
    }
    events.set(event.id, { at: this.#position, event: stored })
    return stored
  }

  /** Deletes an event as its owner does. */
  remove(calendar: string, id: string): void {
    this.#position += 1
    const event = { id, status: 'cancelled', etag: `"${this.#position}"` }
    this.#calendar(calendar).events.set(id, { at: this.#position, event })
  }

  /** Returns the events that are not deleted. */
  events(calendar: string): StoredEvent[] {
    const all = [...this.#calendar(calendar).events.values()].map(({ event }) => event)
    return all.filter(({ status, recurringEventId }) => status !== 'cancelled' || recurringEventId !== undefined)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #calendar(id: string): StoredCalendar {
    const found = this.calendars.get(id)
    if (!found) throw new Error(`no calendar ${id}`)
    return found
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url)
    const body = await text(request)
    if (this.interfere(request, response, url)) return
    if (url.pathname === '/auth') this.#consent(url, response)
    else if (url.pathname === '/token') this.#token(new URLSearchParams(body), response)
    else if (!this.#accessTokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      json(response, 401, { error: { code: 401, errors: [{ reason: 'authError' }] } })
    else this.#api(request, response, url, body)
  }

  /** The page on which the user agrees: here, at once. */
  #consent(url: URL, response: ServerResponse): void {
    const { client_id, redirect_uri, state, code_challenge, code_challenge_method, access_type } = Object.fromEntries(
      url.searchParams,
    )
    const isRight = client_id === this.clientId && code_challenge_method === 'S256' && access_type === 'offline'
    if (!isRight || !redirect_uri || !code_challenge || !state) return void response.writeHead(400).end('wrong')
    const back = new URL(redirect_uri)
    back.searchParams.set('state', state)
    back.searchParams.set('code', this.agree(code_challenge, redirect_uri))
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Consent</title><a href="${back}">Allow</a>`)
  }

  #token(form: URLSearchParams, response: ServerResponse): unknown {
    if (form.get('client_id') !== this.clientId || form.get('client_secret') !== this.clientSecret)
      return json(response, 401, { error: 'invalid_client' })
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code') ?? ''
      const granted = this.#codes.get(code)
      this.#codes.delete(code)
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (granted?.challenge !== challenge || granted.redirectUri !== form.get('redirect_uri'))
        return json(response, 400, { error: 'invalid_grant' })
      return json(response, 200, { ...this.#access(), refresh_token: this.#refresh(), scope: 'calendar' })
    }
    const refresh = form.get('refresh_token') ?? ''
    if (!this.#refreshTokens.has(refresh)) return json(response, 400, { error: 'invalid_grant' })
    this.refreshes += 1
    if (!this.rotates) return json(response, 200, this.#access())
    this.#refreshTokens.delete(refresh)
    return json(response, 200, { ...this.#access(), refresh_token: this.#refresh() })
  }

  #access() {
    const token = `ya29.${randomBytes(12).toString('hex')}`
    this.#accessTokens.add(token)
    return { access_token: token, expires_in: 3_599, token_type: 'Bearer' }
  }

  #refresh(): string {
    const token = `1//${randomBytes(12).toString('hex')}`
    this.#refreshTokens.add(token)
    return token
  }

  #api(request: IncomingMessage, response: ServerResponse, url: URL, body: string): unknown {
    const { method = 'GET' } = request
    this.requests.push(`${method} ${decodeURIComponent(url.pathname)}`)
    this.fields.push(url.searchParams.get('fields') ?? '')
    if (url.pathname === '/calendar/v3/users/me/calendarList') {
      const items = [...this.calendars].map(([id, { summary, accessRole, primary }]) => ({
        ...{ id, summary, accessRole, ...(primary && { primary }) },
      }))
      return json(response, 200, { items: items.reverse() })
    }
    const [, calendar = '', id = ''] =
      /^\/calendar\/v3\/calendars\/([^/]+)\/events(?:\/([^/]+))?$/.exec(url.pathname) ?? []
    const found = this.calendars.get(decodeURIComponent(calendar))
    if (!found) return json(response, 404, { error: { code: 404 } })
    if (method === 'GET' && id === '') return this.#list(found, url.searchParams, response)
    const stored = found.events.get(decodeURIComponent(id))?.event
    const match = request.headers['if-match']
    if (method === 'GET') return stored ? json(response, 200, stored) : json(response, 404, { error: { code: 404 } })
    if (match !== undefined && match !== stored?.etag) return json(response, 412, { error: { code: 412 } })
    if (method === 'DELETE') {
      if (!stored) return json(response, 404, {})
      if (stored.status === 'cancelled') return json(response, 410, {})
      this.remove(decodeURIComponent(calendar), stored.id)
      return response.writeHead(204).end()
    }
    const sent = JSON.parse(body)
    if (method === 'POST') {
      if (!/^[a-v0-9]{5,1024}$/.test(sent.id)) return json(response, 400, { error: { code: 400 } })
      if (found.events.has(sent.id))
        return json(response, 409, { error: { code: 409, errors: [{ reason: 'duplicate' }] } })
    } else if (!stored) return json(response, 404, { error: { code: 404 } })
    return json(response, 200, this.put(decodeURIComponent(calendar), { ...sent, id: sent.id ?? stored?.id }))
  }

  #list({ events }: StoredCalendar, query: URLSearchParams, response: ServerResponse): unknown {
    const since = Number(query.get('syncToken') ?? 0)
    if (query.has('syncToken') && since < this.expiredBelow)
      return json(response, 410, { error: { code: 410, errors: [{ reason: 'fullSyncRequired' }] } })
    const uid = query.get('iCalUID')
    const [property, value] = (query.get('privateExtendedProperty') ?? '').split('=')
    const isWanted = ({ event }: Change): boolean =>
      (uid === null || event.iCalUID === uid) &&
      (!property || Object(event.extendedProperties).private?.[property] === value)
    const changed = [...events.values()].filter(({ at }) => at > since).filter(isWanted)
    const from = Number(query.get('pageToken') ?? 0)
    const items = changed.slice(from, from + this.pageSize).map(({ event }) => event)
    const isLast = from + this.pageSize >= changed.length
    const next = isLast ? { nextSyncToken: String(this.#position) } : { nextPageToken: String(from + this.pageSize) }
    return json(response, 200, { items, ...next })
  }
}

function json(response: ServerResponse, status: number, body: unknown): ServerResponse {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
