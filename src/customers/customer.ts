import { shownEmail } from './customer-email.ts'

/** 1 active, 0 inactive, 2 blocked: may not receive new reservations. */
export type CustomerStatus = 0 | 1 | 2
/** The status of an active customer. */
export const active: CustomerStatus = 1
/** The status of a blocked customer. */
export const blocked: CustomerStatus = 2

/** A customer. */
export interface Customer {
  readonly id: string
  readonly name: string
  /** `''` when there is none. */
  readonly email: string
  /** `''` when there is none. */
  readonly phone: string
  /** 0 when not linked. */
  readonly hostUserId: number
  readonly status: CustomerStatus
  readonly timezone: string | null
  /** `''` when there is none. */
  readonly language: string
}

/** An account of the host platform that customers may be linked to. */
export interface HostUser {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly role: 'customer'
}

/** Returns the comparison key of an e-mail address; addresses are stored as typed. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/** Returns the customer for lists: exactly the seven fields of the contract, with an e-mail address in any case. */
export function shownCustomer(customer: Customer) {
  const { id, name, phone, hostUserId, timezone, language } = customer
  return { id, name, email: shownEmail(customer), phone, host_user: hostUserId, timezone, language }
}

/** Returns the customer for the history and the event feed, including the status. */
export function shownCustomerInFull(customer: Customer) {
  return { ...shownCustomer(customer), status: customer.status }
}
