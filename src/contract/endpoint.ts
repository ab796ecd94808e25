import type { Static, TObject, TSchema } from 'typebox'

export type Scope = 'read' | 'write'

/** One row of a contract, under its key `METHOD /path/`. */
export interface Endpoint {
  readonly summary: string
  readonly scope: Scope
  readonly query: TObject
  /** null: the route takes no body and never reads one. */
  readonly body: TSchema | null
  /** Body fields that are read as another: what a list shows under one name and an edit takes under another. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Where the answer stands in the envelope: a list or an object under `response`, an `id`, or nothing but the status. */
  readonly answer: 'list' | 'response' | 'id' | 'nothing'
  /** One item of a list; otherwise what the handler returns. */
  readonly returns: TSchema
  readonly ok: 200 | 201
  /** Its answers carry a tag, and whoever sends it back is answered 304 while nothing has changed. */
  readonly tagged?: true
  /** The route names its object in the query; without a name it finds nothing (404), instead of 400. */
  readonly namedInQuery?: true
  /** Not of the specification: ours, and marked so. */
  readonly addition?: true
}

export type Contract = Readonly<Record<string, Endpoint>>

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

/** A whole answer that is already serialised, envelope included. */
export interface PreparedAnswer {
  readonly bytes: string | Uint8Array
}

/** A list that is already serialised: what stands between its brackets, in pieces. */
export interface PreparedList {
  readonly pieces: readonly Uint8Array[]
  /** Those of them that are made for this answer alone; the others come again. */
  readonly passing: readonly Uint8Array[]
  /** Bytes of all pieces. */
  readonly size: number
  /** How many items there are, those outside the page asked for too. */
  readonly total: number
  /** Another text whenever the pieces are other ones; undefined when nobody can know. */
  readonly tag: string | undefined
}

/**
 * A list, in the way that suits whoever has it: streamed whole (as `items` it is JSON already, each item
 * with a comma before it), one page of it with the total, or whole in memory (then the page asked for is cut out).
 */
export type ListAnswer<T> =
  | { readonly rows: AsyncIterable<readonly T[]> }
  | { readonly items: AsyncIterable<Uint8Array | string> }
  | { readonly page: readonly T[]; readonly total: number }
  | { readonly all: readonly T[] }
  | PreparedList
  | PreparedAnswer

/** What the handler of a row returns. */
export type Answer<E extends Endpoint> = E['answer'] extends 'list'
  ? ListAnswer<Returns<E>>
  : Returns<E> | PreparedAnswer
