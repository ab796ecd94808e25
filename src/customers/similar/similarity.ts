import { editDistance } from '../../scheduling/nearest.ts'
import type { Customer } from '../customer.ts'
import { folded } from '../search/search-terms.ts'

/** What two customers have in common that makes them look like one person. */
export type Likeness = 'phone' | 'email' | 'name_and_birthday' | 'name'

/** The fields by which customers are compared. */
export type Compared = Pick<Customer, 'name' | 'email' | 'phone' | 'details'>

/**
 * Returns why two customers may be one person, the strongest reason first: a common phone number of five or more digits
 * regardless of the country code, the same mailbox, a similar name with the same birthday, or the same words of the
 * name. `national` returns the digits of a phone number without the country code.
 */
export function likenesses(one: Compared, other: Compared, national: (phone: string) => string): Likeness[] {
  const numbers = new Set(numbersOf(one).map(national).filter(isLong))
  const [mine, theirs] = [mailbox(one.email), mailbox(other.email)]
  const birthday = one.details?.birthday
  const bornAlike = birthday !== undefined && birthday === other.details?.birthday
  return [
    ...(numbersOf(other).some((phone) => numbers.has(national(phone))) ? (['phone'] as const) : []),
    ...(mine !== '' && mine === theirs ? (['email'] as const) : []),
    ...(bornAlike && areSimilar(one.name, other.name) ? (['name_and_birthday'] as const) : []),
    ...(wordsOf(one.name) === wordsOf(other.name) ? (['name'] as const) : []),
  ]
}

/** Returns all phone numbers of a customer. */
export function numbersOf({ phone, details }: Compared): string[] {
  return [phone, ...(details?.phones ?? []).map(({ number }) => number)].filter((number) => number !== '')
}

// A number of fewer than five digits may be an extension, which several customers may share.
function isLong(digits: string): boolean {
  return digits.length >= 5
}

/**
 * Returns an e-mail address in lower case, without the dots and the `+` suffix of its local part, since all of these
 * spellings may lead to the same mailbox.
 */
export function mailbox(email: string): string {
  const [local = '', domain = ''] = email.normalize('NFC').toLowerCase().split('@')
  return domain === '' ? '' : `${local.replace(/\+.*$/, '').replaceAll('.', '')}@${domain}`
}

/**
 * Whether two names, after their words are sorted, differ by at most two edits of one character (one edit when either
 * name has fewer than six characters). A name without words is similar to none.
 */
export function areSimilar(one: string, other: string): boolean {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)]
  return (
    mine !== '' && theirs !== '' && editDistance(mine, theirs) <= (Math.min(mine.length, theirs.length) < 6 ? 1 : 2)
  )
}

function wordsOf(name: string): string {
  return folded(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ')
}
