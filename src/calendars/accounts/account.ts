import type { CalendarFaultCode } from '../calendar-fault.ts'
import type { GrantKind } from '../oauth/oauth.ts'
import type { RemoteCalendar } from './account-client.ts'

/** The kinds of accounts that can be connected. */
export type AccountKind = 'caldav' | GrantKind

/** The secret of an account with a password, which is stored encrypted. Other accounts have a `GrantSecret`. */
export interface AccountSecret {
  readonly url: string
  readonly user: string
  readonly password: string
}

/** An account on another calendar system, from which a provider chooses calendars. */
export interface CalendarAccount {
  readonly id: string
  readonly providerId: number
  readonly kind: AccountKind
  /** The user name; empty until it is known. */
  readonly login: string
  readonly host: string
  /** The encrypted `AccountSecret` or `GrantSecret`. */
  readonly sealed: string
  /** The calendars found at the last successful listing. */
  readonly found: readonly RemoteCalendar[]
  /** When the calendars were last listed successfully (Unix seconds); 0 for never. */
  readonly foundAt: number
  /** Why the last listing of the calendars failed; null when it succeeded. */
  readonly fault: CalendarFaultCode | null
  readonly faultDetail: string
  /** The number of changes of the address or credentials. A job compares it to detect a change while it runs. */
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
