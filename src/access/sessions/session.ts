import type { User } from '../users/user.ts'

/** The number of seconds without use after which a session expires. */
export const idleSeconds = 1_800
/** The number of seconds after sign-in at which a session expires, even if it is in use. */
export const maxSessionSeconds = 43_200

/** One sign-in of one user in one browser. */
export interface Session {
  readonly id: string
  readonly device: string
  readonly address: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

/** A session with its user. The panel's handlers receive valid sessions only. */
export interface SessionView extends Session {
  readonly user: User
  /** The time at which the user last proved their identity in this session, in Unix seconds. */
  readonly authenticatedAt: number
  /**
   * The Unix time at which a one-time link removed the user's second factors; null when no link has done so, or once
   * the user has dismissed the notice about it.
   */
  readonly factorsLiftedAt: number | null
  /**
   * The Unix time from which the site's policy requires a second factor of the user; null when the user's role requires
   * no second factor.
   */
  readonly secondFactorDueAt: number | null
}

/** Seconds for which a proof of identity counts as recent authentication. */
const proofSeconds = 300

/** Whether the user has proved their identity in this session within the last five minutes. */
export function isRecentlyAuthenticated(
  { authenticatedAt }: Pick<SessionView, 'authenticatedAt'>,
  now: number,
): boolean {
  return now < authenticatedAt + proofSeconds
}

/** Whether the session is valid at `now`. */
export function isAlive({ lastSeenAt, expiresAt }: Pick<Session, 'lastSeenAt' | 'expiresAt'>, now: number): boolean {
  return now < expiresAt && now < lastSeenAt + idleSeconds
}

const browsers: readonly (readonly [mark: string, name: string])[] = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const systems: readonly (readonly [mark: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

/** Returns a readable name of browser and system for a `User-Agent`; the header itself is not stored. */
export function deviceOf(userAgent: string): string {
  const nameIn = (list: typeof browsers) => list.find(([mark]) => userAgent.includes(mark))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}
