import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import type { CustomerTable } from '../db/query/tables.ts'
import { type Customer, type CustomerStatus, emailKey } from './customer.ts'
import { insertTerms, replaceTerms } from './search/search-index.sql.ts'

/** What a new customer's row holds beside the record. */
export interface CustomerOrigin {
  /** The name its site file gave it. */
  readonly key: string | null
  /** Its place in the order of creation. */
  readonly ordinal: number
  readonly now: number
}

const byId = prepared<{ id: string }, CustomerTable>((db, p) =>
  db.selectFrom('customer').selectAll().where('id', '=', p.id),
)

/** The customer, or undefined when there is none. */
export async function findCustomer(db: Database, id: string): Promise<Customer | undefined> {
  const [row] = await db.run(byId, { id })
  return row && toCustomer(row)
}

/** What these customers are called; ids that are gone are left out. */
export async function namesOfCustomers(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { listed } = db.dialect
  const rows = await db.build
    .selectFrom('customer')
    .select(['id', 'name'])
    .where(listed(sql.ref('id'), ids, 'text'))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Every customer in the order of creation, as a query to stream. */
export function customersQuery(db: Database): CompiledQuery<CustomerTable> {
  return inOrder(db).compile()
}

/** One page of the customers, and how many there are in all. */
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

/** Everyone who has one of these addresses, as `emailKey` writes them, in the order of creation. */
export async function listCustomersAt(db: Database, emailKeys: readonly string[]): Promise<Customer[]> {
  const rows = await inOrder(db)
    .where(db.dialect.listed(sql.ref('email_key'), emailKeys, 'text'))
    .execute()
  return rows.map(toCustomer)
}

/** Everyone who has one of these numbers, as digits, in the order of creation. */
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

/** Those of these customers to whom no reservation and no note refers, and who are as they were added. */
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

/** Writes a new customer. */
export async function insertCustomer(
  db: Database,
  made: Customer,
  { key, ordinal, now }: CustomerOrigin,
): Promise<void> {
  const row = { ...toRow(made), id: made.id, key, ordinal, created_at: now, updated_at: now, worded: 1 }
  await db.build.insertInto('customer').values(row).execute()
  await insertTerms(db, [made])
}

/** Writes new customers, all with one query and their words with another. */
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

/** Writes what a customer has become. */
export async function updateCustomer(db: Database, changed: Customer, now: number): Promise<void> {
  await db.build
    .updateTable('customer')
    .set({ ...toRow(changed), updated_at: now, worded: 1 })
    .where('id', '=', changed.id)
    .execute()
  await replaceTerms(db, changed)
}

/** Remembers the name a site file gives to a customer who is there already; null forgets it. */
export async function updateCustomerKey(db: Database, id: string, key: string | null): Promise<void> {
  await db.build.updateTable('customer').set({ key }).where('id', '=', id).execute()
}

/** Deletes the customer; cancelled reservations keep the id. */
export async function deleteCustomer(db: Database, id: string): Promise<void> {
  await db.build.deleteFrom('customer').where('id', '=', id).execute()
}

/** Deletes these customers. */
export async function deleteCustomers(db: Database, ids: readonly string[]): Promise<void> {
  await db.build
    .deleteFrom('customer')
    .where(db.dialect.listed(sql.ref('id'), ids, 'text'))
    .execute()
}

/** The record in a row. */
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
  }
}
