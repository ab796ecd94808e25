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

/** The client that opens a session, with the hash of the secret in the session cookie. */
export interface ClientContext {
  readonly hash: string
  readonly device: string
  readonly address: string
  /** The hash of the secret in the browser's device cookie; absent when the browser is not to be recorded as known. */
  readonly deviceHash?: string
}

/**
 * A user's proof of identity. The password or passkey is verified before the transaction starts, so that the
 * transaction does not wait for the verification; the transaction checks that the credential has not changed since.
 */
export type Proof =
  | { readonly by: 'password'; readonly passwordHash: string }
  | { readonly by: 'totp'; readonly passwordHash: string; readonly step: number }
  | { readonly by: 'recovery'; readonly passwordHash: string; readonly codeHash: string }
  | { readonly by: 'passkey'; readonly passkeyId: string; readonly counter: number; readonly challenge: Challenge }

/** A passkey challenge, which may be answered once, before it expires. */
export interface Challenge {
  readonly hash: string
  readonly expiresAt: number
}

/** The input of `startSession`. */
export interface StartSession {
  readonly userId: string
  readonly proof: Proof
  readonly place: ClientContext
  /**
   * The session in the same browser, of the same or another user, that this sign-in ends; undefined when there is none.
   */
  readonly replaces?: { readonly id: string; readonly userId: string } | undefined
}

/** The result of `startSession` and `finishSetUp`: the user who has signed in. */
export interface StartedSession {
  readonly user: User
}

const wrong = () => refusal('sign_in_failed')

/**
 * Signs a user in: consumes one-time codes and challenges, and refuses credentials that changed since they were
 * verified.
 */
export const startSession: Operation<StartSession, StartedSession> = async (tx, { userId, proof, place, replaces }) => {
  const user = await takeProof(tx, userId, proof)
  if (replaces && (await deleteSessions(tx.db, replaces.userId, { only: replaces.id })) > 0) {
    tx.record({ kind: 'sessions_ended', userId: replaces.userId, by: 'replaced' })
  }
  await openSession(tx, user, { place, by: proof.by })
  return { user }
}

/** The input of `renewAuthentication`. */
export interface RenewAuthentication {
  readonly userId: string
  readonly sessionId: string
  readonly proof: Proof
  /** The hashes of the secret that the request contains (`from`) and of the secret that replaces it (`to`). */
  readonly hash: { readonly from: string; readonly to: string }
}

/**
 * Records a new proof of identity, which counts as recent authentication for five minutes, and replaces the session's
 * secret. `replaced` is false when a concurrent request has just replaced the secret, which then stays unchanged.
 */
export const renewAuthentication: Operation<RenewAuthentication, { readonly replaced: boolean }> = async (
  tx,
  input,
) => {
  const { userId, sessionId, proof, hash } = input
  await takeProof(tx, userId, proof)
  if (!(await updateAuthenticated(tx.db, sessionId, tx.now))) throw noSession()
  const replaced = await replaceSessionHash(tx.db, sessionId, hash)
  tx.record({ kind: 'confirmed', userId, by: proof.by })
  return { replaced }
}

/**
 * Consumes the authenticator code, recovery code or passkey challenge of a proof; refuses a proof that is no longer
 * valid.
 */
async function takeProof(tx: Tx, userId: string, proof: Proof): Promise<User> {
  await tx.lock([`user:${userId}`])
  const known = await findUser(tx.db, userId)
  if (known?.user.status !== 'active') throw wrong()
  if (proof.by === 'passkey') {
    await takePasskey(tx, userId, proof)
  } else {
    if (known.passwordHash !== proof.passwordHash) throw wrong()
    await takeSecondFactor(tx, userId, proof)
  }
  return known.user
}

async function takeSecondFactor(tx: Tx, userId: string, proof: Exclude<Proof, { by: 'passkey' }>): Promise<void> {
  if (proof.by === 'recovery') {
    if (!(await spendRecoveryCode(tx.db, userId, proof.codeHash))) throw wrong()
    return
  }
  const factors = await loadFactors(tx.db, userId)
  if (proof.by === 'password' && needsSecondFactor(factors)) throw wrong()
  if (proof.by === 'totp') {
    if (!factors.totp) throw wrong()
    await takeCodeOf(tx, userId, proof.step)
  }
}

/**
 * Consumes the authenticator code of `step` (Unix time divided by 30 seconds) and the codes of all earlier time steps.
 * Refuses a code that has already been consumed, and any code of a user without an authenticator app.
 */
