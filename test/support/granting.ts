import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Answers a request in place of the server; false to let the server answer. */
type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => boolean

/** A request to the API with a valid access token. */
export interface ApiRequest {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A calendar of which changes are reported. */
export interface Watch {
  readonly calendar: string
  readonly address: string
  readonly secret: string
  readonly expiresAt: number
}

/** A request with which a change is reported. */
export interface Report {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * A server that grants access as calendar systems do, by RFC 6749 and RFC 7636, and asks a subclass for what its API answers.
 * It says nothing about the real systems.
 */
export abstract class GrantingStandIn {
  readonly clientId = 'client-1.apps.example'
  readonly clientSecret = 'GOCSPX-secret'
  /** The method and path of each request to the API. */
  readonly requests: string[] = []
  interfere: Answer = () => false
  /** Whether each refresh gives another refresh token and ends the one before. */
  rotates = false
  refreshes = 0
  /** The calendars of which changes are reported, by the name that the server gave the watch. */
  readonly watches = new Map<string, Watch>()
  /** Sends a report to the address that it is for; resolves to the body of the answer. */
  deliver: ((report: Report) => Promise<string>) | undefined
  readonly #server: Server = createServer()
  readonly #codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>()
  readonly #refreshTokens = new Set<string>()
  readonly #accessTokens = new Set<string>()

  /** Returns the status and body with which the API answers; undefined for no body. */
  protected abstract api(
    request: ApiRequest,
  ): readonly [status: number, body?: unknown] | Promise<readonly [status: number, body?: unknown]>

  /** Returns the request that reports a change of a watched calendar. */
  protected abstract report(remote: string, watch: Watch): Report

  /** Reports a change of a calendar to everyone who watches it. */
  protected changed(calendar: string): void {
    for (const [remote, watch] of this.watches)
      if (watch.calendar === calendar) void this.deliver?.(this.report(remote, watch))
  }

  /** Starts to listen on this machine. */
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

  /** Forgets requests and interferences; grants stay. */
  protected reset(): void {
    Object.assign(this, { interfere: () => false, rotates: false, refreshes: 0 })
    this.watches.clear()
    this.requests.length = 0
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

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url)
    const body = await text(request)
    if (this.interfere(request, response, url)) return
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

  /** The page on which the user agrees. */
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
    back.searchParams.set('code', this.agree(code_challenge, redirect_uri))
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
