import { active, type Customer, emailKey, shownCustomerInFull } from '../../customers/customer.ts'
import { contactKey, withoutPlaceholder } from '../../customers/customer-email.ts'
import { insertCustomer, updateCustomer, updateCustomerKey } from '../../customers/customers.sql.ts'
import { detailsAfter, detailsOf, isAhead } from '../../customers/details/customer-details.ts'
import type { Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { type Keyed, listCustomersNamed } from '../site-file.sql.ts'
import type { CustomerEntry, SiteFileChanges, SiteFileFaults } from '../site-file.ts'
import { matchRows, type PlannedRow, writePlanned } from './match.operations.ts'

/**
 * Loads the customers to which entries of a JSON site file may refer. No customer changes until the transaction ends,
 * because it has locked `customers!` and `catalogue!` (see `customerLocks`).
 */
export function loadCustomers(
  tx: Tx,
  entries: readonly CustomerEntry[],
  references: readonly string[],
): Promise<Keyed<Customer>[]> {
  return listCustomersNamed(tx.db, {
    ids: [...entries.flatMap(({ id }) => id ?? []), ...references],
    keys: [...entries.flatMap(({ key }) => key ?? []), ...references],
    emailKeys: entries.flatMap(({ email = '' }) => (withoutPlaceholder(email) === '' ? [] : emailKey(email))),
    unaddressed: entries.flatMap(({ name, email = '' }) => (withoutPlaceholder(email) === '' ? name : [])),
  })
}

/**
 * Returns the customer before and after for each entry of a JSON site file, changed or not, without writing anything.
 */
export function planCustomers(
  tx: Tx,
  entries: readonly CustomerEntry[],
  known: readonly Keyed<Customer>[],
  faults: SiteFileFaults,
): PlannedRow<Customer>[] {
  const rows = known.map(({ row, key }) => ({ id: row.id, key, name: nameOf(row) }))
  const matches = matchRows({ kind: 'customers', entries, rows }, nameOf, faults)
  const byId = new Map(known.map((customer) => [customer.row.id, customer]))
  return entries.map((entry, at) => {
    const match = matches[at]
    const found = match === undefined ? undefined : byId.get(match)
    const after = customerAfter(entry, found?.row ?? newCustomer(entry.id ?? tx.newId('customer')))
    if (isAhead(entry.birthday, tx.now)) faults.set(`customers[${at}].birthday`, message('birthday_in_future'))
    const newKey = found !== undefined && entry.key !== undefined && found.key !== entry.key
    return { before: found?.row, after, key: entry.key, newKey }
  })
}

/** Writes the new and changed customers, each with an event; a change of the key alone has no event. */
export function writeCustomers(tx: Tx, planned: readonly PlannedRow<Customer>[]): Promise<SiteFileChanges> {
  return writePlanned(tx, planned, {
    created: 'customer.created',
    updated: 'customer.updated',
    shown: shownCustomerInFull,
    insert: (customer, key) => insertCustomer(tx.db, customer, { key, ordinal: tx.newOrdinal(), now: tx.now }),
    update: (customer) => updateCustomer(tx.db, customer, tx.now),
    rename: ({ id }, key) => updateCustomerKey(tx.db, id, key),
  })
}

// Several people, such as parent and child, may share an e-mail address or phone number, so only name and contact
// together identify a customer.
function nameOf(of: { readonly name: string; readonly email?: string; readonly phone?: string }): string {
  return `${of.name} <${contactKey(of)}>`
}

function newCustomer(id: string): Customer {
  return { id, name: '', email: '', phone: '', hostUserId: 0, status: active, timezone: null, language: '' }
}

function customerAfter(entry: CustomerEntry, before: Customer): Customer {
  const { details, ...contact } = before
  return {
    ...contact,
    name: entry.name,
    email: entry.email === undefined ? before.email : withoutPlaceholder(entry.email),
    phone: entry.phone ?? before.phone,
    hostUserId: entry.hostUserId ?? before.hostUserId,
    status: entry.status ?? before.status,
    timezone: entry.timezone === undefined ? before.timezone : entry.timezone,
    language: entry.language ?? before.language,
    ...detailsOf(detailsAfter(details, entry)),
  }
}
