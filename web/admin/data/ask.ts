import type { Query, Returns } from '../../../src/contract/endpoint.ts'
import type { PanelApi } from '../../../src/contract/panel-api.ts'
import { ApiError, type Ask, queryText } from '../../client.ts'
import { askForProof, needsProof } from './proof.ts'

/** A row of the panel's contract, such as `GET /people/`. */
export type PanelRoute = keyof PanelApi

/** A row that only reads, and answers JSON. */
export type ReadRow = {
  [K in PanelRoute]: K extends `GET ${string}` ? (PanelApi[K]['answer'] extends 'file' | 'live' ? never : K) : never
}[PanelRoute]

/** A row that changes something. */
export type WriteRow = Exclude<PanelRoute, `GET ${string}`>

/** One item of a list row; what any other row answers. */
export type Item<K extends PanelRoute> = Returns<PanelApi[K]>

/** One page of a list, with how many there are in all. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly total: number
}

// Tables and not conditions, so that the compiler works each row out once.
type QueriedTable = { readonly [K in PanelRoute]: Query<PanelApi[K]> }
type AskedTable = { readonly [K in PanelRoute]: Ask<PanelApi[K]> }
type ToldTable = { readonly [K in PanelRoute]: PanelApi[K]['answer'] extends 'list' ? ListPage<Item<K>> : Item<K> }

/** The query of a row, as the contract has it. */
export type Queried<K extends PanelRoute> = QueriedTable[K]

/** What a row is asked with: its query and its body. */
export type PanelQuery<K extends PanelRoute> = AskedTable[K]

/** What asking a row comes to. */
export type Told<K extends PanelRoute> = ToldTable[K]

/** Where the panel's own API begins. */
export const panelApiRoot = '/admin/api'

/** Asks one row of the service that this page came from; throws `ApiError` for every answer that is no success. */
export function request<K extends PanelRoute>(row: K, asked: PanelQuery<K>, signal?: AbortSignal): Promise<Told<K>> {
  return requestUntyped(row, asked, signal)
}

/** Query and body as they are sent. */
export interface PanelRequest {
  readonly query?: object
  readonly body?: unknown
}

/**
 * The same without the contract's types; what comes back is what it says, as panel and service are of one version. Where
 * the service asks for a recent proof of identity, the person is asked for one and the request is repeated.
 */
export async function requestUntyped(row: string, asked: PanelRequest, signal?: AbortSignal) {
  const sent = await send(row, asked, signal)
  // A proof of identity in another tab replaces the cookie while requests are on their way; a refused one changed nothing.
  const first = sent.response.status === 401 ? await send(row, asked, signal) : sent
  const stale = !first.response.ok && needsProof(first.response.status, first.answer)
  const { response, answer } = stale && (await askForProof()) ? await send(row, asked, signal) : first
  if (!response.ok) throw new ApiError(response.status, answer)
  const told = 'response' in answer ? answer.response : answer
  const total = response.headers.get('X-WP-Total')
  return total === null ? told : Object.assign(answer, { items: told, total: Number(total) })
}

async function send(row: string, asked: PanelRequest, signal?: AbortSignal) {
  const [method = '', path = ''] = row.split(' ')
  const { query = {}, body } = asked
  const response = await fetch(`${panelApiRoot}${path}${queryText(query)}`, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { response, answer: JSON.parse(await response.text()) }
}
