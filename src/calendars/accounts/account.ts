import type { CalendarFaultCode } from '../calendar-fault.ts'
import type { GrantKind } from '../oauth/oauth.ts'
import type { RemoteCalendar } from './account-client.ts'

/** The kinds of accounts on other calendar systems that can be connected. */
export type AccountKind = 'caldav' | GrantKind

/**
 * The address and credentials of an account with a password, which are stored encrypted. Other accounts have a
 * `GrantSecret`.
 */
export interface AccountSecret {
  readonly url: string
  readonly user: string
  readonly password: string
}

/** An account of a provider on another calendar system, some of whose calendars may be connected. */
export interface CalendarAccount {
  readonly id: string
  readonly providerId: number
  readonly kind: AccountKind
  /** The user name of the account at the calendar system; empty until it is known. */
  readonly login: string
  readonly host: string
  /** The credentials of the account, an encrypted `AccountSecret` or `GrantSecret`. */
  readonly sealed: string
  /** The calendars of the account at the last successful listing. */
  readonly found: readonly RemoteCalendar[]
  /** When the calendars of the account were last listed successfully (Unix seconds); 0 for never. */
  readonly foundAt: number
  /** Why the last listing of the account's calendars failed; null when it succeeded or none has ended yet. */
  readonly fault: CalendarFaultCode | null
  readonly faultDetail: string
  /**
   * How many times a user has changed the account's address or credentials. A job compares it to detect a change that
   * was made while the job ran.
   */
  readonly revision: number
  readonly createdAt: number
}

/** A calendar of an account as the panel lists it. */
export interface ListedCalendar extends Pick<RemoteCalendar, 'ref' | 'name' | 'writable'> {
  /** Whether the last listing of the account contained the calendar. */
  readonly listed: boolean
}

/**
 * Returns the calendars of an account's last listing, followed by those in `used` that it lacks, such as one that its
 * user has hidden at the calendar system. These are not writable, so reservations cannot be written to them anew.
 */
export function listedCalendars(
  { found }: Pick<CalendarAccount, 'found'>,
  used: readonly Pick<RemoteCalendar, 'ref' | 'name'>[],
): ListedCalendar[] {
  const listed = found.map(({ ref, name, writable }) => ({ ref, name, writable, listed: true }))
  const refs = new Set(found.map(({ ref }) => ref))
  const missing = new Map(used.flatMap((one) => (refs.has(one.ref) ? [] : [[one.ref, one] as const])))
  return [...listed, ...[...missing.values()].map(({ ref, name }) => ({ ref, name, writable: false, listed: false }))]
}

/** Returns an account as the history records it, without its credentials. */
export function accountInHistory({ id, providerId, kind, login, host }: CalendarAccount) {
  return { id, providerId, kind, login, host }
}

/**
 * Returns the argument `place` of `encrypt` for the secret of an account, which binds the ciphertext to the account.
 */
export function accountPlace(id: string): string {
  return `calendar-account:${id}`
}
