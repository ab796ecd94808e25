import type { Static, TObject, TSchema } from 'typebox'
import type { UserRole } from '../access/users/user.ts'

export type Scope = 'read' | 'write'

/** One row of a contract, under its key `METHOD /path/`; each kind of row also states its permitted callers. */
interface RowOfContract {
  readonly summary: string
  readonly query: TObject
  /** null: the route takes no body and never reads one. */
  readonly body: TSchema | null
  /** Body fields that are read as another: what a list shows under one name and an edit takes under another. */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * What the envelope of the response contains: a list or an object under `response`, an `id`, or nothing but the status.
   * `file` is a download and `live` a stream of server-sent events, both without an envelope.
   */
  readonly envelope: 'list' | 'response' | 'id' | 'nothing' | 'file' | 'live'
  /** One item of a list, one message of a stream; otherwise what the handler returns. */
  readonly returns: TSchema
  readonly ok: 200 | 201
  /** Responses carry an ETag; a request with that tag gets 304 while nothing has changed. */
  readonly tagged?: true
  /** The route names its object in the query; without a name it finds nothing (404), instead of 400. */
  readonly namedInQuery?: true
  /** Not of the specification: ours, and marked so. */
  readonly addition?: true
  /** The answer brings a secret or a cookie that exists once: there is no rehearsing and no repeating it. */
  readonly once?: true
  /** The most bytes of a body, where it may be larger than bodies are. */
  readonly bodyLimit?: number
}

/** A row for programs: admits a token of this scope. */
export interface PublicEndpoint extends RowOfContract {
  readonly scope: Scope
  readonly admits?: never
}

/** Any value of a field, as long as it is sent. */
export const anyValue = Symbol('any value')

/** A row of the panel: admits people of these roles who are signed in, or anyone at all, signed in or not. */
export interface PanelEndpoint extends RowOfContract {
  readonly admits: readonly UserRole[] | 'anyone'
  /**
   * Asks that the person proved who they are within the last five minutes: always, or where the body has one of these
   * fields with this value, or with any.
   */
  readonly fresh?: true | Readonly<Record<string, typeof anyValue | string>>
  /** Also for people who must enrol a second factor before they may go on. */
  readonly duringEnrolment?: true
  readonly scope?: never
}

export type Endpoint = PublicEndpoint | PanelEndpoint
export type PublicContract = Readonly<Record<string, PublicEndpoint>>
export type PanelContract = Readonly<Record<string, PanelEndpoint>>

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T

/** What a handler is given of the query: converted, lists taken apart. */
export type Query<E extends Endpoint> = Frozen<Static<E['query']>>

/** What a handler is given of the body: checked, trimmed, only fields of the contract. */
export type Body<E extends Endpoint> = E['body'] extends TSchema ? Frozen<Static<E['body']>> : undefined

/** One item of a list row, else what stands in the envelope. */
export type Returns<E extends Endpoint> = Frozen<Static<E['returns']>>

/** A response body that is already serialised, with its envelope. */
export interface PreparedAnswer {
  readonly bytes: string | Uint8Array
}

/** A list that is already serialised: what stands between its brackets, in pieces. */
export interface PreparedList {
  readonly pieces: readonly Uint8Array[]
  /** Bytes of all pieces. */
  readonly size: number
  /** The number of items, including those outside the requested page. */
  readonly total: number
  /** Changes whenever the pieces change; undefined when that is not known. */
  readonly tag: string | undefined
}

/**
 * A list in one of several forms: streamed as `rows`, or as `items` of JSON each preceded by a comma; one page with the
 * total; or complete in memory, from which the requested page is cut.
 */
export type ListAnswer<T> =
  | { readonly rows: AsyncIterable<readonly T[]> }
  | { readonly items: AsyncIterable<string | Uint8Array>; readonly total?: number | undefined }
  | { readonly page: readonly T[]; readonly total: number }
  | { readonly all: readonly T[] }
  | PreparedList
  | PreparedAnswer

/** A download, with the name under which a browser keeps it. */
export interface FileAnswer {
  /** Writes all of it, piece by piece; each piece resolves once there is room for more. */
  readonly file: (write: (part: string | Uint8Array) => Promise<void>) => Promise<void>
  readonly name: string
  readonly type: string
  /** Where the length is known before it is sent. */
  readonly bytes?: number
}

/** Messages as they happen, until the client disconnects or the stream ends; null keeps the connection alive. */
export interface LiveAnswer<T> {
  readonly live: (gone: AbortSignal) => AsyncIterable<T | null>
}

/** What the handler of a row returns. */
export type ResponseOf<E extends Endpoint> = E['envelope'] extends 'list'
  ? ListAnswer<Returns<E>>
  : E['envelope'] extends 'file'
    ? FileAnswer
    : E['envelope'] extends 'live'
      ? LiveAnswer<Returns<E>>
      : Returns<E> | PreparedAnswer
