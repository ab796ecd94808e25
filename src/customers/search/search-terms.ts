import type { Customer } from '../customer.ts'
import { phoneTerms, soughtPhoneTerms } from './phone-terms.ts'

const longest = 60
const maxSearched = 6

/**
 * Returns the search terms of a customer: words of the name, the e-mail address and its local part, the phone number.
 */
export async function searchTermsOf({
  name,
  email,
  phone,
}: Pick<Customer, 'name' | 'email' | 'phone'>): Promise<string[]> {
  const [local = ''] = email.split('@')
  const words = [...split(name), ...split(local), folded(email), ...(await phoneTerms(phone))]
  return [...new Set(words.map((word) => word.slice(0, longest)).filter((word) => word !== ''))]
}

/** A prefix, or alternatives of which one suffices. */
export type SoughtTerms = string | readonly string[]

/** Returns the prefixes of a search text, all of which must match. */
export async function parseSearch(text: string): Promise<SoughtTerms[]> {
  if (/^[+\d\s()/.-]{5,}$/.test(text)) {
    const number = (await soughtPhoneTerms(text)).map((word) => word.slice(0, longest))
    return number.length > 0 ? [number] : []
  }
  const words = text.split(/\s+/).flatMap((part) => (part.includes('@') ? [folded(part)] : split(part)))
  const unlike = [...new Set(words.map((word) => word.slice(0, longest)))].filter((word) => word !== '')
  // The end of a number, if it follows a name.
  return Promise.all(
    unlike.slice(0, maxSearched).map((word) => (/^\d{4,}$/.test(word) ? soughtPhoneTerms(word) : word)),
  )
}

function split(text: string): string[] {
  return folded(text).split(/[^\p{L}\p{N}]+/u)
}

// Removes accents; ß has none.
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}
