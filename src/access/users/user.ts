import { type Message, message } from '../../messages/message.ts'
/** The role of a user of the panel. */
export type UserRole = 'admin' | 'manager' | 'receptionist' | 'provider' | 'read_only'
/** All roles of users. */
export const userRoles: readonly UserRole[] = ['admin', 'manager', 'receptionist', 'provider', 'read_only']

/** A user of the panel. */
export interface User {
  readonly id: string
  readonly email: string
  readonly role: UserRole
  /** The provider that the user is linked to; null for none. */
  readonly providerId: number | null
  readonly name: string
  readonly status: 'active' | 'disabled'
}

/** Returns the fields of a user for the event log, without the password hash. */
export function shownUser({ id, email, role, providerId, name, status }: User) {
  return { id, email, role, providerId, name, status }
}

/** Whether a user is an administrator who is not disabled. */
export function isActiveAdministrator({ role, status }: Pick<User, 'role' | 'status'>): boolean {
  return role === 'admin' && status === 'active'
}

const minPasswordLength = 10
const maxPasswordLength = 1000

/**
 * Returns why a password's length, counted in Unicode code points, is not acceptable; undefined when it is acceptable.
 */
export function passwordFault(password: string): Message | undefined {
  const length = [...password].length
  if (length < minPasswordLength) return message('password_too_short', { count: minPasswordLength })
  return length > maxPasswordLength ? message('password_too_long', { count: maxPasswordLength }) : undefined
}

/**
 * Who reads reservations or customers, and when. `ofProvider` is the only provider whose reservations and customers the
 * user may see; undefined when the user may see those of all providers.
 */
export interface Viewer {
  readonly ofProvider: number | undefined
  /** The time of the read, in Unix seconds. */
  readonly now: number
}
