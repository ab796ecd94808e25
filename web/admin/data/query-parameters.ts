import { useLocation, useNavigate } from '@tanstack/react-router'

/** The query parameters of a screen: filters, page number, id of the open item. All values are strings. */
export type QueryParameters = Readonly<Record<string, string>>

/** Parses the query string of a URL. */
export function parseQueryParameters(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Serialises query parameters, without empty values. */
export function stringifyQueryParameters(values: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`
}

/**
 * Returns the query parameters of the current screen, and a function that changes some of them; an empty value removes
 * a parameter. The parameters are part of the URL, so a copied link and a reload preserve them. Only a change of the
 * parameter `open`, which names the open item, adds an entry to the browser's history.
 */
export function useQueryParameters(): [QueryParameters, (change: QueryParameters) => void] {
  const parameters = useLocation({ select: ({ search }): QueryParameters => search })
  const navigate = useNavigate()
  const change = (values: QueryParameters): void => {
    void navigate({ to: '.', search: { ...parameters, ...values }, replace: !('open' in values), resetScroll: false })
  }
  return [parameters, change]
}

/** Returns the page number in the query parameters, at least 1; 1 when the number is absent or invalid. */
export function pageOf(parameters: QueryParameters): number {
  const page = Number(parameters.page ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
