import { dateAt } from '../../scheduling/time/zone.ts'
import { digitsOf } from '../search/phone-terms.ts'

/** A further phone number of a customer. */
export interface LabelledPhone {
  /** A description of the phone number, such as "Work"; may be empty. */
  readonly label: string
  readonly number: string
}

/** The birthday, tags and further phone numbers of a customer, which integrations do not see. */
export interface CustomerDetails {
  /** The customer's birthday as `YYYY-MM-DD`; absent when unknown. */
  readonly birthday?: string
  /** The tags of the customer in alphabetical order; absent if there is none. */
  readonly tags?: readonly string[]
  /** Phone numbers besides the one in `Customer`; absent if there is none. */
  readonly phones?: readonly LabelledPhone[]
}

/** A change of a customer's details; an absent field is unchanged, and null or an empty list removes it. */
export interface DetailsChange {
  readonly birthday?: string | null
  readonly tags?: readonly string[]
  readonly phones?: readonly LabelledPhone[]
}

/** The maximum numbers of tags and of further phone numbers of one customer. */
export const maxTags = 20
export const maxPhones = 5

/** Returns a customer's details after a change; undefined when nothing is left. */
export function detailsAfter(before: CustomerDetails = {}, change: DetailsChange): CustomerDetails | undefined {
  const { birthday = before.birthday, tags = before.tags ?? [], phones = before.phones ?? [] } = change
  const numbers = phones.filter(({ number }) => number.trim() !== '')
  const kept = tagList(tags)
  const after = {
    ...(birthday && { birthday }),
    ...(kept.length > 0 && { tags: kept }),
    ...(numbers.length > 0 && { phones: numbers }),
  }
  return Object.keys(after).length > 0 ? after : undefined
}

/** Returns the field `details` for an object that describes a customer; an empty object when no details are stored. */
export function detailsOf(details: CustomerDetails | undefined): { readonly details?: CustomerDetails } {
  return details ? { details } : {}
}

// UTC+14, the time zone whose clocks are furthest ahead. A date that is in the future there is in the future
// everywhere.
const furthestAhead = 'Etc/GMT-14'

/** Whether a birthday is in the future in every time zone; false when there is no birthday. */
export function isAhead(birthday: string | null | undefined, now: number): boolean {
  return Boolean(birthday) && String(birthday) > dateAt(furthestAhead, now)
}

/**
 * Returns tags in alphabetical order, trimmed and without empty ones; of tags that differ at most in case, only the
 * first is returned.
 */
export function tagList(tags: readonly string[]): string[] {
  return distinctTags(tags).sort((one, other) => (tagKey(one) < tagKey(other) ? -1 : 1))
}

/** Returns the normalised form of a tag, by which tags are compared. */
export function tagKey(tag: string): string {
  return tag.normalize('NFC').toLowerCase()
}

/** Returns tags in their order, trimmed and without empty ones; of tags that differ at most in case, only the first. */
function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags.map((one) => one.trim()))
    if (tag !== '' && !byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag)
  return [...byKey.values()]
}

/** The fields of a customer that `mergedDetails` uses; `phone` is empty for a customer without a phone number. */
interface MergedCustomer {
  readonly phone: string
  readonly details?: CustomerDetails
}

/**
 * Returns the details of a customer after a merge. If both customers have a birthday, that of the remaining customer
 * applies. If the customers have different first phone numbers, that of the removed customer becomes a further number.
 * Each number is stored once. If there are more tags or numbers than allowed, those of the removed customer are dropped
 * first.
 */
export function mergedDetails(stays: MergedCustomer, gone: MergedCustomer): CustomerDetails | undefined {
  const birthday = stays.details?.birthday ?? gone.details?.birthday
  const stored = new Set(['', phoneKey(stays.phone || gone.phone)])
  const phones = [
    ...(stays.details?.phones ?? []),
    { label: '', number: gone.phone },
    ...(gone.details?.phones ?? []),
  ].filter(({ number }) => !stored.has(phoneKey(number)) && stored.add(phoneKey(number)))
  return detailsAfter(stays.details, {
    ...(birthday && { birthday }),
    tags: distinctTags([...(stays.details?.tags ?? []), ...(gone.details?.tags ?? [])]).slice(0, maxTags),
    phones: phones.slice(0, maxPhones),
  })
}

/** Returns the form of a phone number by which numbers are compared: its digits, or its text when it has none. */
function phoneKey(number: string): string {
  return digitsOf(number) || number.trim()
}
