import type { Static, TObject, TSchema } from 'typebox'
import type { UserRole } from '../access/users/user.ts'

export type Scope = 'read' | 'write'

/**
 * The declaration of one route in the contract of an API; its key in the contract is `METHOD /path/`. The interfaces
 * that extend this one declare which callers are permitted.
 */
interface RowOfContract {
  readonly summary: string
  readonly query: TObject
  /** The schema of the request body; null for a route that takes no body and never reads one. */
  readonly body: TSchema | null
  /**
   * Other names under which a request may send fields of the body, each mapped to the name of the field. With an alias,
   * a client can send a field under the name that responses use, such as `host_user` for `hostUserId`.
   */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * What a JSON response contains besides `status`: a list or another value under `response`, an `id`, or nothing.
   * `file` is a download and `live` a stream of server-sent events, both without such an envelope.
   */
  readonly envelope: 'list' | 'response' | 'id' | 'nothing' | 'file' | 'live'
  /** The schema of one item of a list, of one message of a stream, or else of the handler's result. */
  readonly returns: TSchema
  readonly ok: 200 | 201
  /** Whether responses of the route can have an ETag; a request with the current ETag in `If-None-Match` gets 304. */
  readonly tagged?: true
  /** Whether the query identifies an object; a query that does not gets 404, not 400. */
  readonly namedInQuery?: true
  /** True for a route that Daybook adds to the API specification that it implements; generated documents label it. */
  readonly addition?: true
  /**
   * Whether a dry run and an idempotency key are refused, as on routes whose response contains a secret or a cookie
   * that is sent only once.
   */
  readonly once?: true
  /** The maximum size of a request body in bytes, when it differs from the general maximum. */
  readonly bodyLimit?: number
}

/** One route of the public API; only API tokens with the scope in `scope` may call it. */
export interface PublicEndpoint extends RowOfContract {
  readonly scope: Scope
  readonly admits?: never
}

/** Stands in `PanelEndpoint.fresh` for any value of a field, as long as the request contains the field. */
export const anyValue = Symbol('any value')

/** One route of the API of the panel, which admits signed-in users of the given roles, or anyone. */
export interface PanelEndpoint extends RowOfContract {
  readonly admits: readonly UserRole[] | 'anyone'
  /**
   * Whether recent authentication is required: always, or only when the body contains one of the named fields with the
   * given value; the value `anyValue` means that the field may have any value.
   */
  readonly fresh?: true | Readonly<Record<string, typeof anyValue | string>>
  /** Whether the route admits users who must enrol a second factor before anything else. */
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

/** The query parameters of a route as its handler receives them: converted to their types, and with lists split. */
export type Query<E extends Endpoint> = Frozen<Static<E['query']>>

/** The request body of a route as its handler receives it: validated, converted and without undeclared fields. */
export type Body<E extends Endpoint> = E['body'] extends TSchema ? Frozen<Static<E['body']>> : undefined

/** The type of one item of a route's list, of one message of its stream, or else of the handler's result. */
export type Returns<E extends Endpoint> = Frozen<Static<E['returns']>>

/** The result of a handler whose response body is already serialised, with its envelope. */
export interface PreparedAnswer {
  readonly bytes: string | Uint8Array
}

/**
 * The result of a handler whose list is already serialised. The concatenated `pieces` are the JSON text of the list
 * without the brackets of the array.
 */
export interface PreparedList {
  readonly pieces: readonly Uint8Array[]
  /** The total size of all pieces of the list in bytes. */
  readonly size: number
  /** The number of items of the list, including those outside of the requested page. */
  readonly total: number
  /**
   * The response's ETag without quotes, different for different `pieces`; undefined when a change cannot be detected.
   */
  readonly tag: string | undefined
}

/**
 * The result of a handler that returns a list, in one of several forms. `rows` streams the items in groups. `items`
 * streams the JSON text of the items in parts that each begin with a comma. `page` contains only the requested page;
 * `all` contains the complete list, from which the requested page is selected afterwards. In a `PreparedList` or a
 * `PreparedAnswer`, the items are already serialised.
 */
export type ListAnswer<T> =
  | { readonly rows: AsyncIterable<readonly T[]> }
  | { readonly items: AsyncIterable<string | Uint8Array>; readonly total?: number | undefined }
  | { readonly page: readonly T[]; readonly total: number }
  | { readonly all: readonly T[] }
  | PreparedList
  | PreparedAnswer

/** The result of a handler that sends a file to download. */
export interface FileAnswer {
  /** Writes the content of the file in parts; `write` resolves when more can be written. */
  readonly file: (write: (part: string | Uint8Array) => Promise<void>) => Promise<void>
  readonly name: string
  readonly type: string
  /** The length of the file in bytes; absent when it is not known in advance. */
  readonly bytes?: number
}

/**
 * The result of a handler that streams messages as they occur, until the client disconnects or the stream ends; null is
 * a heartbeat.
 */
export interface LiveAnswer<T> {
  readonly live: (gone: AbortSignal) => AsyncIterable<T | null>
}

/** The type of what the handler of a route returns. */
export type ResponseOf<E extends Endpoint> = E['envelope'] extends 'list'
  ? ListAnswer<Returns<E>>
  : E['envelope'] extends 'file'
    ? FileAnswer
    : E['envelope'] extends 'live'
      ? LiveAnswer<Returns<E>>
      : Returns<E> | PreparedAnswer
