import { hash, randomBytes } from 'node:crypto'
import { emailKey } from '../../customers/customer.ts'
import type { Database } from '../../db/database.ts'
import {
  loadSecondFactorPolicy,
  pageSecurityEvents,
  type SecurityEvent,
  type SecurityFilter,
  updateSecondFactorPolicy,
} from '../../db/log/security-log.ts'
import type { Operation } from '../../db/perform/app.ts'
import type { Actor } from '../../history/event.ts'
import { isKnownDevice } from '../sessions/devices.sql.ts'
import { type UserRole, userRoles } from '../users/user.ts'
import { findUserId, namesOfUsers, updateFactorsLifted } from '../users/users.sql.ts'
import { changedPolicy, type SecurityChange } from './security-event.ts'

/** Records an event that no other write operation records, such as a failed sign-in, in the security history. */
export const reportSecurity: Operation<SecurityChange, Record<never, never>> = async (tx, change) => {
  tx.record(change)
  return {}
}

export interface RequireSecondFactor {
  readonly roles: readonly UserRole[]
  readonly graceDays: number
}

/**
 * Sets the roles that require a second factor, and the grace period in days. For roles that already require a second
 * factor, the grace period does not start again.
 */
export const requireSecondFactor: Operation<RequireSecondFactor, Record<never, never>> = async (tx, input) => {
  await tx.lock(['users'])
  const before = await loadSecondFactorPolicy(tx.db)
  await updateSecondFactorPolicy(tx.db, changedPolicy(before, input, tx.now))
  tx.record({ kind: 'policy_changed', userId: null, by: input.roles.join(',') })
  return {}
}

/** Returns the roles that require a second factor, and the number of days that users have to enrol one. */
export async function showSecondFactorPolicy(db: Database): Promise<RequireSecondFactor> {
  const { since, graceDays } = await loadSecondFactorPolicy(db)
  return { roles: userRoles.filter((role) => since[role] !== undefined), graceDays }
}

/**
 * Removes the notice that tells a user that a one-time link removed the user's second factors; called when the user
 * dismisses it.
 */
export const dismissNotice: Operation<{ readonly userId: string }, Record<never, never>> = async (tx, { userId }) => {
  await updateFactorsLifted(tx.db, userId, null)
  return {}
}

/**
 * An entry of the security history with the names of the users that it refers to. A user without a name has the e-mail
 * address instead; a name is empty when there is no user or the user has been removed.
 */
export interface ListedSecurityEvent extends Omit<SecurityEvent, 'actor'> {
  readonly userName: string
  readonly actor: Actor & { readonly name: string }
}

/**
 * Returns one page of the security history, newest first, and the number of matching entries, which is counted up to
 * 10,001.
 */
export async function listSecurityEvents(
  db: Database,
  filter: SecurityFilter,
  part: { readonly limit: number; readonly offset: number },
): Promise<{ page: ListedSecurityEvent[]; total: number }> {
  const { events, total } = await pageSecurityEvents(db, filter, part)
  const ids = new Set(events.flatMap(({ userId, actor }) => [userId ?? '', actor.id]))
  const names = new Map(await namesOfUsers(db, [...ids]))
  const page = events.map((event) => ({
    ...event,
    userName: names.get(event.userId ?? '') ?? '',
    actor: { ...event.actor, name: names.get(event.actor.id) ?? '' },
  }))
  return { page, total }
}

/** Returns the id of the user with the given e-mail address; undefined when there is none. */
export function findAccount(db: Database, email: string): Promise<string | undefined> {
  return findUserId(db, email)
}

/** Generates the secret of the cookie that identifies a browser: 256 random bits. */
export function newDeviceSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 hash of the secret in the cookie that identifies a browser, as hexadecimal text. */
export function hashDeviceSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/**
 * Whether the browser whose device cookie contains `secret` is recorded as one with which the user with an e-mail
 * address has signed in; expired records do not count.
 */
export function isDeviceOf(
  db: Database,
  secret: string,
  { email, now }: { email: string; now: number },
): Promise<boolean> {
  return isKnownDevice(db, { hash: hashDeviceSecret(secret), emailKey: emailKey(email), now })
}
