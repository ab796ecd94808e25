import type { SessionView } from '../access/sessions/session.ts'
import type { Body, Endpoint, PanelEndpoint, PreparedList, Query, ResponseOf } from '../contract/endpoint.ts'
import type { App, Context, InputOf, OperationTable, ResultOf } from '../db/perform/app.ts'
import type { Actor } from '../history/event.ts'
import { Refusal } from '../messages/refusal.ts'
import type { ClientRequest, TokenPrincipal } from './principal.ts'
import { Unavailable } from './response/errors.ts'
import type { Paging } from './response/list.ts'

/**
 * Performs a write with the actor, dry run and idempotency key of this request, and resolves to its result. Throws a
 * `Refusal` when it is refused, and `Unavailable` or an error for a fault. `other` replaces the actor or makes the
 * write a dry run.
 */
export type PerformCall<C extends OperationTable> = <N extends keyof C & string>(
  name: N,
  input: InputOf<C, N>,
  other?: { readonly actor?: Actor; readonly dryRun?: true },
) => Promise<ResultOf<C, N>>

/** One validated and converted request with its caller. */
export type Call<E extends Endpoint, C extends OperationTable> = ParsedCall<E, C> & Caller<E>

interface ParsedCall<E extends Endpoint, C extends OperationTable> {
  readonly query: Query<E>
  readonly body: Body<E>
  readonly paging: PagingOf<E>
  /** The time of the request in Unix seconds, read once per request. */
  readonly now: number
  readonly requestId: string
  readonly perform: PerformCall<C>
}

/**
 * The requested page of a list; undefined for other routes and for complete lists, which only the public API allows.
 */
type PagingOf<E extends Endpoint> = E extends PanelEndpoint
  ? E['envelope'] extends 'list'
    ? Paging
    : undefined
  : Paging | undefined

/**
 * The caller of a route: a token for the public API, a session for the panel. Panel routes that are open to anyone may
 * be called without a session.
 */
type Caller<E extends Endpoint> = E extends PanelEndpoint
  ? {
      readonly session: E['admits'] extends 'anyone' ? SessionView | undefined : SessionView
      readonly client: ClientRequest
    }
  : { readonly token: TokenPrincipal }

// `handle` is declared as a method, whose parameters are bivariant, so that one table can hold the handlers of all
// routes. This is safe because each handler receives only the result of its own route's parser.
interface HandlerMethod<E extends Endpoint, C extends OperationTable> {
  handle(call: Call<E, C>): ResponseOf<E> | Promise<ResponseOf<E>>
}

/** Handles the requests of one route: reads the call, performs an operation or query, and returns the response. */
export type Handler<E extends Endpoint, C extends OperationTable> = HandlerMethod<E, C>['handle']

/** One handler for each route of a contract; a missing handler is a compile error. */
export type Handlers<T extends Readonly<Record<string, Endpoint>>, C extends OperationTable> = {
  readonly [K in keyof T]: Handler<T[K], C>
}

// `find` is declared as a method, whose parameters are bivariant, so that `AnyReadyFinder` can hold the finder of any
// route.
interface FinderMethod<Q> {
  find(call: { readonly query: Q; readonly paging: Paging | undefined; readonly now: number }): PreparedList | undefined
}

/** Returns the response to a call of one route if it is cached, otherwise undefined; it does not wait. */
export type ReadyFinder<E extends Endpoint> = FinderMethod<Query<E>>['find']

/** A finder of cached responses for any route of a contract. */
export type AnyReadyFinder = FinderMethod<unknown>['find']

/** A validated and converted request for any route of a contract. */
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

/** A handler for any route of a contract. */
export type AnyHandler<C extends OperationTable> = AnyHandling<C>['handle']

/**
 * Returns the `perform` function of one request; `replayed` is called when an outcome is replayed for an idempotency
 * key.
 */
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
