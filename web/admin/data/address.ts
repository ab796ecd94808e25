import { useLocation, useNavigate } from '@tanstack/react-router'

/** What stands behind the `?` of the address: filters, page, what is open. All of it is text. */
export type Address = Readonly<Record<string, string>>

/** Reads the part of an address behind the `?`. */
export function readAddress(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Writes it, without what is empty. */
export function writeAddress(values: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`
}

/** The state of a screen that stands in its address, so that a link, a reload and the back button keep it. */
export function useAddress(): [Address, (change: Address) => void] {
  const address = useLocation({ select: ({ search }): Address => search })
  const navigate = useNavigate()
  const change = (values: Address): void => {
    void navigate({ to: '.', search: { ...address, ...values }, replace: !('open' in values), resetScroll: false })
  }
  return [address, change]
}

/** The page of a list that the address names, from 1. */
export function pageOf(address: Address): number {
  const page = Number(address.page ?? 1)
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
