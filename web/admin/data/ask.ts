import type { Query, Returns } from '../../../src/contract/endpoint.ts'
import type { AdminApi } from '../../../src/contract/panel-api.ts'
import { ApiError, type Ask, queryText } from '../../client.ts'
import { askForProof, needsProof } from './proof.ts'

/** A row of the panel's contract, such as `GET /people/`. */
export type Row = keyof AdminApi

/** A row that only reads, and answers JSON. */
export type ReadRow = {
  [K in Row]: K extends `GET ${string}` ? (AdminApi[K]['answer'] extends 'file' | 'live' ? never : K) : never
}[Row]

/** A row that changes something. */
export type WriteRow = Exclude<Row, `GET ${string}`>

/** One item of a list row; what any other row answers. */
export type Item<K extends Row> = Returns<AdminApi[K]>

/** One page of a list, with how many there are in all. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
}

// Tables and not conditions, so that the compiler works each row out once.
type QueriedTable = { readonly [K in Row]: Query<AdminApi[K]> }
type AskedTable = { readonly [K in Row]: Ask<AdminApi[K]> }
type ToldTable = { readonly [K in Row]: AdminApi[K]['answer'] extends 'list' ? Page<Item<K>> : Item<K> }

/** The query of a row, as the contract has it. */
export type Queried<K extends Row> = QueriedTable[K]

/** What a row is asked with: its query and its body. */
export type Asked<K extends Row> = AskedTable[K]

/** What asking a row comes to. */
export type Told<K extends Row> = ToldTable[K]

/** Where the panel's own API begins. */
export const apiRoot = '/admin/api'

/** Asks one row of the service that this page came from; throws `ApiError` for every answer that is no success. */
export function ask<K extends Row>(row: K, asked: Asked<K>, signal?: AbortSignal): Promise<Told<K>> {
  return request(row, asked, signal)
}

/** Query and body as they are sent. */
export interface Request {
  readonly query?: object
  readonly body?: unknown
}

/**
 * The same without the contract's types; what comes back is what it says, as panel and service are of one version. Where
 * the service asks for a recent proof of identity, the person is asked for one and the request is repeated.
 */
export async function request(row: string, asked: Request, signal?: AbortSignal) {
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

async function send(row: string, asked: Request, signal?: AbortSignal) {
  const [method = '', path = ''] = row.split(' ')
  const { query = {}, body } = asked
  const response = await fetch(`${apiRoot}${path}${queryText(query)}`, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return { response, answer: JSON.parse(await response.text()) }
}
