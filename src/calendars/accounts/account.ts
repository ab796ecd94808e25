import type { CalendarFaultCode } from '../calendar-fault.ts'
import type { GrantKind } from '../oauth/oauth.ts'
import type { RemoteCalendar } from './account-client.ts'

/** The kinds of accounts that can be connected. */
export type AccountKind = 'caldav' | GrantKind

/** What is secret of an account with a password; it is stored encrypted. Other accounts have a `GrantSecret`. */
export interface AccountSecret {
  readonly url: string
  readonly user: string
  readonly password: string
}

/** An account with another calendar system, of which a provider chooses calendars. */
export interface CalendarAccount {
  readonly id: string
  readonly providerId: number
  readonly kind: AccountKind
  /** The user name; empty until it is known. */
  readonly login: string
  readonly host: string
  /** The encrypted `AccountSecret` or `GrantSecret`. */
  readonly sealed: string
  /** The calendars that were found last. */
  readonly found: readonly RemoteCalendar[]
  /** When the calendars were found; 0 for never. */
  readonly foundAt: number
  /** Why the calendars could not be listed last time. */
  readonly fault: CalendarFaultCode | null
  readonly faultDetail: string
  /** Incremented by each change of the address or credentials. */
  readonly revision: number
  readonly createdAt: number
}

/** Returns the account for the history, without its credentials. */
export function accountInHistory({ id, providerId, kind, login, host }: CalendarAccount) {
  return { id, providerId, kind, login, host }
}

/** Returns the `place` argument of `encrypt` for the secret of an account, which binds the ciphertext to the account. */
export function accountPlace(id: string): string {
  return `calendar-account:${id}`
}
