import type { Database, ReadDatabase } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { active, type Customer, emailKey, shownCustomerInFull } from '../customer.ts'
import { contactKey } from '../customer-email.ts'
import { customerLocks } from '../customer-locks.ts'
import { storeCustomer } from '../customers.operations.ts'
import {
  deleteCustomers,
  insertCustomers,
  listCustomersAt,
  listCustomersCalled,
  listUnchanged,
} from '../customers.sql.ts'
import { checkRow, type ImportRow, type ImportVerdict } from './import-row.ts'

/** Returns, for each row of an import in order, what importing this row alone would do; stores nothing. */
export async function checkImport(db: ReadDatabase, rows: readonly ImportRow[]) {
  const known = new KnownCustomers(await listKnown(db, rows))
  return rows.map((row) => told(checkRow(row, known.of(row))))
}

export interface ImportCustomers {
  readonly rows: readonly ImportRow[]
  /**
   * Whether a new customer is added (`add`) or skipped (`leave`) when another customer has the same e-mail address, or
   * the same phone number when the row has no address.
   */
  readonly shared: 'add' | 'leave'
}

/**
 * The outcome of one row of an import; `id` is that of the added or existing customer, and null when the row was
 * skipped.
 */
export interface ImportOutcome {
  readonly is: 'added' | 'updated' | 'same' | 'shared' | 'unclear'
  readonly id: string | null
}

/**
 * Adds the new customers of an import and updates existing customers with the non-empty fields of their rows. Each row
 * is compared with the result of the rows before it.
 */
export const importCustomers: Operation<ImportCustomers, { outcomes: ImportOutcome[] }> = async (tx, input) => {
  const known = new KnownCustomers(await lockKnown(tx, input.rows))
  const added: Customer[] = []
  const changed = new Map<string, { readonly before: Customer; readonly after: Customer }>()
  const outcomes = input.rows.map((row): ImportOutcome => {
    const verdict = checkRow(row, known.of(row))
    switch (verdict.is) {
      case 'unclear':
        return { is: 'unclear', id: null }
      case 'same':
        return { is: 'same', id: verdict.before.id }
      case 'update': {
        const { before, after } = verdict
        changed.set(after.id, { before: changed.get(after.id)?.before ?? before, after })
        known.set(after)
        return { is: 'updated', id: after.id }
      }
      case 'shared':
        if (input.shared === 'leave') return { is: 'shared', id: null }
    }
    const made = newCustomer(tx.newId('customer'), row)
    added.push(made)
    known.set(made)
    return { is: 'added', id: made.id }
  })
  await write(tx, added, changed)
  return { outcomes }
}

async function write(
  tx: Tx,
  added: readonly Customer[],
  changed: ReadonlyMap<string, { readonly before: Customer; readonly after: Customer }>,
): Promise<void> {
  // A customer who is added by one row and completed by a later row is inserted once, in the final state.
  const made = added.map((one) => changed.get(one.id)?.after ?? one)
  await insertCustomers(
    tx.db,
    made.map((customer) => ({ customer, ordinal: tx.newOrdinal() })),
    tx.now,
  )
  for (const one of made)
    await tx.append({
      type: 'customer.created',
      objectId: one.id,
      object: shownCustomerInFull(one),
      previous: null,
    })
  const ids = new Set(made.map(({ id }) => id))
  for (const { before, after } of changed.values()) {
    if (!ids.has(after.id)) await storeCustomer(tx, before, after)
  }
}

/**
 * Loads the customers that the rows of an import are compared with, and locks these customers until the transaction
 * ends.
 */
async function lockKnown(tx: Tx, rows: readonly ImportRow[]): Promise<Customer[]> {
  const found = await listKnown(tx.db, rows)
  if (found.length === 0) return found
  await tx.lock(customerLocks(found.map(({ id }) => id)))
  return listKnown(tx.db, rows)
}

/**
 * Undoes an import: removes those of the given customers who have not been changed since they were added (see
 * `listUnchanged`) and who have no reservations and no notes. Returns the ids of the removed customers.
 */
export const undoImport: Operation<{ readonly ids: readonly string[] }, { removed: string[] }> = async (
  tx,
  { ids },
) => {
  await tx.lock(customerLocks(ids))
  const gone = await listUnchanged(tx.db, ids)
  await deleteCustomers(
    tx.db,
    gone.map(({ id }) => id),
  )
  for (const one of gone)
    await tx.append({
      type: 'customer.removed',
      objectId: one.id,
      object: null,
      previous: shownCustomerInFull(one),
    })
  return { removed: gone.map(({ id }) => id) }
}

function told(verdict: ImportVerdict) {
  switch (verdict.is) {
    case 'new':
      return { is: verdict.is, id: null, names: [] }
    case 'shared':
    case 'unclear':
      return { is: verdict.is, id: null, names: verdict.others.slice(0, 3).map(({ name }) => name) }
    default:
      return { is: verdict.is, id: verdict.before.id, names: [] }
  }
}

/**
 * Returns the customers with the e-mail addresses of the rows of an import, and with the phone numbers of rows without
 * an address.
 */
async function listKnown(db: Database, rows: readonly ImportRow[]): Promise<Customer[]> {
  const addresses = new Set(rows.flatMap(({ email }) => (email === '' ? [] : emailKey(email))))
  const numbers = new Set(rows.flatMap(({ email, phone = '' }) => (email === '' ? phone.replace(/\D/g, '') : [])))
  const found = await listCustomersAt(db, [...addresses])
  if (numbers.size === 0) return found
  const ids = new Set(found.map(({ id }) => id))
  return [...found, ...(await listCustomersCalled(db, [...numbers])).filter(({ id }) => !ids.has(id))]
}

/**
 * The stored customers and those that earlier rows of the import added or changed, by e-mail address and phone number.
 */
class KnownCustomers {
  readonly #byId = new Map<string, Customer>()
  readonly #ids = new Map<string, Set<string>>()

  constructor(customers: readonly Customer[]) {
    for (const customer of customers) this.set(customer)
  }

  /** Returns the customers with the e-mail address of a row or, if the row has none, with its phone number. */
  of(row: ImportRow): Customer[] {
    const key = contactKey(row)
    const customers = [...(this.#ids.get(key) ?? [])].flatMap((id) => this.#byId.get(id) ?? [])
    // A customer whose number an earlier row replaced is still listed under the previous one.
    return customers.filter((customer) => contactKeysOf(customer).includes(key))
  }

  set(customer: Customer): void {
    this.#byId.set(customer.id, customer)
    for (const key of contactKeysOf(customer)) this.#ids.set(key, (this.#ids.get(key) ?? new Set()).add(customer.id))
  }
}

function contactKeysOf({ email, phone }: Customer): readonly string[] {
  return [contactKey({ email, phone }), contactKey({ phone })]
}

function newCustomer(id: string, { name, email, phone = '', timezone = null, language = '' }: ImportRow): Customer {
  return { id, name, email, phone, hostUserId: 0, status: active, timezone, language }
}
