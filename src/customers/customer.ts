import { shownEmail } from './customer-email.ts'
import type { CustomerDetails } from './details/customer-details.ts'

/**
 * The status of a customer: 1 active, 0 inactive, 2 blocked. Bookings for a blocked customer need an override by staff.
 */
export type CustomerStatus = 0 | 1 | 2
/** The status of an active customer. */
export const active: CustomerStatus = 1
/** The status of a blocked customer. */
export const blocked: CustomerStatus = 2

/** A person that services are booked for. */
export interface Customer {
  readonly id: string
  readonly name: string
  /** The customer's e-mail address; `''` when the customer has none. */
  readonly email: string
  /** The customer's first phone number; `''` when the customer has none. */
  readonly phone: string
  /** The id of the account of the host platform to which the customer is linked; 0 for none. */
  readonly hostUserId: number
  readonly status: CustomerStatus
  readonly timezone: string | null
  /** The customer's language as a BCP 47 tag, such as `de`; `''` when it is unknown. */
  readonly language: string
  /** Birthday, tags and further phone numbers; absent when there are none. */
  readonly details?: CustomerDetails
}

/**
 * A user account of the platform into which Daybook is integrated (the host platform). Customers may be linked to it.
 */
export interface HostUser {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly role: 'customer'
}

/**
 * Returns the normalised form of an e-mail address, by which addresses are compared and looked up; addresses are stored
 * as typed.
 */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/**
 * Returns the seven fields that the API contract promises for a customer in a list; `email` is a placeholder when the
 * customer has no e-mail address.
 */
export function shownCustomer(customer: Customer) {
  const { id, name, phone, hostUserId, timezone, language } = customer
  return { id, name, email: shownEmail(customer), phone, host_user: hostUserId, timezone, language }
}

/** Returns a customer as recorded in the event log, with status and details; the event feed leaves out the details. */
export function shownCustomerInFull(customer: Customer) {
  const { status, details } = customer
  return { ...shownCustomer(customer), status, ...(details && { details }) }
}
