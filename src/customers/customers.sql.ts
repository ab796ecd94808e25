import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { CustomerTable } from '../db/query/customer-tables.ts'
import { prepared } from '../db/query/prepared.ts'
import { type Customer, type CustomerStatus, emailKey } from './customer.ts'
import type { CustomerDetails } from './details/customer-details.ts'
import { insertTerms, replaceTerms } from './search/search-index.sql.ts'

/** The values of a new row of the table `customer` that are not part of `Customer`. */
export interface CustomerOrigin {
  /** The key that identifies the customer in the JSON site file; null for a customer who is not part of it. */
  readonly key: string | null
  /** The number by which customers are sorted in the order of creation. */
  readonly ordinal: number
  readonly now: number
}

const byId = prepared<{ id: string }, CustomerTable>((db, p) =>
  db.selectFrom('customer').selectAll().where('id', '=', p.id),
)

/** Returns the customer with the given id; undefined when there is none. */
export async function findCustomer(db: Database, id: string): Promise<Customer | undefined> {
  const [row] = await db.run(byId, { id })
  return row && toCustomer(row)
}

/** Returns the names of the customers with the given ids, by id; unknown ids are omitted. */
export async function namesOfCustomers(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { listed } = db.dialect
  const rows = await db.build
    .selectFrom('customer')
    .select(['id', 'name'])
    .where(listed(sql.ref('id'), ids, 'text'))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The name, phone number and e-mail address of a customer. */
export interface Contact {
  readonly name: string
  readonly phone: string
  /** The e-mail address; empty for a customer without one. */
  readonly email: string
}

/** Returns the names, phone numbers and e-mail addresses of the customers with the given ids, by id. */
export async function listContacts(db: Database, ids: readonly string[]): Promise<Map<string, Contact>> {
  const rows = await db.build
    .selectFrom('customer')
    .select(['id', 'name', 'phone', 'email'])
    .where((row) => db.dialect.listed(row.ref('id'), ids, 'text'))
    .execute()
  return new Map(rows.map(({ id, name, phone, email }) => [id, { name, phone: phone ?? '', email: email ?? '' }]))
}

/** Returns the tags, birthdays and further phone numbers of the customers with the given ids, by id. */
export async function listDetails(db: Database, ids: readonly string[]): Promise<Map<string, CustomerDetails>> {
  const rows = await db.build
    .selectFrom('customer')
    .select(['id', 'details'])
    .where((row) => db.dialect.listed(row.ref('id'), ids, 'text'))
    .execute()
  return new Map(rows.map(({ id, details }) => [id, JSON.parse(details) as CustomerDetails]))
}

/** Builds the query of all customers in the order of creation, for streaming. */
export function customersQuery(db: Database): CompiledQuery<CustomerTable> {
  return inOrder(db).compile()
}

/** Returns one page of the customers, and the number of all customers. */
export async function pageCustomers(
  db: Database,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ items: Customer[]; total: number }> {
  const rows = await inOrder(db).limit(page.limit).offset(page.offset).execute()
  const counted = await db.build
    .selectFrom('customer')
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items: rows.map(toCustomer), total: Number(counted.total) }
}

/** Returns all customers with one of the given e-mail addresses, normalised by `emailKey`, in the order of creation. */
export async function listCustomersAt(db: Database, emailKeys: readonly string[]): Promise<Customer[]> {
  const rows = await inOrder(db)
    .where(db.dialect.listed(sql.ref('email_key'), emailKeys, 'text'))
    .execute()
  return rows.map(toCustomer)
}

/** Returns the customers that are linked to a host user (account of the host platform), in the order of creation. */
export async function listLinkedCustomers(db: Database, hostUserId: number): Promise<Customer[]> {
  return (await inOrder(db).where('host_user_id', '=', hostUserId).execute()).map(toCustomer)
}

/**
 * Returns the ids of the given customers, and of all others that have the e-mail address or the host user of one of
 * them.
 */
export async function listSamePersons(db: Database, ids: readonly string[]): Promise<string[]> {
  const given = await db.build
    .selectFrom('customer')
    .select(['email_key', 'host_user_id'])
    .where(db.dialect.listed(sql.ref('id'), ids, 'text'))
    .execute()
  const emailKeys = [...new Set(given.map((row) => row.email_key))].filter((key) => key !== '')
  const hostUserIds = [...new Set(given.map((row) => row.host_user_id))].filter((id) => id !== 0)
  const { listed } = db.dialect
  const idsWhere = (condition: RawBuilder<SqlBool>) =>
    db.build.selectFrom('customer').select('id').where(condition).execute()
  const same = [
    ...(await idsWhere(listed(sql.ref('email_key'), emailKeys, 'text'))),
    ...(await idsWhere(listed(sql.ref('host_user_id'), hostUserIds, 'bigint'))),
  ]
  return [...new Set([...ids, ...same.map(({ id }) => id)])]
}

