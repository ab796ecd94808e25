import type { Database, ReadDatabase } from '../../db/database.ts'
import type { Customer } from '../customer.ts'
import { emailKey } from '../customer.ts'
import { unknownCustomer } from '../customers.operations.ts'
import { findCustomer, listCustomersAt } from '../customers.sql.ts'
import { listMatchingCustomers } from '../search/customer-search.sql.ts'
import { nationalDigits, phoneTerms } from '../search/phone-terms.ts'
import { findIdsByTerms } from '../search/search-index.sql.ts'
import { searchTermsOf } from '../search/search-terms.ts'
import { type Compared, type Likeness, likenesses, numbersOf } from './similarity.ts'

/** The input of `findSimilar`: the id of a stored customer, or the fields of a customer who is about to be added. */
export interface SimilarQuery {
  readonly id?: string
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  readonly birthday?: string
}

// The maximum number of candidates who have a search term of a phone number in common with the customer in the query,
// and as many with one of the e-mail address; the maximum number of candidates who have a word of the name in common;
// and the maximum number of results.
const maxReached = 200
const maxNamed = 500
const maxReturned = 10

/**
 * Returns at most ten customers who may be the same person as the one in the query, the likeliest first, each with the
 * reasons. The same name alone counts only for a customer who is about to be added.
 */
export function findSimilar(db: ReadDatabase, query: SimilarQuery) {
  return db.snapshot(async (read) => {
    const about = await comparedOf(read, query)
    const others = (await candidates(read, about)).filter(({ id }) => id !== query.id)
    const national = await nationalOf([about, ...others].flatMap(numbersOf))
    const found = others.flatMap((customer) => {
      const reasons = likenesses(about, customer, (phone) => national.get(phone) ?? '')
      const counted = query.id === undefined ? reasons : reasons.filter((reason) => reason !== 'name')
      return counted.length > 0 ? [{ customer, reasons }] : []
    })
    return {
      items: found
        .sort((one, other) => weight(other.reasons) - weight(one.reasons))
        .slice(0, maxReturned)
        .map(({ customer: { id, name, email, phone }, reasons }) => ({ id, name, email, phone, reasons })),
    }
  })
}

const weights: Readonly<Record<Likeness, number>> = { phone: 8, email: 4, name_and_birthday: 2, name: 1 }

function weight(reasons: readonly Likeness[]): number {
  return reasons.reduce((sum, reason) => sum + weights[reason], 0)
}

async function comparedOf(db: Database, query: SimilarQuery): Promise<Compared> {
  const { id, name = '', email = '', phone = '', birthday } = query
  if (id === undefined) return { name, email, phone, ...(birthday && { details: { birthday } }) }
  const customer = await findCustomer(db, id)
  if (!customer) throw unknownCustomer()
  return customer
}

/**
 * Returns candidates for the comparison, limited by `maxReached` and `maxNamed`: customers with a common phone number,
 * the same e-mail address, or a common word of the name or of the local part of the address.
 */
async function candidates(db: Database, about: Compared): Promise<Customer[]> {
  const numbers = (await Promise.all(numbersOf(about).map(phoneTerms))).flat()
  const mail = await searchTermsOf({ name: '', email: about.email, phone: '' })
  const names = await searchTermsOf({ name: about.name, email: '', phone: '' })
  const ids = new Set([
    // Each has a limit of its own: a word of an address, such as `info`, may be that of many customers.
    ...(await findIdsByTerms(db, numbers, maxReached)),
    ...(await findIdsByTerms(db, mail, maxReached)),
    ...(await findIdsByTerms(db, names, maxNamed)),
  ])
  const found = await listMatchingCustomers(db, { ids: [...ids] }, 'created', { limit: ids.size, offset: 0 })
  const byAddress = about.email === '' ? [] : await listCustomersAt(db, [emailKey(about.email)])
  const all = new Map([...found.map(({ customer }) => customer), ...byAddress].map((one) => [one.id, one]))
  return [...all.values()]
}

async function nationalOf(phones: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(phones)]
  return new Map(await Promise.all(distinct.map(async (phone) => [phone, await nationalDigits(phone)] as const)))
}
