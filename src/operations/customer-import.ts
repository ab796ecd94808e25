import type { Operation, Tx } from '../app.ts'
import { active, type Customer, emailKey, shownCustomerInFull } from '../domain/customer.ts'
import { type ImportRow, judgeRow, type Verdict } from '../domain/customer-import.ts'
import { deleteCustomers, insertCustomers, listCustomersAt, listUntouched } from '../storage/customers.ts'
import type { ReadDatabase } from '../storage/database.ts'
import { keepCustomer } from './customers.ts'

/** What each row would be, as of now; nothing is kept. */
export async function checkImport(db: ReadDatabase, rows: readonly ImportRow[]) {
  const known = byAddress(await listCustomersAt(db, addressesOf(rows)))
  return rows.map((row) => told(judgeRow(row, known.get(emailKey(row.email)) ?? [])))
}

export interface ImportCustomers {
  readonly rows: readonly ImportRow[]
  /** Whether someone at an address that another customer has is added too, or left out. */
  readonly shared: 'add' | 'leave'
}

/** What became of one row: added or changed, with who that is; or why nothing was done. */
export interface ImportOutcome {
  readonly is: 'added' | 'updated' | 'same' | 'shared' | 'unclear'
  readonly id: string | null
}

/** Adds the customers who are new and completes those who are there; each row is judged as those before it left things. */
export const importCustomers: Operation<ImportCustomers, { outcomes: ImportOutcome[] }> = async (tx, input) => {
  const known = byAddress(await lockKnown(tx, input.rows))
  const added: Customer[] = []
  const changed = new Map<string, { readonly before: Customer; readonly after: Customer }>()
  const outcomes = input.rows.map((row): ImportOutcome => {
    const ofAddress = known.get(emailKey(row.email)) ?? []
    const verdict = judgeRow(row, ofAddress)
    switch (verdict.is) {
      case 'unclear':
        return { is: 'unclear', id: null }
      case 'same':
        return { is: 'same', id: verdict.before.id }
      case 'update': {
        const { before, after } = verdict
        changed.set(after.id, { before: changed.get(after.id)?.before ?? before, after })
        known.set(
          emailKey(row.email),
          ofAddress.map((one) => (one.id === after.id ? after : one)),
        )
        return { is: 'updated', id: after.id }
      }
      case 'shared':
        if (input.shared === 'leave') return { is: 'shared', id: null }
    }
    const made = newCustomer(tx.newId('customer'), row)
    added.push(made)
    known.set(emailKey(row.email), [...ofAddress, made])
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
  // One who was added and completed by a later row is written once, as it became.
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
    if (!ids.has(after.id)) await keepCustomer(tx, before, after)
  }
}

/** Those at the addresses of the rows, whom nobody else changes until the transaction ends. */
async function lockKnown(tx: Tx, rows: readonly ImportRow[]): Promise<Customer[]> {
  const addresses = addressesOf(rows)
  const found = await listCustomersAt(tx.db, addresses)
  if (found.length === 0) return found
  await tx.lock(found.map(({ id }) => `customer:${id}`))
  return listCustomersAt(tx.db, addresses)
}

/** Takes back customers who were added: those to whom nothing refers and whom nobody changed since. */
export const undoImport: Operation<{ readonly ids: readonly string[] }, { removed: string[] }> = async (
  tx,
  { ids },
) => {
  await tx.lock(ids.map((id) => `customer:${id}`))
  const gone = await listUntouched(tx.db, ids)
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

function told(verdict: Verdict) {
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

function addressesOf(rows: readonly ImportRow[]): string[] {
  return [...new Set(rows.map(({ email }) => emailKey(email)))]
}

function byAddress(customers: readonly Customer[]): Map<string, Customer[]> {
  return Map.groupBy(customers, ({ email }) => emailKey(email))
}

function newCustomer(id: string, { name, email, phone = '', timezone = null, language = '' }: ImportRow): Customer {
  return { id, name, email, phone, hostUserId: 0, status: active, timezone, language }
}
