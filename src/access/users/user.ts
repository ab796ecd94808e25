import { type Message, message } from '../../messages/message.ts'
/** The role of a user. */
export type UserRole = 'admin' | 'manager' | 'receptionist' | 'provider' | 'read_only'
/** All roles. */
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

/** Returns the user for the history, without the password. */
export function shownUser({ id, email, role, providerId, name, status }: User) {
  return { id, email, role, providerId, name, status }
}

const minPasswordLength = 10
const maxPasswordLength = 1000

/**
 * Returns what is wrong with the length of a password, counted in characters as displayed; undefined when it is
 * acceptable.
 */
export function passwordFault(password: string): Message | undefined {
  const length = [...password].length
  if (length < minPasswordLength) return message('password_too_short', { count: minPasswordLength })
  return length > maxPasswordLength ? message('password_too_long', { count: maxPasswordLength }) : undefined
}

/**
 * The user who reads a list, and the time of reading. A user with the role provider sees only the reservations of their
 * own provider.
 */
export interface Viewer {
  readonly ofProvider: number | undefined
  /** Unix seconds. */
  readonly now: number
}
