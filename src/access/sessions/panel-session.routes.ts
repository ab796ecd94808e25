import { showSite } from '../../catalogue/site/site.operations.ts'
import type { KeySource } from '../../encryption.ts'
import type { ClientRequest } from '../../http/principal.ts'
import { Unavailable } from '../../http/response/errors.ts'
import { wrongFields } from '../../messages/refusal.ts'
import type { Daybook } from '../../operations.ts'
import { arePasswordsBusy, hashPassword } from '../passwords/password-hash.ts'
import { isPasswordRatingBusy, newPasswordFault } from '../passwords/password-strength.ts'
import { hashDeviceSecret, newDeviceSecret } from '../security-log/security-log.operations.ts'
import type { User } from '../users/user.ts'
import type { SessionView } from './session.ts'
import { type ClientContext, hashSessionSecret, newSessionSecret } from './sessions.operations.ts'
import type { SignInCounters } from './sign-in-counters.routes.ts'

/** The dependencies of the panel's route handlers. */
export interface PanelContext {
  readonly app: Daybook
  readonly attempts: SignInCounters
  /** Loads the keys with which secrets, such as those of authenticator apps, are encrypted. */
  readonly findKey: KeySource
  /**
   * The origin configured with `--public-url`, to which passkeys are bound; when undefined, passkeys are bound to the
   * origin of the request.
   */
  readonly publicOrigin: string | undefined
  /** Whether the configuration specifies an SMTP server, which then replaces the one in the site's settings. */
  readonly smtpGiven: boolean
  /** Returns the service's public origin for links. It is never the origin of a request, which clients control. */
  origin(): string
}

/** Returns the origin to which passkeys are bound. */
export function passkeyOrigin(
  { publicOrigin }: Pick<PanelContext, 'publicOrigin'>,
  client: Pick<ClientRequest, 'origin'>,
): string {
  return publicOrigin ?? client.origin
}

/**
 * Prepares a session for the browser that sends a request: the data to store, and a function that sets the session
 * cookie and the device cookie.
 */
export function newSession(client: ClientRequest): { readonly place: ClientContext; keep(): void } {
  const secret = newSessionSecret()
  // A browser has one device secret, which all of its users share. An existing secret is therefore reused.
  const deviceSecret = client.deviceSecret ?? newDeviceSecret()
  const { device, address } = client
  return {
    place: { hash: hashSessionSecret(secret), device, address, deviceHash: hashDeviceSecret(deviceSecret) },
    keep: () => client.keep(secret, deviceSecret),
  }
}

/**
 * Prepares a new secret for a session: the hashes of the current and the new secret, and a function that sets the
 * session cookie.
 */
export function renewedSecret(client: ClientRequest): { readonly hash: { from: string; to: string }; keep(): void } {
  const secret = newSessionSecret()
  return {
    hash: { from: hashSessionSecret(client.sessionSecret ?? ''), to: hashSessionSecret(secret) },
    keep: () => client.keep(secret),
  }
}

/** Returns the session that a new sign-in in the same browser ends; undefined when there is none. */
export function replacedSession(session: SessionView | undefined) {
  return session && { id: session.id, userId: session.user.id }
}

/** Returns the id of the provider to which a user is restricted; undefined for a user whose role is not restricted. */
export function ownProvider({ user }: Pick<SessionView, 'user'>): number | undefined {
  if (user.role !== 'provider') return undefined
  // A user with the role `provider` may be linked to no provider. The user is then restricted to the id 0, which no
  // provider has.
  return user.providerId ?? 0
}

/**
 * Returns the parameter `ofProvider`, which restricts an operation to the user's own provider; an empty object for a
 * user whose role is not `provider`.
 */
export function narrowed(session: Pick<SessionView, 'user'>): { readonly ofProvider?: number } {
  const ofProvider = ownProvider(session)
  return ofProvider === undefined ? {} : { ofProvider }
}

/**
 * Hashes a new password. Throws a refusal for a weak password, and `Unavailable` while the queue of password ratings or
 * the queue of password hashes is full.
 */
export async function newPasswordHash(
  { app }: Pick<PanelContext, 'app'>,
  password: string,
  { name, email }: Pick<User, 'name' | 'email'>,
): Promise<string> {
  const { name: siteName } = await showSite(app.db)
  if (isPasswordRatingBusy() || arePasswordsBusy()) throw new Unavailable('Too many passwords wait to be rated.')
  const fault = await newPasswordFault(password, { name, email, siteName })
  if (fault !== undefined) throw wrongFields({ password: fault })
  return hashPassword(password)
}
