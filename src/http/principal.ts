import type { Scope } from '../contract/endpoint.ts'
import type { Actor } from '../history/event.ts'

/** The API token that a request was authenticated with, as handlers see it. */
export interface TokenPrincipal {
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** What is known of a browser beside the session. */
export interface ClientRequest {
  readonly address: string
  /** What a person would call it. */
  readonly device: string
  /** Where the browser finds the panel, e.g. `https://book.example`. */
  readonly origin: string
  /** The secret by which this browser is known to accounts that signed in with it. */
  readonly deviceSecret: string | undefined
  /** The secret of a session in the request, whether or not the session still counts. */
  readonly sessionSecret: string | undefined
  /** Has the browser carry this session's secret from now on, and the one by which it is known where that is given. */
  keep(secret: string, deviceSecret?: string): void
  /** Has the browser forget the session. */
  forget(): void
}

/** Whoever may go on with a request. */
export interface Principal {
  /** What the handler is told of the caller, under the names that the kind of row has for it. */
  readonly credentials: Readonly<Record<string, unknown>>
  readonly actor: Actor
  /** What the answer says whatever it says; the request's own, so that more can be added. */
  readonly headers: Record<string, string | string[]>
  /** The client's address, for what is kept of this request. */
  readonly address?: string
  /** Refuses by what the body says, once it was read. */
  readonly check?: (body: unknown) => void
}
