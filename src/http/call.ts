import type { SessionView } from '../access/sessions/session.ts'
import type { Body, Endpoint, PanelEndpoint, PreparedList, Query, ResponseOf } from '../contract/endpoint.ts'
import type { App, Context, InputOf, OperationTable, ResultOf } from '../db/perform/app.ts'
import type { Actor } from '../history/event.ts'
import { Refusal } from '../messages/refusal.ts'
import type { ClientRequest, TokenPrincipal } from './principal.ts'
import { Unavailable } from './response/errors.ts'
import type { Paging } from './response/list.ts'

/**
 * Performs a write for this request: actor, dry run and idempotency are filled in; refusals and faults are thrown.
 * `other` says who acts where the request itself found that out, or that nothing is to be kept.
 */
export type PerformCall<C extends OperationTable> = <N extends keyof C & string>(
  name: N,
  input: InputOf<C, N>,
  other?: { readonly actor?: Actor; readonly dryRun?: true },
) => Promise<ResultOf<C, N>>

/** What a handler is given of one request, checked and converted, and of whoever sent it. */
export type Call<E extends Endpoint, C extends OperationTable> = Asked<E, C> & Whom<E>

interface Asked<E extends Endpoint, C extends OperationTable> {
  readonly query: Query<E>
  readonly body: Body<E>
  readonly paging: PagingOf<E>
  /** Unix seconds, taken once. */
  readonly now: number
  readonly requestId: string
  readonly perform: PerformCall<C>
}

/** The part of a list that was asked for; undefined asks for all of it, which the panel never does. */
type PagingOf<E extends Endpoint> = E extends PanelEndpoint
  ? E['answer'] extends 'list'
    ? Paging
    : undefined
  : Paging | undefined

/** Programs come with a token; people with a session, or without one where anyone is admitted. */
type Whom<E extends Endpoint> = E extends PanelEndpoint
  ? {
      readonly session: E['admits'] extends 'anyone' ? SessionView | undefined : SessionView
      readonly client: ClientRequest
    }
  : { readonly token: TokenPrincipal }

// Written as a method, so that the binder may hold handlers of all rows in one list: it gives each only what the row's
// own readers made.
interface Handling<E extends Endpoint, C extends OperationTable> {
  handle(call: Call<E, C>): ResponseOf<E> | Promise<ResponseOf<E>>
}

/** Takes the call of one row apart, asks one operation, puts the answer together. */
export type Handler<E extends Endpoint, C extends OperationTable> = Handling<E, C>['handle']

/** A handler for each row; one that is missing does not compile. */
export type Handlers<T extends Readonly<Record<string, Endpoint>>, C extends OperationTable> = {
  readonly [K in keyof T]: Handler<T[K], C>
}

// A method for the same reason.
interface Finding<Q> {
  find(asked: {
    readonly query: Q
    readonly paging: Paging | undefined
    readonly now: number
  }): PreparedList | undefined
}

/** Gives the answer to a call of one row if it is ready, without waiting for anything. */
export type ReadyFinder<E extends Endpoint> = Finding<Query<E>>['find']

/** A finder of any row. */
export type AnyReadyFinder = Finding<unknown>['find']

/** A call of any row, as the binder makes it. */
export interface AnyCall<C extends OperationTable> {
  readonly query: unknown
  readonly body: unknown
  readonly paging: Paging | undefined
  readonly now: number
  readonly requestId: string
  readonly perform: PerformCall<C>
}

interface AnyHandling<C extends OperationTable> {
  handle(call: AnyCall<C>): unknown
}

/** A handler of any row. */
export type AnyHandler<C extends OperationTable> = AnyHandling<C>['handle']

/** The write seam for one request. */
export function performFor<C extends OperationTable>(
  app: App<C>,
  context: Context,
  replayed: () => void,
): PerformCall<C> {
  return async (name, input, other = {}) => {
    const outcome = await app.perform(name, input, { ...context, ...other })
    if ('fault' in outcome) {
      throw outcome.fault === 'unavailable' ? new Unavailable(outcome.message) : new Error(outcome.message)
    }
    if (outcome.replayed) replayed()
    if ('ok' in outcome) return outcome.ok
    throw new Refusal(outcome.refused)
  }
}
