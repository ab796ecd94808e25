import type { Static, TObject, TSchema } from 'typebox'
import type { UserRole } from '../access/users/user.ts'

export type Scope = 'read' | 'write'

/** One row of a contract, under its key `METHOD /path/`. Each kind of row also states which callers are permitted. */
interface RowOfContract {
  readonly summary: string
  readonly query: TObject
  /** null: the route takes no body and never reads one. */
  readonly body: TSchema | null
  /**
   * Body fields that are read as other fields, by name: a list may show a value under another name than the one that an
   * edit expects.
   */
  readonly aliases?: Readonly<Record<string, string>>
  /**
   * What the envelope of the response contains: a list or an object under `response`, an `id`, or nothing but the status.
   * `file` is a download and `live` a stream of server-sent events, both without an envelope.
   */
  readonly envelope: 'list' | 'response' | 'id' | 'nothing' | 'file' | 'live'
  /** The schema of one item of a list, of one message of a stream, or of the handler's result otherwise. */
  readonly returns: TSchema
  readonly ok: 200 | 201
  /** Whether responses carry an ETag; a request with the current ETag gets 304. */
  readonly tagged?: true
  /** Whether the query identifies the object of the route; when it does not, the response is 404 instead of 400. */
  readonly namedInQuery?: true
  /** Marks a route that the specification does not contain; documents show the mark. */
  readonly addition?: true
  /**
   * Whether the response contains a secret or a cookie that is sent only once, so that dry run and idempotency key are
   * not accepted.
   */
  readonly once?: true
  /** The maximum size of a body in bytes, when it differs from the general maximum. */
  readonly bodyLimit?: number
}

/** One row of the contract for the public API; only API tokens with the scope in `scope` may call it. */
export interface PublicEndpoint extends RowOfContract {
  readonly scope: Scope
  readonly admits?: never
}

/** Matches any value of a field that is sent. */
export const anyValue = Symbol('any value')

/** A row of the panel's API, which admits signed-in users of these roles, or everyone. */
export interface PanelEndpoint extends RowOfContract {
  readonly admits: readonly UserRole[] | 'anyone'
  /**
   * Whether recent authentication is required: always, or only when the body contains one of these fields with this value
   * (or with any value).
   */
  readonly fresh?: true | Readonly<Record<string, typeof anyValue | string>>
  /** Whether users who must first enrol a second factor are admitted. */
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

/** The query of a call, converted and with lists split. */
export type Query<E extends Endpoint> = Frozen<Static<E['query']>>

/** The body as a handler receives it: validated, trimmed, with only the fields of the contract. */
export type Body<E extends Endpoint> = E['body'] extends TSchema ? Frozen<Static<E['body']>> : undefined

/** The type of one item of a list, or of the content of the envelope. */
export type Returns<E extends Endpoint> = Frozen<Static<E['returns']>>

/** A response body that is already serialised, with its envelope. */
export interface PreparedAnswer {
  readonly bytes: string | Uint8Array
}

/** A list that is already serialised, as the pieces between its brackets. */
export interface PreparedList {
  readonly pieces: readonly Uint8Array[]
  /** The total size of all pieces in bytes. */
  readonly size: number
  /** The number of items, including those outside the requested page. */
  readonly total: number
  /** The response's ETag, which differs for every content of `pieces`; undefined when a change cannot be detected. */
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

/** A file to download, with its name. */
export interface FileAnswer {
  /** Writes the content in parts; `write` resolves when there is room for more. */
  readonly file: (write: (part: string | Uint8Array) => Promise<void>) => Promise<void>
  readonly name: string
  readonly type: string
  /** The length in bytes, when it is known in advance. */
  readonly bytes?: number
}

/** Messages as they occur, until the client disconnects or the stream ends; null is a heartbeat. */
export interface LiveAnswer<T> {
  readonly live: (gone: AbortSignal) => AsyncIterable<T | null>
}

/** The return type of the handler of a row. */
export type ResponseOf<E extends Endpoint> = E['envelope'] extends 'list'
  ? ListAnswer<Returns<E>>
  : E['envelope'] extends 'file'
    ? FileAnswer
    : E['envelope'] extends 'live'
      ? LiveAnswer<Returns<E>>
      : Returns<E> | PreparedAnswer