export async function takeCodeOf(tx: Tx, userId: string, step: number): Promise<void> {
  const totp = await findTotp(tx.db, userId)
  if (!totp || step <= totp.lastStep) {
    throw new Refusal({ code: 'code_wrong', message: message('code_used') })
  }
  await takeStep(tx.db, userId, step, tx.now)
}

async function takePasskey(tx: Tx, userId: string, proof: Extract<Proof, { by: 'passkey' }>): Promise<void> {
  const passkey = await findPasskey(tx.db, proof.passkeyId)
  const { hash, expiresAt } = proof.challenge
  if (passkey?.userId !== userId || expiresAt <= tx.now || !(await spend(tx.db, hash, expiresAt))) throw wrong()
  await touchPasskey(tx.db, passkey.id, proof.counter, tx.now)
}

/** Starts the session of an authenticated user and records the browser. */
export async function openSession(
  tx: Tx,
  user: User,
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
  await insertSession(tx.db, session, { userId: user.id, hash: place.hash })
  const { deviceHash: hash } = place
  const newBrowser =
    hash !== undefined &&
    (await rememberDevice(tx.db, { hash, userId: user.id, now: tx.now, expiresAt: tx.now + deviceSeconds }))
  tx.record({ kind: 'signed_in', userId: user.id, by })
  // The event contains neither the client's address nor its device: the event log is permanent, whereas sessions and
  // entries of the security history expire.
  const object = { id: user.id, session: session.id, by, ...(newBrowser && { newBrowser }) }
  await tx.append({ type: 'user.signed_in', objectId: user.id, object, previous: null })
}

/**
 * Stores the time of a session's last use. The operation appends no event, so that requests without a change do not
 * fill the event log.
 */
export const touchSessionUse: Operation<{ readonly id: string }, Record<never, never>> = async (tx, { id }) => {
  await touchSession(tx.db, id, tx.now)
  return {}
}

/** The input of `endSessions`. */
export interface EndSessions {
  readonly userId: string
  readonly which: { readonly only: string } | { readonly but: string }
  /** True when the user signs out, that is, ends the session that sends the request. */
  readonly own?: true
}

/**
 * Ends one session of a user, or all sessions but one; returns the number ended. Refuses the id of a session that the
 * user does not have.
 */
export const endSessions: Operation<EndSessions, { readonly ended: number }> = async (tx, { userId, which, own }) => {
  await tx.lock([`user:${userId}`])
  const ended = await deleteSessions(tx.db, userId, which)
  if (ended === 0 && 'only' in which) throw noSession()
  if (ended > 0) {
    tx.record({ kind: own ? 'signed_out' : 'sessions_ended', userId })
    const object = { id: userId, sessions: ended }
    await tx.append({ type: 'user.signed_out', objectId: userId, object, previous: null })
  }
  return { ended }
}

function noSession(): Refusal {
  return refusal('session_not_found')
}

/** Returns the valid session whose cookie contains the given secret; undefined when there is none. */
export async function findSession(db: Database, secret: string, now: number): Promise<SessionView | undefined> {
  const session = await findSessionByHash(db, hashSessionSecret(secret))
  return session && isAlive(session, now) ? session : undefined
}

/** Returns the valid sessions of a user, the most recently used first. */
export function listAlive(db: Database, userId: string, now: number): Promise<Session[]> {
  return listSessions(db, userId, now - idleSeconds, now)
}

/** Returns the ids of the valid sessions among the given session ids. */
export function listLiving(db: Database, ids: readonly string[], now: number): Promise<Set<string>> {
  return findLiving(db, ids, { seenAfter: now - idleSeconds, now })
}

/** The number of seconds for which a browser stays known to a user after the user's last sign-in with the browser. */
export const deviceSeconds = 180 * 86_400

/** Returns which second factors a user has, and the number of unused recovery codes. */
export async function loadFactors(db: Database, userId: string): Promise<Factors> {
  return (await countFactors(db, [userId])).get(userId) ?? { totp: false, passkeys: 0, recoveryCodes: 0 }
}

/** Whether the user has a second factor, so that a password alone is not enough. */
export function needsSecondFactor({ totp, passkeys }: Factors): boolean {
  return totp || passkeys > 0
}

/**
 * Whether a user must enrol a second factor before anything else: the user has none, the role requires one and the
 * grace period is over.
 */
export async function mustEnrol(db: Database, session: SessionView, now: number): Promise<boolean> {
  const { secondFactorDueAt } = session
  if (secondFactorDueAt === null || now < secondFactorDueAt) return false
  return !needsSecondFactor(await loadFactors(db, session.user.id))
}

/** Generates the secret of a session cookie: 256 random bits. */
export function newSessionSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 hash of the secret in a session cookie, as hexadecimal text. */
export function hashSessionSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}
