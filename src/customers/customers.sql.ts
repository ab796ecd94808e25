import { type CompiledQuery, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { prepared } from '../db/query/prepared.ts'
import type { CustomerTable } from '../db/query/tables.ts'
import { type Customer, type CustomerStatus, emailKey } from './customer.ts'
import { insertTerms, replaceTerms } from './search/search-index.sql.ts'

/** Columns of a new customer beside the record. */
export interface CustomerOrigin {
  /** Its key in the site file. */
  readonly key: string | null
  /** Its position by creation. */
  readonly ordinal: number
  readonly now: number
}

const byId = prepared<{ id: string }, CustomerTable>((db, p) =>
  db.selectFrom('customer').selectAll().where('id', '=', p.id),
)

/** Returns the customer, or undefined. */
export async function findCustomer(db: Database, id: string): Promise<Customer | undefined> {
  const [row] = await db.run(byId, { id })
  return row && toCustomer(row)
}

/** Returns the names of these customers; unknown ids are omitted. */
export async function namesOfCustomers(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const { listed } = db.dialect
  const rows = await db.build
    .selectFrom('customer')
    .select(['id', 'name'])
    .where(listed(sql.ref('id'), ids, 'text'))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The query of all customers by creation, for streaming. */
export function customersQuery(db: Database): CompiledQuery<CustomerTable> {
  return inOrder(db).compile()
}

/** Returns one page of the customers and the total. */
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

/** Returns all customers with one of these `emailKey`s, by creation. */
export async function listCustomersAt(db: Database, emailKeys: readonly string[]): Promise<Customer[]> {
  const rows = await inOrder(db)
    .where(db.dialect.listed(sql.ref('email_key'), emailKeys, 'text'))
    .execute()
  return rows.map(toCustomer)
}

/** Returns all customers with one of these phone numbers as digits, by creation. */
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

/** Returns which of these customers are unchanged since they were added, and without reservations and notes. */
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

/** Inserts a customer. */
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

/** Updates a customer. */
export async function updateCustomer(db: Database, changed: Customer, now: number): Promise<void> {
  await db.build
    .updateTable('customer')
    .set({ ...toRow(changed), updated_at: now, worded: 1 })
    .where('id', '=', changed.id)
    .execute()
  await replaceTerms(db, changed)
}

/** Stores the site-file key of an existing customer; null removes it. */
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

/** Converts a row to a customer. */
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
