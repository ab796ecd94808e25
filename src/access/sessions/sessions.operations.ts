import { hash, randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import {
  countFactors,
  type Factors,
  findPasskey,
  findTotp,
  spend,
  spendRecoveryCode,
  takeStep,
  touchPasskey,
} from '../second-factors/second-factors.sql.ts'
import type { User } from '../users/user.ts'
import { findUser } from '../users/users.sql.ts'
import { rememberDevice } from './devices.sql.ts'
import { idleSeconds, isAlive, maxSessionSeconds, type Session, type SessionView } from './session.ts'
import {
  deleteSessions,
  findLiving,
  findSessionByHash,
  insertSession,
  listSessions,
  replaceSessionHash,
  touchSession,
  updateAuthenticated,
} from './sessions.sql.ts'

/** Where a session is, and the hash of the secret that its cookie carries. */
export interface ClientContext {
  readonly hash: string
  readonly device: string
  readonly address: string
  /** The hash of the secret by which the browser is known from now on. */
  readonly deviceHash?: string
}

/** What somebody showed to be let in; what takes time to verify was verified before. */
export type Proof =
  | { readonly by: 'password'; readonly passwordHash: string }
  | { readonly by: 'totp'; readonly passwordHash: string; readonly step: number }
  | { readonly by: 'recovery'; readonly passwordHash: string; readonly codeHash: string }
  | { readonly by: 'passkey'; readonly passkeyId: string; readonly counter: number; readonly challenge: Challenge }

/** A question that may be answered once, before it is too old. */
export interface Challenge {
  readonly hash: string
  readonly expiresAt: number
}

export interface StartSession {
  readonly personId: string
  readonly proof: Proof
  readonly place: ClientContext
  /** The session that this browser has so far, of this user or another one; it ends. */
  readonly replaces?: { readonly id: string; readonly personId: string } | undefined
}

/** Who was let in. */
export interface StartedSession {
  readonly person: User
}

const wrong = () => refusal('sign_in_failed')

/** Signs a person in: uses up what may be used once, and refuses what has changed since it was verified. */
export const startSession: Operation<StartSession, StartedSession> = async (
  tx,
  { personId, proof, place, replaces },
) => {
  const person = await takeProof(tx, personId, proof)
  if (replaces && (await deleteSessions(tx.db, replaces.personId, { only: replaces.id })) > 0) {
    tx.record({ kind: 'sessions_ended', personId: replaces.personId, by: 'replaced' })
  }
  await openSession(tx, person, { place, by: proof.by })
  return { person }
}

export interface RenewAuthentication {
  readonly personId: string
  readonly sessionId: string
  readonly proof: Proof
  /** The hash of the secret that the request carried, and that of the one that replaces it. */
  readonly hash: { readonly from: string; readonly to: string }
}

/**
 * Takes a new proof that the person of a session is that person; it covers what guards the account for a while. The
 * session gets a new secret, unless a proof in another tab of the browser has just replaced it.
 */
export const renewAuthentication: Operation<RenewAuthentication, { readonly replaced: boolean }> = async (
  tx,
  input,
) => {
  const { personId, sessionId, proof, hash } = input
  await takeProof(tx, personId, proof)
  if (!(await updateAuthenticated(tx.db, sessionId, tx.now))) throw noSession()
  const replaced = await replaceSessionHash(tx.db, sessionId, hash)
  tx.record({ kind: 'confirmed', personId, by: proof.by })
  return { replaced }
}

/** Uses a proof up, and refuses one that no longer holds. */
async function takeProof(tx: Tx, personId: string, proof: Proof): Promise<User> {
  await tx.lock([`person:${personId}`])
  const known = await findUser(tx.db, personId)
  if (known?.person.status !== 'active') throw wrong()
  if (proof.by === 'passkey') {
    await takePasskey(tx, personId, proof)
  } else {
    if (known.passwordHash !== proof.passwordHash) throw wrong()
    await takeSecondFactor(tx, personId, proof)
  }
  return known.person
}

async function takeSecondFactor(tx: Tx, personId: string, proof: Exclude<Proof, { by: 'passkey' }>): Promise<void> {
  if (proof.by === 'totp') return takeCodeOf(tx, personId, proof.step)
  if (proof.by === 'recovery') {
    if (!(await spendRecoveryCode(tx.db, personId, proof.codeHash))) throw wrong()
    return
  }
  if (needsSecondFactor(await loadFactors(tx.db, personId))) throw wrong()
}

/** Takes the code of this step, and with it all earlier ones; refuses one that was taken before. */
export async function takeCodeOf(tx: Tx, personId: string, step: number): Promise<void> {
  const totp = await findTotp(tx.db, personId)
  if (!totp || step <= totp.lastStep) {
    throw new Refusal({ code: 'code_wrong', message: message('code_used') })
  }
  await takeStep(tx.db, personId, step, tx.now)
}

async function takePasskey(tx: Tx, personId: string, proof: Extract<Proof, { by: 'passkey' }>): Promise<void> {
  const passkey = await findPasskey(tx.db, proof.passkeyId)
  const { hash, expiresAt } = proof.challenge
  if (passkey?.personId !== personId || expiresAt <= tx.now || !(await spend(tx.db, hash, expiresAt))) throw wrong()
  await touchPasskey(tx.db, passkey.id, proof.counter, tx.now)
}

/** Writes the session of somebody who was let in. */
export async function openSession(
  tx: Tx,
  person: User,
  { place, by }: { readonly place: ClientContext; readonly by: string },
): Promise<void> {
  const session: Session = {
    id: tx.newId('session'),
    device: place.device,
    address: place.address,
    createdAt: tx.now,
    lastSeenAt: tx.now,
    expiresAt: tx.now + maxSessionSeconds,
  }
  await insertSession(tx.db, session, { personId: person.id, hash: place.hash })
  if (place.deviceHash !== undefined) {
    const { deviceHash: hash } = place
    await rememberDevice(tx.db, { hash, personId: person.id, now: tx.now, expiresAt: tx.now + deviceSeconds })
  }
  tx.record({ kind: 'signed_in', personId: person.id, by })
  // Without address and device, which the security history has: the event log is kept for good.
  const object = { id: person.id, session: session.id, by }
  await tx.append({ type: 'user.signed_in', objectId: person.id, object, previous: null })
}

/** Remembers that a session is in use; no event, as nothing was decided. */
export const touchSessionUse: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await touchSession(tx.db, id, tx.now)
  return {}
}

