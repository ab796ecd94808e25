import { shownEmail } from './customer-email.ts'

/** 1 active, 0 inactive, 2 blocked: may not be given new reservations. */
export type CustomerStatus = 0 | 1 | 2
export const active: CustomerStatus = 1
export const blocked: CustomerStatus = 2

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

/** A person known to the host platform, whom customers may be linked to. */
export interface HostUser {
  readonly id: number
  readonly email: string
  readonly name: string
  readonly role: 'customer'
}

/** What two spellings of one e-mail address have in common: addresses are kept as typed and compared by this. */
export function emailKey(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

/** The customer as lists show it: exactly the seven fields of the contract, the e-mail address always one. */
export function shownCustomer(customer: Customer) {
  const { id, name, phone, hostUserId, timezone, language } = customer
  return { id, name, email: shownEmail(customer), phone, host_user: hostUserId, timezone, language }
}

/** The customer as history and the feed of events show it: the status too, or a change of it would not be seen. */
export function shownCustomerInFull(customer: Customer) {
  return { ...shownCustomer(customer), status: customer.status }
}
