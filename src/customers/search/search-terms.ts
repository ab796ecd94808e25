import type { Customer } from '../customer.ts'
import { phoneTerms, soughtPhoneTerms } from './phone-terms.ts'

const longest = 60
const mostSought = 6

/** The words a customer is found by: those of the name, those of the e-mail address before its @, the whole of it, the number. */
export async function searchTermsOf({
  name,
  email,
  phone,
}: Pick<Customer, 'name' | 'email' | 'phone'>): Promise<string[]> {
  const [local = ''] = email.split('@')
  const words = [...split(name), ...split(local), folded(email), ...(await phoneTerms(phone))]
  return [...new Set(words.map((word) => word.slice(0, longest)).filter((word) => word !== ''))]
}

/** The beginning of a word, or several of which one is enough. */
export type SoughtTerms = string | readonly string[]

/** The beginnings of words that a search asks for, all of which have to be there. */
export async function parseSearch(text: string): Promise<SoughtTerms[]> {
  if (/^[+\d\s()/.-]{5,}$/.test(text)) {
    const number = (await soughtPhoneTerms(text)).map((word) => word.slice(0, longest))
    return number.length > 0 ? [number] : []
  }
  const words = text.split(/\s+/).flatMap((part) => (part.includes('@') ? [folded(part)] : split(part)))
  const unlike = [...new Set(words.map((word) => word.slice(0, longest)))].filter((word) => word !== '')
  // Beside a name, the end of a number.
  return Promise.all(unlike.slice(0, mostSought).map((word) => (/^\d{4,}$/.test(word) ? soughtPhoneTerms(word) : word)))
}

function split(text: string): string[] {
  return folded(text).split(/[^\p{L}\p{N}]+/u)
}

// Accents are left out, as they are in many a search; ß has no accent to leave out.
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')
}
