import type { Customer } from '../customer.ts'
import { tagKey } from '../details/customer-details.ts'
import { phoneTerms, soughtPhoneTerms } from './phone-terms.ts'

const longest = 60
const maxSearched = 6

/**
 * Returns the search terms of a customer: words of the name, the e-mail address and its local part, all phone numbers,
 * and the tags.
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
  const words = [...split(name), ...split(local), folded(email), ...digits, ...tags]
  return [...new Set(words.map((word) => word.slice(0, longest)).filter((word) => word !== ''))]
}

/** The range of the terms of tags: no term of a name, an address or a number starts with this character. */
export const tagTerms = { from: '#', until: '$' } as const

/** Returns the term of a tag, which search texts never match. */
export function tagTerm(tag: string): string {
  return `${tagTerms.from}${tagKey(tag)}`
}

/** A prefix of a term, or several alternative prefixes of which one must match. */
export type SoughtTerms = string | readonly string[]

/** Splits a search text into prefixes; a customer matches when each prefix matches one of their terms. */
export async function parseSearch(text: string): Promise<SoughtTerms[]> {
  if (/^[+\d\s()/.-]{5,}$/.test(text)) {
    const number = (await soughtPhoneTerms(text)).map((word) => word.slice(0, longest))
    return number.length > 0 ? [number] : []
  }
  const words = text.split(/\s+/).flatMap((part) => (part.includes('@') ? [folded(part)] : split(part)))
  const unlike = [...new Set(words.map((word) => word.slice(0, longest)))].filter((word) => word !== '')
  // The last words may be a phone number that follows a name.
  return Promise.all(
    unlike.slice(0, maxSearched).map((word) => (/^\d{4,}$/.test(word) ? soughtPhoneTerms(word) : word)),
  )
}

function split(text: string): string[] {
  return folded(text).split(/[^\p{L}\p{N}]+/u)
}

/**
 * Returns a text in lower case and without accents, which Unicode decomposition removes; ß is replaced separately because
 * it has no decomposition.
 */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}
