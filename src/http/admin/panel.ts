import { passwordFault } from '../../domain/person.ts'
import { Refusal, wrongFields } from '../../domain/refusal.ts'
import type { SessionView } from '../../domain/session.ts'
import type { Daybook } from '../../operations/index.ts'
import { checkPassword, hashPassword } from '../../operations/passwords.ts'
import { findPasswordHash } from '../../operations/people.ts'
import type { Place } from '../../operations/sessions.ts'
import { hashSessionSecret } from '../../operations/sessions.ts'
import type { FindKey } from '../../operations/vault.ts'
import type { Visit } from '../whom.ts'
import type { Attempts } from './attempts.ts'

/** What the handlers of the panel share. */
export interface Panel {
  readonly app: Daybook
  readonly attempts: Attempts
  /** The key that second factors are sealed under. */
  readonly findKey: FindKey
  /** `--public-url`: passkeys are bound to it; without one, to where the browser finds the panel. */
  readonly publicOrigin: string | undefined
  /** Where people reach the service, as its operator says; never what a request or the site's settings say. */
  origin(): string
}

/** The origin that passkeys are bound to: the operator's, or where the browser finds the panel. */
export function passkeyOrigin({ publicOrigin }: Pick<Panel, 'publicOrigin'>, visit: Pick<Visit, 'origin'>): string {
  return publicOrigin ?? visit.origin
}

/** Where a new session is, for the secret that its cookie carries. */
export function placeOf(visit: Visit, secret: string): Place {
  return { hash: hashSessionSecret(secret), device: visit.device, address: visit.address }
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

/** The hash of a new password; refuses one that will not do. */
export async function newPasswordHash(password: string): Promise<string> {
  const fault = passwordFault(password)
  if (fault !== undefined) throw wrongFields({ password: fault })
  return hashPassword(password)
}

/** Refuses unless the password is that of whoever is signed in: an open screen alone changes nothing of importance. */
export async function provePassword(
  { app, attempts }: Panel,
  asked: { readonly session: SessionView; readonly visit: Visit; readonly now: number; readonly password: string },
): Promise<void> {
  const { person } = asked.session
  attempts.begin(asked.visit.address, person.email, asked.now)
  if (!(await checkPassword(asked.password, await findPasswordHash(app.db, person.id)))) {
    throw new Refusal('password_wrong', 'The password is wrong; check it and try again.')
  }
  attempts.succeeded(asked.visit.address, person.email)
}