export interface EndSessions {
  readonly personId: string
  readonly which: { readonly only: string } | { readonly but: string }
  /** The session in which this is asked, where it ends itself. */
  readonly own?: true
}

/** Ends one session of a person, or all others. */
export const endSessions: Operation<EndSessions, { readonly ended: number }> = async (tx, { personId, which, own }) => {
  await tx.lock([`person:${personId}`])
  const ended = await deleteSessions(tx.db, personId, which)
  if (ended === 0 && 'only' in which) throw noSession()
  if (ended > 0) {
    tx.record({ kind: own ? 'signed_out' : 'sessions_ended', personId })
    const object = { id: personId, sessions: ended }
    await tx.append({ type: 'user.signed_out', objectId: personId, object, previous: null })
  }
  return { ended }
}

function noSession(): Refusal {
  return refusal('session_not_found')
}

/** The session whose cookie carries this secret, while it counts. */
export async function findSession(db: Database, secret: string, now: number): Promise<SessionView | undefined> {
  const session = await findSessionByHash(db, hashSessionSecret(secret))
  return session && isAlive(session, now) ? session : undefined
}

/** The sessions of a person that count, the latest seen first. */
export function listAlive(db: Database, personId: string, now: number): Promise<Session[]> {
  return listSessions(db, personId, now - idleSeconds, now)
}

/** Which of these sessions still count. */
export function listLiving(db: Database, ids: readonly string[], now: number): Promise<Set<string>> {
  return findLiving(db, ids, { seenAfter: now - idleSeconds, now })
}

/** How long a browser is remembered after its last sign-in, in seconds. */
export const deviceSeconds = 180 * 86_400

/** What the person has beside the password. */
export async function loadFactors(db: Database, personId: string): Promise<Factors> {
  return (await countFactors(db, [personId])).get(personId) ?? { totp: false, passkeys: 0, recoveryCodes: 0 }
}

/** Whether the password alone lets the person in no longer. */
export function needsSecondFactor({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0
}

/** Whether the person can do nothing but enrol a second factor: their role needs one, and the days of grace are over. */
export async function mustEnrol(db: Database, session: SessionView, now: number): Promise<boolean> {
  const { secondFactorDueAt } = session
  if (secondFactorDueAt === null || now < secondFactorDueAt) return false
  return !needsSecondFactor(await loadFactors(db, session.person.id))
}

/** A new secret for a session's cookie: 256 bits of chance. */
export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is kept of it. */
export function hashSessionSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
