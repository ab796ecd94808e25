import type { Viewer } from '../../access/users/user.ts'
import { namesOfUsers } from '../../access/users/users.sql.ts'
import type { Database, ReadDatabase } from '../../db/database.ts'
import { maxCounted } from '../../db/query/count-rows.ts'
import { listHistory } from '../../history/history.operations.ts'
import { message } from '../../messages/message.ts'
import { Refusal } from '../../messages/refusal.ts'
import type { CustomerStatus } from '../customer.ts'
import { unknownCustomer } from '../customers.operations.ts'
import { listNotes } from '../notes/notes.sql.ts'
import { findSmsConsent } from '../sms-consent/sms-consent.sql.ts'
import {
  type CustomerCriteria,
  type CustomerOrder,
  countMatchingCustomers,
  countReservationsOf,
  countVisitsOf,
  type FoundCustomer,
  listCustomerIdsOf,
  listMatchingCustomers,
  listVisits,
} from './customer-search.sql.ts'
import { findCustomerIds, findTaggedIds } from './search-index.sql.ts'
import { parseSearch } from './search-terms.ts'

/** The input of `searchCustomers`; absent criteria match every customer, and the default order is by name. */
export interface CustomerSearch {
  /**
   * The text to search for: beginnings of words of the name or of the part of the e-mail address before the `@`, the
   * beginning of the whole address, the beginning or end of a phone number, or a whole id.
   */
  readonly search?: string | undefined
  readonly status?: CustomerStatus | undefined
  readonly sort?: CustomerOrder | undefined
  /** The tag that matching customers have; undefined for customers with any tags or none. */
  readonly tag?: string | undefined
}

/** Returns one page of the matching customers and their number; a total of 10,001 means more than 10,000. */
export function searchCustomers(
  db: ReadDatabase,
  search: CustomerSearch,
  asking: Viewer,
  part: { readonly limit: number; readonly offset: number },
) {
  refuseTooMuch(search, asking, part.offset)
  return db.snapshot(async (read) => {
    const found = await byTextAndTag(read, search)
    const { status } = search
    const sought: CustomerCriteria = found
      ? { ...found, status, ofProvider: asking.ofProvider }
      : { ids: await ownIds(read, asking), status }
    const items = await listMatchingCustomers(read, sought, search.sort ?? 'name', part)
    const total = await countMatchingCustomers(read, sought, maxCounted + 1)
    const visits = await listVisits(
      read,
      items.map(({ customer }) => customer.id),
      asking,
    )
    const page = items.map((known) => ({
      ...listed(known, asking),
      lastAt: visits.get(known.customer.id)?.lastAt ?? null,
      nextAt: visits.get(known.customer.id)?.nextAt ?? null,
    }))
    return { page, total }
  })
}

/** Returns the criteria for the text and the tag of a search; undefined when the search has neither. */
async function byTextAndTag(
  db: Database,
  { search, tag }: CustomerSearch,
): Promise<Pick<CustomerCriteria, 'ids' | 'tag'> | undefined> {
  const among = await matching(db, search)
  if (tag === undefined) return among && { ids: among }
  const ids = await findTaggedIds(db, tag, { among, limit: maxCounted + 1 })
  // Looking customers up by their ids is faster, but `ids` is incomplete when more than `maxCounted` customers have the
  // tag.
  return ids.length > maxCounted ? { tag } : { ids }
}

function refuseTooMuch({ status, tag }: CustomerSearch, { ofProvider }: Viewer, offset: number): void {
  if (offset >= maxCounted)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('list_too_deep'),
      details: {
        page: message('narrow_by_search'),
      },
    })
  if ((status !== undefined || tag !== undefined) && ofProvider !== undefined)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('customer_status_forbidden'),
      details: {
        status: message('leave_out_customer_status'),
      },
    })
}

// Returns the ids of at most `maxCounted` + 1 customers who have a reservation with the provider that the user is
// restricted to; undefined for a user without this restriction. Looking these customers up by id is faster than
// searching all customers.
async function ownIds(db: Database, { ofProvider }: Viewer): Promise<readonly string[] | undefined> {
  return ofProvider === undefined ? undefined : listCustomerIdsOf(db, ofProvider, maxCounted + 1)
}

async function matching(db: Database, text = ''): Promise<readonly string[] | undefined> {
  if (text === '') return undefined
  const id = /^(c_[0-9A-Za-z]{32})(?:@no-email\.invalid)?$/.exec(text)?.[1]
  if (id !== undefined) return [id]
  const ids = await findCustomerIds(db, await parseSearch(text), maxCounted + 1)
  if (ids.length > maxCounted)
    throw new Refusal({
      code: 'invalid_parameter',
      message: message('search_too_broad'),
      details: {
        search: message('narrow_customer_search'),
      },
    })
  return ids
}

/**
 * Returns one customer with notes, counts and the newest 100 entries of the history. A user with the role `provider`
 * gets only contact data, time of creation and counts, and only for customers with a reservation with the user's
 * provider.
 */
export async function showCustomer(db: ReadDatabase, id: string, asking: Viewer) {
  const { ofProvider } = asking
  const shown = await db.snapshot(async (read) => {
    const [known] = await listMatchingCustomers(read, { ids: [id], ofProvider }, 'name', { limit: 1, offset: 0 })
    if (!known) throw unknownCustomer()
    const counts = await countReservationsOf(read, id, ofProvider)
    const visits = await countVisitsOf(read, id, ofProvider)
    return { ...listed(known, asking), counts, visits, more: ofProvider === undefined ? await more(read, known) : null }
  })
  if (!shown.more) return { ...shown, more: null }
  const part = { limit: 100, offset: 0 }
  const { page } = await listHistory(db, { ...anyHistory, objectId: id }, part)
  return { ...shown, more: { ...shown.more, history: page } }
}

const anyHistory = { type: undefined, actor: undefined, from: undefined, until: undefined } as const

async function more(db: Database, { customer, updatedAt }: FoundCustomer) {
  const { timezone, language, hostUserId, details = {} } = customer
  const notes = await listNotes(db, customer.id)
  const names = new Map(await namesOfUsers(db, [...new Set(notes.map(({ userId }) => userId))]))
  const consent = await findSmsConsent(db, customer.id)
  return {
    sms: consent ? { number: consent.number, agreedAt: consent.agreedAt } : null,
    timezone,
    language,
    hostUserId,
    birthday: details.birthday ?? null,
    phones: details.phones ?? [],
    updatedAt,
    notes: notes.map(({ id, text, createdAt, userId }) => ({
      id,
      text,
      at: createdAt,
      by: names.get(userId) ?? '',
    })),
  }
}

function listed({ customer, createdAt }: FoundCustomer, { ofProvider }: Viewer) {
  const { id, name, email, phone, status, details } = customer
  const sees = ofProvider === undefined
  return { id, name, email, phone, status: sees ? status : null, tags: sees ? (details?.tags ?? []) : [], createdAt }
}
