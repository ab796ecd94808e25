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

/** What the handlers of the panel share. */
export interface PanelContext {
  readonly app: Daybook
  readonly attempts: SignInCounters
  /** The key that second factors are sealed under. */
  readonly findKey: KeySource
  /** `--public-url`: passkeys are bound to it; without one, to where the browser finds the panel. */
  readonly publicOrigin: string | undefined
  /** Where people reach the service, as its operator says; never what a request or the site's settings say. */
  origin(): string
}

/** The origin that passkeys are bound to: the operator's, or where the browser finds the panel. */
export function passkeyOrigin(
  { publicOrigin }: Pick<PanelContext, 'publicOrigin'>,
  client: Pick<ClientRequest, 'origin'>,
): string {
  return publicOrigin ?? client.origin
}

/** A new session of this browser: where it is, and what has the browser carry its secret. */
export function newSession(client: ClientRequest): { readonly place: ClientContext; keep(): void } {
  const secret = newSessionSecret()
  // Several people may use one browser: each of their accounts knows it by the same secret.
  const deviceSecret = client.deviceSecret ?? newDeviceSecret()
  const { device, address } = client
  return {
    place: { hash: hashSessionSecret(secret), device, address, deviceHash: hashDeviceSecret(deviceSecret) },
    keep: () => client.keep(secret, deviceSecret),
  }
}

/** The new secret that a session gets with a proof of identity: its hash, and what has the browser carry it. */
export function renewedSecret(client: ClientRequest): { readonly hash: { from: string; to: string }; keep(): void } {
  const secret = newSessionSecret()
  return {
    hash: { from: hashSessionSecret(client.sessionSecret ?? ''), to: hashSessionSecret(secret) },
    keep: () => client.keep(secret),
  }
}

/** The session that a sign-in of this browser replaces. */
export function replacedSession(session: SessionView | undefined) {
  return session && { id: session.id, personId: session.person.id }
}

/** The provider whose own things alone are this person's to see and change; undefined where all are. */
export function ownProvider({ person }: Pick<SessionView, 'person'>): number | undefined {
  if (person.role !== 'provider') return undefined
  // Nobody has the number 0: someone who is no provider yet has nothing.
  return person.providerId ?? 0
}

/** The field by which an operation keeps to the own things of a provider; none for those who run the site. */
export function narrowed(session: Pick<SessionView, 'person'>): { readonly ofProvider?: number } {
  const ofProvider = ownProvider(session)
  return ofProvider === undefined ? {} : { ofProvider }
}

/** The hash of a new password for somebody; refuses one that can be guessed, and any while too many wait to be rated. */
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
