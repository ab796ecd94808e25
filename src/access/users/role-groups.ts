import type { UserRole } from './user.ts'

/** All roles, for the routes that every signed-in user may call. */
export const everyone = [
  'admin',
  'manager',
  'receptionist',
  'provider',
  'read_only',
] as const satisfies readonly UserRole[]

/**
 * The roles that may, among other things, change reservations and time off; users with the role `provider` may do so
 * only for the provider that they are linked to.
 */
export const staff = ['admin', 'manager', 'receptionist', 'provider'] as const satisfies readonly UserRole[]

/** The roles of the front desk: they may serve all customers and change the calendars of all providers. */
export const desk = ['admin', 'manager', 'receptionist'] as const satisfies readonly UserRole[]

/**
 * The roles that may, among other things, see reports and income, export reservations, change working hours and connect
 * calendars; users with the role `provider` may do so only for the provider that they are linked to.
 */
export const leadingAndProviders = ['admin', 'manager', 'provider'] as const satisfies readonly UserRole[]

/** The roles that manage the site: administrators and managers. */
export const leading = ['admin', 'manager'] as const satisfies readonly UserRole[]

/** The role that manages the installation, its users and its secrets: administrators. */
export const admins = ['admin'] as const satisfies readonly UserRole[]

/** Whether a role belongs to a group of roles. */
export function admits(group: readonly UserRole[], role: UserRole): boolean {
  return group.includes(role)
}
