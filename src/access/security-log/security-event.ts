import type { Actor } from '../../history/event.ts'
import type { UserRole } from '../users/user.ts'

/** The kinds of entries in the security history. */
export type SecurityKind =
  | 'signed_in'
  | 'sign_in_failed'
  | 'second_factor_missing'
  | 'locked'
  | 'confirmed'
  | 'confirm_failed'
  | 'factor_added'
  | 'factor_removed'
  | 'factors_lifted'
  | 'codes_renewed'
  | 'password_set'
  | 'signed_out'
  | 'sessions_ended'
  | 'reset_requested'
  | 'link_made'
  | 'link_used'
  | 'denied'
  | 'policy_changed'
  | 'access_cleared'

/**
 * Every kind of entry in the security history as a key; the type makes the compiler report a kind that is absent here.
 */
export const securityKinds: Readonly<Record<SecurityKind, true>> = {
  signed_in: true,
  sign_in_failed: true,
  second_factor_missing: true,
  locked: true,
  confirmed: true,
  confirm_failed: true,
  factor_added: true,
  factor_removed: true,
  factors_lifted: true,
  codes_renewed: true,
  password_set: true,
  signed_out: true,
  sessions_ended: true,
  reset_requested: true,
  link_made: true,
  link_used: true,
  denied: true,
  policy_changed: true,
  access_cleared: true,
}

/**
 * Kinds of entries that record a failure, which a client can repeat at will. Failures of one kind, account and address
 * within a quarter of an hour share one row (after 100 such rows, failures from all addresses without a row share one),
 * so that a client cannot fill the table.
 */
const counted: ReadonlySet<SecurityKind> = new Set([
  'sign_in_failed',
  'second_factor_missing',
  'locked',
  'confirm_failed',
  'reset_requested',
  'denied',
])

export function isCounted(kind: SecurityKind): boolean {
  return counted.has(kind)
}

/** An entry of the security history before it is stored: the fields that a write operation sets itself. */
export interface SecurityChange {
  readonly kind: SecurityKind
  /**
   * The id of the user that the event concerns; null for an unknown e-mail address, which is not stored, for an unknown
   * passkey, and for an event that concerns no user.
   */
  readonly userId: string | null
  /**
   * The credential that was used, or the cause or effect of the event, as a fixed code such as `totp` or `replaced`.
   * For an event about a changed second-factor policy, the roles that require a second factor. Never text that a user
   * typed.
   */
  readonly by?: string
}

/** An entry of the security history with the actor that caused it and the client's address. */
export interface SecurityRecord extends SecurityChange {
  readonly actor: Actor
  /**
   * The IP address of the client that caused the event; empty when no request caused it, as with a command-line
   * command.
   */
  readonly address: string
}

/**
 * The roles that require a second factor, each with the Unix time at which the requirement took effect, and the number
 * of days that users have to enrol a second factor.
 */
export interface SecondFactorPolicy {
  readonly since: Partial<Readonly<Record<UserRole, number>>>
  readonly graceDays: number
}

export const noSecondFactorPolicy: SecondFactorPolicy = { since: {}, graceDays: 14 }

const day = 86_400

/**
 * Returns the Unix time from which a user needs a second factor to use the panel; undefined when the user's role
 * requires no second factor. The grace period begins when the requirement took effect for the role, or when the user
 * got the role, whichever is later.
 */
export function secondFactorDueAt(
  { since, graceDays }: SecondFactorPolicy,
  { role, roleSince }: { readonly role: UserRole; readonly roleSince: number },
): number | undefined {
  const from = since[role]
  return from === undefined ? undefined : Math.max(from, roleSince) + graceDays * day
}

/**
 * Returns the policy that requires a second factor of the given roles from `now` on. Roles that already required a
 * second factor retain the time at which their requirement took effect.
 */
export function changedPolicy(
  before: SecondFactorPolicy,
  { roles, graceDays }: { readonly roles: readonly UserRole[]; readonly graceDays: number },
  now: number,
): SecondFactorPolicy {
  return { graceDays, since: Object.fromEntries(roles.map((role) => [role, before.since[role] ?? now])) }
}
