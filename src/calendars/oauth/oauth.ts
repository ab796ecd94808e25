/** The calendar systems to which users sign in at the system itself, which then grants access. */
export type GrantKind = 'google'

/** The addresses of a system that grants access. */
export interface GrantEndpoints {
  readonly authorize: string
  readonly token: string
  readonly api: string
  readonly scope: string
}

/** The addresses of Google, or of another server that speaks the same APIs under `base`. */
export function googleEndpoints(base: string): GrantEndpoints {
  const scope = [
    'https://www.googleapis.com/auth/calendar.events',
    'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
  ].join(' ')
  if (base !== '') return { authorize: `${base}/auth`, token: `${base}/token`, api: `${base}/calendar/v3`, scope }
  return {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    api: 'https://www.googleapis.com/calendar/v3',
    scope,
  }
}

/** The credentials with which this site identifies itself to a calendar system. */
export interface GrantApp {
  readonly kind: GrantKind
  readonly clientId: string
  /** The encrypted client secret. */
  readonly sealed: string
}

/** A sign-in at a calendar system that a user has begun. */
export interface Grant {
  /** The SHA-256 hash of the `state` parameter. */
  readonly stateHash: string
  readonly userId: string
  readonly kind: GrantKind
  readonly providerId: number
  /** The account that is signed in to again; null for a new one. */
  readonly accountId: string | null
  /** The encrypted code verifier (RFC 7636). */
  readonly sealed: string
  readonly expiresAt: number
}

/** Seconds for which a sign-in may take. */
export const grantSeconds = 900

/** The path to which a calendar system leads the user back. */
export const callbackPath = '/admin/calendar-connected'

/** What is secret of an account with a granted access: the code to exchange, or the token it was exchanged for. */
export type GrantSecret =
  | { readonly code: string; readonly verifier: string; readonly redirectUri: string }
  | { readonly refreshToken: string }

/** Returns the `place` argument of `encrypt` for the client secret of a calendar system. */
export function appPlace(kind: GrantKind): string {
  return `calendar-app:${kind}`
}

/** Returns the `place` argument of `encrypt` for the code verifier of a sign-in. */
export function grantPlace(stateHash: string): string {
  return `calendar-grant:${stateHash}`
}
