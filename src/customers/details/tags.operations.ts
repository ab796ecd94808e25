import type { ReadDatabase } from '../../db/database.ts'
import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { wrongFields } from '../../messages/refusal.ts'
import { customerLocks } from '../customer-locks.ts'
import { editCustomer } from '../customers.operations.ts'
import { findCustomer, listDetails } from '../customers.sql.ts'
import { listTagTerms } from '../search/search-index.sql.ts'
import { tagTerm, tagTerms } from '../search/search-terms.ts'
import { maxTags, tagKey, tagList } from './customer-details.ts'

/** The input of `tagCustomers`: the ids of customers, and the tags to add to them and to remove from them. */
export interface TagCustomers {
  readonly ids: readonly string[]
  readonly add?: readonly string[]
  readonly remove?: readonly string[]
}

/**
 * Adds tags to customers and removes other tags; unknown customers are skipped. Returns the number of changed
 * customers. Refuses when a customer would have more than `maxTags` tags.
 */
export const tagCustomers: Operation<TagCustomers, { changed: number }> = async (tx, input) => {
  const { add = [], remove = [] } = input
  const ids = [...new Set(input.ids)]
  const removed = new Set(remove.map(tagKey))
  // All locks are taken with one call, so that two concurrent requests cannot deadlock.
  await tx.lock(customerLocks(ids))
  let changed = 0
  for (const id of ids) {
    const customer = await findCustomer(tx.db, id)
    if (!customer) continue
    const before = customer.details?.tags ?? []
    const tags = tagList([...before.filter((tag) => !removed.has(tagKey(tag))), ...add])
    if (tags.length > maxTags) throw wrongFields({ add: message('name_at_most', { count: maxTags }) })
    if (tags.join('\n') === before.join('\n')) continue
    await editCustomer(tx, { id, details: { tags } })
    changed += 1
  }
  return { changed }
}

const maxListed = 500

/**
 * Lists at most 500 tags that customers have, ordered by their lower-case form. Tags that differ only in case are
 * listed once.
 */
export function listTags(db: ReadDatabase): Promise<{ readonly tags: readonly string[] }> {
  return db.snapshot(async (read) => {
    const terms = await listTagTerms(read, maxListed)
    const details = await listDetails(
      read,
      terms.map(({ customerId }) => customerId),
    )
    const tags = terms.map(({ term, customerId }) => {
      const typed = details.get(customerId)?.tags?.find((tag) => tagTerm(tag) === term)
      return typed ?? term.slice(tagTerms.from.length)
    })
    return { tags }
  })
}
