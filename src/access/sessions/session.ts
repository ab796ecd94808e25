import type { User } from '../users/user.ts'

/** A session that nobody uses for so long is over, in seconds. */
export const idleSeconds = 1_800
/** However it is used, a session is over after so many seconds. */
export const maxSessionSeconds = 43_200

/** One sign-in of one person in one browser. */
export interface Session {
  readonly id: string
  readonly device: string
  readonly address: string
  readonly createdAt: number
  readonly lastSeenAt: number
  readonly expiresAt: number
}

/** Whoever asks, as the panel's handlers see it. */
export interface SessionView extends Session {
  readonly person: User
  /** When the person last proved who they are in this session: at the sign-in, or later. */
  readonly authenticatedAt: number
  /** When an administrator's link lifted the person's second factors; null once they have seen the notice of it. */
  readonly factorsLiftedAt: number | null
  /** From when the person needs a second factor, as the site's policy has it; null where their role needs none. */
  readonly secondFactorDueAt: number | null
}

/** How long a proof of identity covers what guards an account, in seconds. */
const proofSeconds = 300

/** Whether the person of the session has just proved who they are. */
export function isRecentlyAuthenticated(
  { authenticatedAt }: Pick<SessionView, 'authenticatedAt'>,
  now: number,
): boolean {
  return now < authenticatedAt + proofSeconds
}

/** Whether the session still counts at `now`. */
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

/** What a person would call the device that sends this `User-Agent`; the rest of it is not kept. */
export function deviceOf(userAgent: string): string {
  const nameIn = (list: typeof browsers) => list.find(([mark]) => userAgent.includes(mark))?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser === undefined) return system ?? 'Unknown device'
  return system === undefined ? browser : `${browser} on ${system}`
}
