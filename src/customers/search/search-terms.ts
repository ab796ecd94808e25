import type { Customer } from '../customer.ts'
import { tagKey } from '../details/customer-details.ts'
import { backwards, phoneTerms, soughtPhoneTerms } from './phone-terms.ts'

const longest = 60
const maxSearched = 6

/**
 * Returns the search terms of a customer, cut to 60 characters: the words of the name and of the local part of the
 * e-mail address, the whole address, and the terms of all phone numbers and tags.
 */
export async function searchTermsOf({
  name,
  email,
  phone,
  details = {},
}: Pick<Customer, 'name' | 'email' | 'phone' | 'details'>): Promise<string[]> {
  const [local = ''] = email.split('@')
  const numbers = [phone, ...(details.phones ?? []).map(({ number }) => number)]
  const digits = (await Promise.all(numbers.map(phoneTerms))).flat()
  const tags = (details.tags ?? []).map(tagTerm)
  const words = [...split(name), ...split(local), addressTerm(email), ...digits, ...tags]
  return [...new Set(words.map((word) => word.slice(0, longest)).filter((word) => word !== ''))]
}

/**
 * The range of the search terms of tags: from `from` up to, but not including, `until`. No other search term starts
 * with `#`.
 */
export const tagTerms = { from: '#', until: '$' } as const

/**
 * Returns the search term of a tag. The term starts with `#`, which is removed from typed search texts, so that no
 * search text matches a tag.
 */
export function tagTerm(tag: string): string {
  return `${tagTerms.from}${tagKey(tag)}`
}

/** A prefix of a search term, or several alternative prefixes of which one must match. */
export type SoughtTerms = string | readonly string[]

// Matches a phone number with its separators at the end of a search text, alone or after other words.
const phoneNumber = /(?:^|\s)([+(\d][\d\s()/.-]{4,})$/

/**
 * Splits a search text into the prefixes of its first six words and of a phone number at its end; a customer matches
 * when each prefix matches one of the customer's terms.
 */
export async function parseSearch(text: string): Promise<SoughtTerms[]> {
  const trimmed = text.trim()
  const [found = '', number = ''] = phoneNumber.exec(trimmed) ?? []
  const rest = trimmed.slice(0, trimmed.length - found.length)
  const digits = (await soughtPhoneTerms(number)).map((word) => word.slice(0, longest))
  const words = rest.split(/\s+/).flatMap((part) => (part.includes('@') ? [addressTerm(part)] : split(part)))
  const unlike = [...new Set(words.map((word) => word.slice(0, longest)))].filter((word) => word !== '')
  // A word of four or more digits may be a phone number, or the beginning or the end of one.
  const sought = await Promise.all(
    unlike.slice(0, maxSearched).map((word) => (/^\d{4,}$/.test(word) ? soughtPhoneTerms(word) : word)),
  )
  return digits.length > 0 ? [...sought, digits] : sought
}

/**
 * Returns the search term of an e-mail address, without leading `#` and `~`. These characters mark the search terms of
 * tags and of reversed phone numbers.
 */
function addressTerm(address: string): string {
  let term = folded(address)
  while (term.startsWith(tagTerms.from) || term.startsWith(backwards)) term = term.slice(1)
  return term
}

function split(text: string): string[] {
  return folded(text).split(/[^\p{L}\p{N}]+/u)
}

/**
 * Returns a text in lower case and without accents, which Unicode decomposition separates from their letters. Replaces
 * ß by ss, because it has no decomposition.
 */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}