/**
 * Returns the customers whose first phone number has exactly the digits of one of `digits`, in the order of creation.
 */
export async function listCustomersCalled(db: Database, digits: readonly string[]): Promise<Customer[]> {
  const { listed } = db.dialect
  const rows = await inOrder(db)
    .where(
      'id',
      'in',
      db.build
        .selectFrom('customer_word')
        .select('customer_id')
        .where(listed(sql.ref('word'), digits, 'text')),
    )
    .execute()
  const wanted = new Set(digits)
  return rows.map(toCustomer).filter(({ phone }) => wanted.has(phone.replace(/\D/g, '')))
}

/**
 * Returns the customers, among the given ones, that have not been changed since they were added and have no
 * reservations or notes. Times are compared in whole seconds, so a change in the second of the addition is not noticed.
 */
export async function listUnchanged(db: Database, ids: readonly string[]): Promise<Customer[]> {
  const rows = await db.build
    .selectFrom('customer')
    .selectAll()
    .where(db.dialect.listed(sql.ref('customer.id'), ids, 'text'))
    .whereRef('updated_at', '=', 'created_at')
    .where((e) => e.not(e.exists(refers(db, 'reservation'))))
    .where((e) => e.not(e.exists(refers(db, 'customer_note'))))
    .execute()
  return rows.map(toCustomer)
}

function refers(db: Database, table: 'reservation' | 'customer_note') {
  return db.build.selectFrom(table).select('customer_id').where(sql<boolean>`customer_id = customer.id`)
}

/** Inserts a customer, and the search terms by which the customer is found. */
export async function insertCustomer(
  db: Database,
  made: Customer,
  { key, ordinal, now }: CustomerOrigin,
): Promise<void> {
  const row = { ...toRow(made), id: made.id, key, ordinal, created_at: now, updated_at: now, worded: 1 }
  await db.build.insertInto('customer').values(row).execute()
  await insertTerms(db, [made])
}

/** Inserts customers with one query, and their search terms with another. */
export async function insertCustomers(
  db: Database,
  made: readonly { readonly customer: Customer; readonly ordinal: number }[],
  now: number,
): Promise<void> {
  if (made.length === 0) return
  const rows = made.map(({ customer, ordinal }) => {
    const own = { id: customer.id, key: null, ordinal, created_at: now, updated_at: now, worded: 1 }
    return { ...toRow(customer), ...own }
  })
  await db.build.insertInto('customer').values(rows).execute()
  await insertTerms(
    db,
    made.map(({ customer }) => customer),
  )
}

/** Updates a customer, and the search terms by which the customer is found. */
export async function updateCustomer(db: Database, changed: Customer, now: number): Promise<void> {
  await db.build
    .updateTable('customer')
    .set({ ...toRow(changed), updated_at: now, worded: 1 })
    .where('id', '=', changed.id)
    .execute()
  await replaceTerms(db, changed)
}

/** Stores the key that identifies an existing customer in the JSON site file; null removes it. */
export async function updateCustomerKey(db: Database, id: string, key: string | null): Promise<void> {
  await db.build.updateTable('customer').set({ key }).where('id', '=', id).execute()
}

/**
 * Deletes a customer, the customer's request for deletion of their data, and the consent to receive short messages
 * (SMS). Cancelled reservations retain the customer's id.
 */
export function deleteCustomer(db: Database, id: string): Promise<void> {
  return deleteCustomers(db, [id])
}

/** Deletes customers, their requests for deletion of their data, and their consents to receive short messages (SMS). */
export async function deleteCustomers(db: Database, ids: readonly string[]): Promise<void> {
  await db.build
    .deleteFrom('customer')
    .where(db.dialect.listed(sql.ref('id'), ids, 'text'))
    .execute()
  for (const table of ['deletion_request', 'sms_consent'] as const)
    await db.build
      .deleteFrom(table)
      .where(db.dialect.listed(sql.ref('customer_id'), ids, 'text'))
      .execute()
}

/** Converts a row of the table `customer` to a customer. */
export function toCustomer(row: CustomerTable): Customer {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    phone: row.phone,
    hostUserId: row.host_user_id,
    status: row.status as CustomerStatus,
    timezone: row.timezone,
    language: row.language,
    ...(row.details !== '{}' && { details: JSON.parse(row.details) as CustomerDetails }),
  }
}

function inOrder(db: Database) {
  return db.build.selectFrom('customer').selectAll().orderBy('ordinal').orderBy('id')
}

function toRow(of: Customer): Omit<CustomerTable, 'id' | 'key' | 'ordinal' | 'created_at' | 'updated_at' | 'worded'> {
  return {
    name: of.name,
    email: of.email,
    email_key: emailKey(of.email),
    phone: of.phone,
    host_user_id: of.hostUserId,
    status: of.status,
    timezone: of.timezone,
    language: of.language,
    details: JSON.stringify(of.details ?? {}),
  }
}
