import { customerRemovalRefusal } from '../catalogue/site/removal-policy.ts'
import { sameJson } from '../data.ts'
import type { Operation, Tx } from '../db/perform/app.ts'
import { message } from '../messages/message.ts'
import { fieldRefusal, Refusal, refusal, wrongFields } from '../messages/refusal.ts'
import { hasActiveReservations } from '../reservations/reservations.sql.ts'
import { active, type Customer, type CustomerStatus, type HostUser, shownCustomerInFull } from './customer.ts'
import { emailToKeep } from './customer-email.ts'
import { customerLocks } from './customer-locks.ts'
import { deleteCustomer, findCustomer, insertCustomer, updateCustomer } from './customers.sql.ts'
import { type DetailsChange, detailsAfter, detailsOf, isAhead } from './details/customer-details.ts'
import { findHostUserId, insertHostUser, nextHostUserId } from './host-users.sql.ts'

/**
 * The input of `addCustomer`: the fields of the new customer, what happens to the linked host user, and whether contact
 * data is required.
 */
export interface AddCustomer {
  readonly name: string
  /** The new customer's e-mail address; absent or empty for none. */
  readonly email?: string
  readonly phone?: string
  /** The id of the account of the host platform to which the customer is linked; 0 for none. */
  readonly hostUserId?: number
  readonly timezone?: string | null
  readonly language?: string
  /** The id of a removed customer to restore; when absent, a new id is assigned. */
  readonly id?: string
  /** The status of the new customer; active when absent. */
  readonly status?: CustomerStatus
  readonly details?: DetailsChange
  /**
   * Whether to link the host user (account of the host platform) that has the customer's e-mail address, and to create
   * this account if there is none; ignored when `hostUserId` is given and not 0, and for a customer without an address.
   */
  readonly createUser: boolean
  /** Whether a new customer with neither e-mail address nor phone number is refused; false when absent. */
  readonly requireContact?: boolean
}

/** Adds a customer; several customers may have the same e-mail address. */
export const addCustomer: Operation<AddCustomer, { id: string }> = async (tx, input) => {
  requirePastBirthday(input.details ?? {}, tx.now)
  const customer: Customer = {
    id: input.id ?? tx.newId('customer'),
    name: input.name,
    email: keptEmail(input.email ?? ''),
    phone: input.phone ?? '',
    hostUserId: await linkedHostUser(tx, input),
    status: input.status ?? active,
    timezone: input.timezone ?? null,
    language: input.language ?? '',
    ...detailsOf(detailsAfter({}, input.details ?? {})),
  }
  if (input.requireContact) requireContact(customer)
  await insertCustomer(tx.db, customer, { key: null, ordinal: tx.newOrdinal(), now: tx.now })
  await tx.append({
    type: 'customer.created',
    objectId: customer.id,
    object: shownCustomerInFull(customer),
    previous: null,
  })
  return { id: customer.id }
}

async function linkedHostUser(tx: Tx, input: AddCustomer): Promise<number> {
  if (input.hostUserId) return input.hostUserId
  if (!input.createUser) return 0
  const { name, email = '' } = input
  if (email === '') return 0
  await tx.lock(['host-users'])
  return (await findHostUserId(tx.db, email)) ?? (await addHostUser(tx, { name, email }))
}

async function addHostUser(tx: Tx, { name, email }: Pick<HostUser, 'name' | 'email'>): Promise<number> {
  const user: HostUser = { id: await nextHostUserId(tx.db), name, email, role: 'customer' }
  await insertHostUser(tx.db, user, tx.now)
  await tx.append({ type: 'host_user.created', objectId: String(user.id), object: { ...user }, previous: null })
  return user.id
}

/** The input of `editCustomer`: the id of a customer and the fields to change; an absent field is unchanged. */
export interface EditCustomer {
  readonly id: string
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  /** The id of the account of the host platform to which the customer is linked; 0 removes the link. */
  readonly hostUserId?: number
  readonly status?: CustomerStatus
  readonly timezone?: string | null
  readonly language?: string
  /** The changes of the customer's details; null removes all details, absent leaves them unchanged. */
  readonly details?: DetailsChange | null
  /**
   * Whether to refuse a change after which a customer who had an e-mail address or a phone number has neither; false
   * when absent.
   */
  readonly requireContact?: boolean
}

/** Changes the fields of a customer; reservations are not affected. */
export const editCustomer: Operation<EditCustomer, Record<string, never>> = async (tx, input) => {
  requirePastBirthday(input.details ?? {}, tx.now)
  const before = await lockCustomer(tx, input.id)
  const after: Customer = {
    id: before.id,
    name: input.name ?? before.name,
    email: input.email === undefined ? before.email : keptEmail(input.email, before),
    phone: input.phone ?? before.phone,
    hostUserId: input.hostUserId ?? before.hostUserId,
    status: input.status ?? before.status,
    timezone: input.timezone === undefined ? before.timezone : input.timezone,
    language: input.language ?? before.language,
    ...detailsOf(input.details === null ? undefined : detailsAfter(before.details, input.details ?? {})),
  }
  if (input.requireContact && (before.email || before.phone)) requireContact(after)
  if (!sameJson(before, after)) await storeCustomer(tx, before, after)
  return {}
}

function keptEmail(sent: string, customer?: Customer): string {
  const kept = emailToKeep(sent, customer)
  if (kept !== undefined) return kept
  const fault = message('email_of_nobody')
  throw wrongFields({ email: fault })
}

function requireContact({ email, phone }: Pick<Customer, 'email' | 'phone'>): void {
  if (email === '' && phone === '') throw wrongFields({ email: message('contact_missing') })
}

function requirePastBirthday({ birthday }: DetailsChange, now: number): void {
  if (isAhead(birthday, now)) throw wrongFields({ 'details.birthday': message('birthday_in_future') })
}

/** Stores a changed customer and appends the event `customer.updated`. */
export async function storeCustomer(tx: Tx, before: Customer, after: Customer): Promise<void> {
  await updateCustomer(tx.db, after, tx.now)
  await tx.append({
    type: 'customer.updated',
    objectId: after.id,
    object: shownCustomerInFull(after),
    previous: shownCustomerInFull(before),
  })
}

/**
 * Removes a customer; refuses when the customer has pending or confirmed reservations, even past ones. Cancelled
 * reservations retain the id of the removed customer.
 */
export const removeCustomer: Operation<{ readonly id: string }, Record<string, never>> = async (tx, { id }) => {
  const customer = await lockCustomer(tx, id)
  const kept = customerRemovalRefusal(await hasActiveReservations(tx.db, { customerId: id }))
  if (kept) throw new Refusal(kept)
  await deleteCustomer(tx.db, id)
  await tx.append({
    type: 'customer.removed',
    objectId: id,
    object: null,
    previous: shownCustomerInFull(customer),
  })
  return {}
}

/** Loads a customer and locks the customer until the transaction ends; refuses an unknown id. */
export async function lockCustomer(tx: Tx, id: string): Promise<Customer> {
  await tx.lock(customerLocks([id]))
  const customer = await findCustomer(tx.db, id)
  if (!customer) throw unknownCustomer()
  return customer
}

/** Returns the refusal for a customer who does not exist or may not be seen by the user. */
export function unknownCustomer(): Refusal {
  return refusal('customer_not_found')
}

/** Returns the customer with the given id; refuses an unknown id. */
export async function requireCustomer(tx: Tx, id: string): Promise<Customer> {
  const customer = await findCustomer(tx.db, id)
  if (!customer) throw fieldRefusal('customerId', 'customer_not_found')
  return customer
}
