import { useLocation, useNavigate } from '@tanstack/react-router'

/** The query parameters of a screen: filters, page, open item. All values are strings. */
export type Address = Readonly<Record<string, string>>

/** Parses the query string of a URL. */
export function readAddress(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Serialises query parameters, without empty values. */
export function writeAddress(values: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`
}

/** The state of a screen as query parameters, preserved by links, reloads and the back button. */
export function useAddress(): [Address, (change: Address) => void] {
  const address = useLocation({ select: ({ search }): Address => search })
  const navigate = useNavigate()
  const change = (values: Address): void => {
    void navigate({ to: '.', search: { ...address, ...values }, replace: !('open' in values), resetScroll: false })
  }
  return [address, change]
}

/** The page number in the query parameters, from 1. */
export function pageOf(address: Address): number {
  const page = Number(address.page ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
