import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createStandInServer } from './stand-in-server.ts'

/** Answers a request in place of the stand-in (the test server); returns false to let the stand-in answer. */
type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean

/** A request to the calendar system's API with a valid access token. */
export interface ApiRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A subscription to the changes of a calendar; it expires at `expiresAt`, in Unix seconds. */
export interface ChangeSubscription {
  readonly calendar: string
  readonly address: string
  readonly secret: string
  readonly expiresAt: number
}

/** A request with which the calendar system reports a change to a subscriber. */
export interface ChangeNotification {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * A server that grants access as calendar systems do, by RFC 6749 and RFC 7636; a subclass answers for the calendar
 * API. The stand-in proves nothing about the real systems.
 */
export abstract class OAuthStandIn {
  readonly clientId = 'client-1.apps.example'
  readonly clientSecret = 'GOCSPX-secret'
  /** The method and path of each request to the API. */
  readonly requests: string[] = []
  intercept: Answer = () => false
  /** Whether each refresh of an access token also returns a new refresh token and revokes the used one. */
  rotates = false
  refreshes = 0
  /** The subscriptions to changes of calendars, by an id that the subclass chooses (`remote` of `report`). */
  readonly subscriptions = new Map<string, ChangeSubscription>()
  /** Sends a report to its address; resolves to the body of the response. While undefined, no report is sent. */
  deliver: ((report: ChangeNotification) => Promise<string>) | undefined
  readonly #server: Server = createStandInServer()
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>()
  readonly #refreshTokens = new Set<string>()
  readonly #accessTokens = new Set<string>()

  /** Returns the status and body with which the calendar API answers a request; undefined for no body. */
  protected abstract api(
    request: ApiRequest,
  ): readonly [status: number, body?: unknown] | Promise<readonly [status: number, body?: unknown]>

  /** Returns the request that reports a change to the subscription with the id `remote`. */
  protected abstract report(remote: string, watch: ChangeSubscription): ChangeNotification

  /** Reports a change of a calendar to every subscription to that calendar. */
  protected changed(calendar: string): void {
    for (const [remote, watch] of this.subscriptions)
      if (watch.calendar === calendar) void this.deliver?.(this.report(remote, watch))
  }

  /** Starts to listen on a free port of 127.0.0.1. */
  protected async listen(): Promise<void> {
    this.#server.on('request', (request, response) => {
      void this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /**
   * Removes subscriptions and recorded requests, and resets `intercept`, `rotates` and `refreshes`; granted access
   * stays valid.
   */
  protected reset(): void {
    Object.assign(this, { intercept: () => false, rotates: false, refreshes: 0 })
    this.subscriptions.clear()
    this.requests.length = 0
  }

  /**
   * Grants access as if the user had agreed; returns the authorization code, which can be exchanged for tokens once.
   */
  grantAccess(challenge: string, redirectUri: string): string {
    const code = randomBytes(16).toString('hex')
    this.#codes.set(code, { challenge, redirectUri })
    return code
  }

  /** Revokes all refresh tokens and access tokens. */
  revoke(): void {
    this.#refreshTokens.clear()
    this.#accessTokens.clear()
  }

  /** Revokes the access tokens, as if their lifetime had ended; refresh tokens stay valid. */
  expireTokens(): void {
    this.#accessTokens.clear()
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url)
    const body = await text(request)
    if (this.intercept(request, response, url)) return
    if (url.pathname === '/auth') return this.#consent(url, response)
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const { method = 'GET', headers } = request
    const [status, answer] =
      url.pathname === '/token'
        ? this.#token(new URLSearchParams(body))
        : this.#accessTokens.has(token)
          ? await this.api({ method, url, headers, body })
          : [401, { error: { code: 401, errors: [{ reason: 'authError' }] } }]
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(answer === undefined ? undefined : JSON.stringify(answer))
  }

  /** Serves the consent page, whose link leads back to the service with an authorization code. */
  #consent(url: URL, response: ServerResponse): void {
    const { client_id, redirect_uri, state, code_challenge, code_challenge_method } = Object.fromEntries(
      url.searchParams,
    )
    const isRight = client_id === this.clientId && code_challenge_method === 'S256'
    if (!isRight || !redirect_uri || !code_challenge || !state) {
      response.writeHead(400).end('wrong')
      return
    }
    const back = new URL(redirect_uri)
    back.searchParams.set('state', state)
    back.searchParams.set('code', this.grantAccess(code_challenge, redirect_uri))
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Consent</title><a href="${back}">Allow</a>`)
  }

  #token(form: URLSearchParams): readonly [number, object] {
    if (form.get('client_id') !== this.clientId || form.get('client_secret') !== this.clientSecret)
      return [401, { error: 'invalid_client' }]
    if (form.get('grant_type') === 'authorization_code') {
      const code = form.get('code') ?? ''
      const granted = this.#codes.get(code)
      this.#codes.delete(code)
      const verifier = form.get('code_verifier') ?? ''
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      if (granted?.challenge !== challenge || granted.redirectUri !== form.get('redirect_uri'))
        return [400, { error: 'invalid_grant' }]
      return [200, { ...this.#access(), refresh_token: this.#refresh() }]
    }
    const refresh = form.get('refresh_token') ?? ''
    if (!this.#refreshTokens.has(refresh)) return [400, { error: 'invalid_grant' }]
    this.refreshes += 1
    if (!this.rotates) return [200, this.#access()]
    this.#refreshTokens.delete(refresh)
    return [200, { ...this.#access(), refresh_token: this.#refresh() }]
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
}
