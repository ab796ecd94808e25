import { type Message, message } from '../../messages/message.ts'
/** What someone may do in the panel. */
export type UserRole = 'admin' | 'manager' | 'provider'
export const userRoles: readonly UserRole[] = ['admin', 'manager', 'provider']

/** Someone who uses the panel. */
export interface User {
  readonly id: string
  readonly email: string
  readonly role: UserRole
  /** The provider that this person is; null for none. */
  readonly providerId: number | null
  readonly name: string
  readonly status: 'active' | 'disabled'
}

/** The person as history shows it: nothing of the password. */
export function shownUser({ id, email, role, providerId, name, status }: User) {
  return { id, email, role, providerId, name, status }
}

const shortestPassword = 10
const longestPassword = 1000

/** What is wrong with a password; undefined when it will do. Characters count as people see them typed. */
export function passwordFault(password: string): Message | undefined {
  const length = [...password].length
  if (length < shortestPassword) return message('password_too_short', { count: shortestPassword })
  return length > longestPassword ? message('password_too_long', { count: longestPassword }) : undefined
}

/** Who reads a list and when; a user with the role provider sees the reservations of that provider alone. */
export interface Viewer {
  readonly ofProvider: number | undefined
  /** Unix seconds. */
  readonly now: number
}
