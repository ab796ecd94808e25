import type { Headers } from './response.ts'

/**
 * The requested page of a list. Pages are numbered from 1; `limit` equals `perPage`, and `offset` is the number of
 * items on all earlier pages.
 */
export interface Paging {
  readonly page: number
  readonly perPage: number
  readonly limit: number
  readonly offset: number
}

const defaultPerPage = 100

/** The default page of a list that is always paginated. */
export const firstPage: Paging = { page: 1, perPage: defaultPerPage, limit: defaultPerPage, offset: 0 }

/** Returns the page that a parsed query requests; undefined when it has neither `page` nor `per_page`. */
export function pagingOf(query: unknown): Paging | undefined {
  if (typeof query !== 'object' || query === null) return undefined
  const page = 'page' in query ? Number(query.page) : undefined
  const perPage = 'per_page' in query ? Number(query.per_page) : undefined
  if (page === undefined && perPage === undefined) return undefined
  const limit = perPage ?? defaultPerPage
  return { page: page ?? 1, perPage: limit, limit, offset: ((page ?? 1) - 1) * limit }
}

/**
 * Returns the headers of a page: the totals and a `Link` header, whose URLs contain the other parameters of the
 * query.
 */
export function pageHeaders({ page, perPage }: Paging, total: number, url: { path: string; query: string }): Headers {
  const last = Math.ceil(total / perPage)
  const parameters = new URLSearchParams(url.query)
  const link = (number: number, relation: string) => {
    parameters.set('page', String(number))
    parameters.set('per_page', String(perPage))
    return `<${url.path}?${parameters}>; rel="${relation}"`
  }
  const links = [link(1, 'first')]
  if (page > 1) links.push(link(Math.max(1, Math.min(page - 1, last)), 'prev'))
  if (page < last) links.push(link(page + 1, 'next'))
  links.push(link(Math.max(1, last), 'last'))
  return { 'X-WP-Total': String(total), 'X-WP-TotalPages': String(last), Link: links.join(', ') }
}
