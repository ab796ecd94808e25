import type { Scope } from '../contract/endpoint.ts'
import type { Actor } from '../history/event.ts'

/** The authenticated caller of a request with an API token. */
export interface TokenPrincipal {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/**
 * The client of a request to the panel: its address, device, origin and cookies, and functions that set and clear its
 * session cookie.
 */
export interface ClientRequest {
  readonly address: string
  /** A readable name of the client's browser and device, for the list of sessions. */
  readonly device: string
  /** The origin at which the browser reaches the panel, e.g. `https://book.example`. */
  readonly origin: string
  /**
   * The secret in the device cookie, by which the service recognises a browser with which a user has signed in before.
   */
  readonly deviceSecret: string | undefined
  /** The session secret that the request contains, valid or not; undefined when it contains none. */
  readonly sessionSecret: string | undefined
  /** Sets the session cookie, and the device cookie if given. */
  keep(secret: string, deviceSecret?: string): void
  /** Clears the session cookie. */
  forget(): void
}

/** The authenticated caller of a request. */
export interface Principal {
  /** The caller as the handler receives it: `token`, or `session` and `client`. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly actor: Actor
  /**
   * Headers to send with the response, whatever its status. The object belongs to this request, so headers may be
   * added.
   */
  readonly headers: Record<string, string | string[]>
  /** The client's IP address, for the security history; absent for API tokens. */
  readonly address?: string
  /** Authorises the request by its parsed body; throws a refusal when it is not permitted. */
  readonly check?: (body: unknown) => void
  /** Authenticates the request again; rejects with the refusal of a caller who may no longer use the route. */
  readonly recheck: () => Promise<unknown>
}
