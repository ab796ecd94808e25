/** The calendar systems whose users give this service access to their calendars by signing in there (OAuth 2.0). */
export type GrantKind = 'google' | 'microsoft'

/** All calendar systems with an OAuth sign-in. */
export const grantKinds: readonly GrantKind[] = ['google', 'microsoft']

/** The OAuth and API endpoints of a calendar system, and the parameters of the authorization URL. */
export interface GrantEndpoints {
  readonly authorize: string
  readonly token: string
  readonly api: string
  readonly scope: string
  /** Additional query parameters of the authorization URL, at which the user grants access. */
  readonly more: Readonly<Record<string, string>>
}

/** The base URLs of other servers with the same APIs, such as those of tests; empty for the systems' own servers. */
export type GrantUrls = Readonly<Record<GrantKind, string>>

const own: Readonly<Record<GrantKind, GrantEndpoints>> = {
  google: {
    authorize: 'https://accounts.google.com/o/oauth2/v2/auth',
    token: 'https://oauth2.googleapis.com/token',
    api: 'https://www.googleapis.com/calendar/v3',
    scope:
      'https://www.googleapis.com/auth/calendar.events https://www.googleapis.com/auth/calendar.calendarlist.readonly',
    // Google issues a refresh token only for offline access, and after the first sign-in only if the user consents
    // again.
    more: { access_type: 'offline', prompt: 'consent' },
  },
  microsoft: {
    authorize: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
    token: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
    api: 'https://graph.microsoft.com/v1.0',
    scope: 'offline_access Calendars.ReadWrite',
    more: { prompt: 'select_account' },
  },
}

const apiPaths = { google: '/calendar/v3', microsoft: '/v1.0' } as const

/** Returns the endpoints of a calendar system, or of another server with the same APIs. */
export function endpointsOf(kind: GrantKind, urls: GrantUrls): GrantEndpoints {
  const base = urls[kind]
  if (base === '') return own[kind]
  return { ...own[kind], authorize: `${base}/auth`, token: `${base}/token`, api: base + apiPaths[kind] }
}

/** The OAuth client credentials of this site at a calendar system. */
export interface GrantApp {
  readonly kind: GrantKind
  readonly clientId: string
  /** The encrypted OAuth client secret. */
  readonly sealed: string
}

/** An OAuth sign-in at a calendar system that a user has begun. */
export interface Grant {
  /** The SHA-256 hash of the OAuth parameter `state`, which identifies the sign-in. */
  readonly stateHash: string
  readonly userId: string
  readonly kind: GrantKind
  readonly providerId: number
  /** The id of the calendar account for which the user signs in again; null for a new account. */
  readonly accountId: string | null
  /** The encrypted PKCE code verifier (RFC 7636). */
  readonly sealed: string
  readonly expiresAt: number
}

/** Seconds within which an OAuth sign-in at a calendar system must be completed. */
export const grantSeconds = 900

/** The path to which a calendar system redirects the user after the sign-in. */
export const callbackPath = '/admin/calendar-connected'

/**
 * The credentials of an account with OAuth access: the authorization code until it is exchanged, then the refresh
 * token.
 */
export type GrantSecret =
  | { readonly code: string; readonly verifier: string; readonly redirectUri: string }
  | { readonly refreshToken: string }

/** Returns the argument `place` of `encrypt` for the OAuth client secret at a calendar system. */
export function appPlace(kind: GrantKind): string {
  return `calendar-app:${kind}`
}

/** Returns the additional authenticated data (`place`) for encrypting the code verifier of an OAuth sign-in. */
export function grantPlace(stateHash: string): string {
  return `calendar-grant:${stateHash}`
}
