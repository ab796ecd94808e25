import type { UserRole } from './user.ts'

/** Every role: all signed-in users. */
export const everyone = [
  'admin',
  'manager',
  'receptionist',
  'provider',
  'read_only',
] as const satisfies readonly UserRole[]

/** The roles that change reservations and time off; providers do so in their own calendar only. */
export const staff = ['admin', 'manager', 'receptionist', 'provider'] as const satisfies readonly UserRole[]

/** The roles that work at the front desk: they serve all customers, in the calendars of all providers. */
export const desk = ['admin', 'manager', 'receptionist'] as const satisfies readonly UserRole[]

/** The roles that see figures, income and exports and change working hours; providers their own only. */
export const leadingAndProviders = ['admin', 'manager', 'provider'] as const satisfies readonly UserRole[]

/** The roles that run the site: administrators and managers. */
export const leading = ['admin', 'manager'] as const satisfies readonly UserRole[]

/** The role that is responsible for the installation, its users and its secrets: administrators. */
export const admins = ['admin'] as const satisfies readonly UserRole[]

/** Whether a role belongs to a group. */
export function admits(group: readonly UserRole[], role: UserRole): boolean {
  return group.includes(role)
}
