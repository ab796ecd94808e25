import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryFilters,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { isEnrolmentRequired, isSignedOut } from './refusal.ts'
import {
  type PanelResponse,
  type PanelRouteQuery,
  type PanelRouteRequest,
  type ReadRoute,
  requestUntyped,
  type UntypedRequest,
  type WriteRoute,
} from './request.ts'
import { createStore } from './store.ts'

/**
 * Whether the session has ended while the panel is open; the sign-in dialog is then open. Set when a query or mutation
 * is refused with 401, and when the reloaded session has no user.
 */
export const sessionEnded = createStore(false)

function handleAccessError(error: unknown): void {
  if (isSignedOut(error)) sessionEnded.set(true)
  // Until the user has set up a second factor, the service refuses all requests except those that this set-up needs.
  // With the reloaded session, the shell shows the page for that set-up in place of all other pages.
  if (isEnrolmentRequired(error)) void refetch(['GET /session/'])
}

/** The TanStack Query client, which caches all responses that screens have loaded. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: handleAccessError }),
  mutationCache: new MutationCache({ onError: handleAccessError }),
  defaultOptions: {
    queries: {
      // The age in milliseconds from which a response is stale, so that it is refetched when a component that reads it
      // is mounted, the window is focused or the network returns. Changes that the event stream reports (`useLive`)
      // make the affected responses stale earlier.
      staleTime: 30_000,
      // Only network errors are retried, at most twice; a refusal by the service is final.
      retry: (failures, error) => failures < 2 && error instanceof TypeError,
    },
    mutations: { networkMode: 'always' },
  },
})

/** The state of a query, as `useRead` returns it. */
export interface ReadState<T> {
  readonly data: T | undefined
  readonly error: unknown
  /** Whether `data` still belongs to the previous query, because the response to the current one has not arrived. */
  readonly isPlaceholderData: boolean
  refetch(): unknown
}

/** A mutation and its state, as `useWrite` returns it. */
export interface WriteState<K extends WriteRoute> {
  readonly isPending: boolean
  readonly error: unknown
  readonly data: PanelResponse<K> | undefined
  /** Sends the request; an error is stored in `error`. */
  mutate(request: PanelRouteRequest<K>, then?: { onSuccess: (response: PanelResponse<K>) => void }): void
  /** Sends the request; rejects on an error. */
  mutateAsync(request: PanelRouteRequest<K>): Promise<PanelResponse<K>>
  /** Clears `data` and `error`. */
  reset(): void
}

interface ReadOptions<T> {
  /** Returns the polling interval in milliseconds after a response; false to stop polling. */
  readonly refetchAfter?: (response: T | undefined) => number | false
  /** Whether the query is enabled; true when absent. */
  readonly enabled?: boolean
}

/**
 * Queries a route. While the response to a changed query loads, such as another page of a list, `data` is the response
 * to the previous query.
 */
export function useRead<K extends ReadRoute>(
  row: K,
  query: PanelRouteQuery<K>,
  { refetchAfter, enabled = true }: ReadOptions<PanelResponse<K>> = {},
): ReadState<PanelResponse<K>> {
  // `ReadState` is declared by hand: inferring the library's types for every route takes a minute to compile.
  return useQuery({
    queryKey: [row, query],
    queryFn: ({ signal }) => requestUntyped(row, { query }, signal),
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchAfter?.(state.data) ?? false,
  })
}

/**
 * Reads a route that takes its query in the request body, since personal data must not appear in a URL. The route
 * changes nothing.
 */
export function useLookup<K extends 'POST /customers/similar/'>(
  row: K,
  question: PanelRouteRequest<K>,
  { enabled = true }: { readonly enabled?: boolean } = {},
): ReadState<PanelResponse<K>> {
  return useQuery({
    queryKey: [row, question],
    queryFn: ({ signal }) => requestUntyped(row, question, signal),
    enabled,
    placeholderData: keepPreviousData,
  })
}

/**
 * Returns a mutation that sends requests to a route. `changes` lists the routes that are refetched after a success,
 * before the mutation counts as complete.
 */
export function useWrite<K extends WriteRoute>(row: K, changes: readonly ReadRoute[] = []): WriteState<K> {
  return useMutation({
    mutationFn: (request: UntypedRequest) => requestUntyped(row, request),
    onSuccess: () => refetch(changes),
  })
}

/** Marks the responses of these routes as stale, and waits until those in use by mounted components are refetched. */
export async function refetch(rows: readonly ReadRoute[]): Promise<void> {
  await Promise.all(rows.map((row) => refetchMatching({ queryKey: [row] })))
}

/** Marks all responses as stale, and waits until those in use by mounted components are refetched. */
export async function refetchAll(): Promise<void> {
  await refetchMatching({})
}

async function refetchMatching(filters: QueryFilters): Promise<void> {
  // TanStack Query replaces a request that is under way by a new one, except the first request of a query. Its response
  // may be older than this call too, so such a query is refetched when it has its first response.
  const loading = queryClient.getQueryCache().findAll({
    ...filters,
    fetchStatus: 'fetching',
    predicate: ({ state }) => state.data === undefined,
  })
  const refetchedLater = loading.map(({ promise, queryKey }) =>
    promise?.then(
      () => queryClient.invalidateQueries({ queryKey, exact: true }),
      () => undefined,
    ),
  )
  await Promise.all([queryClient.invalidateQueries(filters), ...refetchedLater])
}
