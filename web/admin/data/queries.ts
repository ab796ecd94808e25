import { keepPreviousData, MutationCache, QueryCache, QueryClient, useMutation, useQuery } from '@tanstack/react-query'
import {
  type PanelQuery,
  type PanelRequest,
  type Queried,
  type ReadRow,
  requestUntyped,
  type Told,
  type WriteRow,
} from './ask.ts'
import { isEnrolmentAsked, isSignedOut } from './refusal.ts'
import { createStore } from './store.ts'

/** Whether a request was refused for want of a session: the sign-in dialog then stands over the page. */
export const sessionEnded = createStore(false)

function heed(error: unknown): void {
  if (isSignedOut(error)) sessionEnded.set(true)
  // The page that sets one up takes the place of all others.
  if (isEnrolmentAsked(error)) void readAgain(['GET /session/'])
}

/** What was read, kept for all screens. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: heed }),
  mutationCache: new MutationCache({ onError: heed }),
  defaultOptions: {
    queries: {
      // The live stream says what changed; this is for when it is interrupted.
      staleTime: 30_000,
      // Refusals stay what they are; a connection may come back.
      retry: (failures, error) => failures < 2 && error instanceof TypeError,
    },
    mutations: { networkMode: 'always' },
  },
})

/** What reading a row has come to so far. */
export interface ReadState<T> {
  readonly data: T | undefined
  readonly error: unknown
  /** `data` is of the question before, until the answer to this one is there. */
  readonly isPlaceholderData: boolean
  refetch(): unknown
}

/** A write, and what it has come to. */
export interface Writing<K extends WriteRow> {
  readonly isPending: boolean
  readonly error: unknown
  readonly data: Told<K> | undefined
  /** Writes; what goes wrong stands in `error`. */
  mutate(asked: PanelQuery<K>, then?: { onSuccess: (told: Told<K>) => void }): void
  /** Writes, and throws what goes wrong. */
  mutateAsync(asked: PanelQuery<K>): Promise<Told<K>>
  /** Forgets what it came to. */
  reset(): void
}

interface ReadOptions<T> {
  /** In how many milliseconds to look again, after what was told last; false for not by itself. */
  readonly lookAgain?: (told: T | undefined) => number | false
  /** Whether it is to be asked yet; it is, when absent. */
  readonly when?: boolean
}

/** Reads a row of the contract; a list keeps its page on screen until the next one is there. */
export function useRead<K extends ReadRow>(
  row: K,
  query: Queried<K>,
  { lookAgain, when = true }: ReadOptions<Told<K>> = {},
): ReadState<Told<K>> {
  // The types are the ones above: worked out inside the library's for every row, they take a minute to check.
  return useQuery({
    queryKey: [row, query],
    queryFn: ({ signal }) => requestUntyped(row, { query }, signal),
    enabled: when,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => lookAgain?.(state.data) ?? false,
  })
}

/** Writes by a row of the contract; what was read by the rows of `changes` is read again before it counts as done. */
export function useWrite<K extends WriteRow>(row: K, changes: readonly ReadRow[] = []): Writing<K> {
  return useMutation({
    mutationFn: (asked: PanelRequest) => requestUntyped(row, asked),
    onSuccess: () => readAgain(changes),
  })
}

/** Marks what these rows answered as out of date, and waits until what is on screen is read again. */
export async function readAgain(rows: readonly ReadRow[]): Promise<void> {
  await Promise.all(rows.map((row) => queryClient.invalidateQueries({ queryKey: [row] })))
}
