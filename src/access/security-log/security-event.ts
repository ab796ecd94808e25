import type { Actor } from '../../history/event.ts'
import type { UserRole } from '../users/user.ts'

/** What the security history tells of. */
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
  | 'link_made'
  | 'link_used'
  | 'denied'
  | 'policy_changed'
  | 'access_cleared'

/** Every kind, once. */
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
  link_made: true,
  link_used: true,
  denied: true,
  policy_changed: true,
  access_cleared: true,
}

/** Kinds that a stranger can cause at will: those of one quarter of an hour and one address share a row. */
const counted: ReadonlySet<SecurityKind> = new Set([
  'sign_in_failed',
  'second_factor_missing',
  'locked',
  'confirm_failed',
  'denied',
])

export function isCounted(kind: SecurityKind): boolean {
  return counted.has(kind)
}

/** One authentication event as an operation tells it. */
export interface SecurityChange {
  readonly kind: SecurityKind
  /** The account that the event is about; null for an account that does not exist, of which nothing is stored. */
  readonly userId: string | null
  /** How it was done, or with what; codes of our own, never what somebody typed. */
  readonly by?: string
}

/** The same with who caused it, and from where. */
export interface SecurityRecord extends SecurityChange {
  readonly actor: Actor
  /** Empty for a command. */
  readonly address: string
}

/** Which roles need a second factor, since when, and how long people have to enrol one. */
export interface SecondFactorPolicy {
  readonly since: Partial<Readonly<Record<UserRole, number>>>
  readonly graceDays: number
}

export const noSecondFactorPolicy: SecondFactorPolicy = { since: {}, graceDays: 14 }

const day = 86_400

/**
 * The moment from which somebody of this role, in it since `roleSince`, needs a second factor to use the panel; undefined
 * where the policy does not name the role.
 */
export function secondFactorDueAt(
  { since, graceDays }: SecondFactorPolicy,
  { role, roleSince }: { readonly role: UserRole; readonly roleSince: number },
): number | undefined {
  const from = since[role]
  return from === undefined ? undefined : Math.max(from, roleSince) + graceDays * day
}

/** The policy that names these roles from now on; a role that it named before keeps its moment. */
export function changedPolicy(
  before: SecondFactorPolicy,
  { roles, graceDays }: { readonly roles: readonly UserRole[]; readonly graceDays: number },
  now: number,
): SecondFactorPolicy {
  return { graceDays, since: Object.fromEntries(roles.map((role) => [role, before.since[role] ?? now])) }
}
