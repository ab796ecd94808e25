import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { loadSite } from '../../catalogue/site/site.sql.ts'
import type { Database } from '../../db/database.ts'
import type { Challenge, Proof } from '../sessions/sessions.operations.ts'
import type { User } from '../users/user.ts'
import { findUser } from '../users/users.sql.ts'
import type { RegisterPasskey } from './second-factors.operations.ts'
import { findPasskey, listPasskeys } from './second-factors.sql.ts'

/**
 * The origin to which passkeys are bound, and the time in Unix seconds, for the functions that create and verify
 * passkeys.
 */
export interface PasskeyContext {
  /** The origin to which passkeys are bound, such as `https://book.example`. */
  readonly origin: string
  readonly now: number
}

const goodFor = 300
const milliseconds = 1000

/** Returns the WebAuthn options with which the browser creates a passkey. */
export async function registrationOptions(
  db: Database,
  user: User,
  { origin, now }: PasskeyContext,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const { site, secret } = await loadSite(db)
  const known = await listPasskeys(db, user.id)
  return generateRegistrationOptions({
    rpName: site.name,
    rpID: new URL(origin).hostname,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    challenge: newChallenge(secret, `register ${user.id}`, now),
    timeout: goodFor * milliseconds,
    attestationType: 'none',
    excludeCredentials: known.map(({ id }) => ({ id })),
    // User verification is required because a passkey counts as two factors: possession of the device, and the
    // biometric or PIN that unlocks it.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Returns the WebAuthn options for a sign-in with a passkey; they do not depend on the user. */
export async function signInOptions(
  db: Database,
  { origin, now }: PasskeyContext,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const { secret } = await loadSite(db)
  return generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge: newChallenge(secret, signingIn, now),
    timeout: goodFor * milliseconds,
    userVerification: 'required',
  })
}

/**
 * Verifies the browser's response for a new passkey; returns the passkey to store, or undefined when the response is
 * invalid.
 */
export async function verifyRegistration(
  db: Database,
  user: User,
  response: RegistrationResponseJSON,
  { origin, now }: PasskeyContext,
): Promise<(Pick<RegisterPasskey, 'challenge'> & { passkey: Omit<RegisterPasskey['passkey'], 'name'> }) | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { secret } = await loadSite(db)
  let challenge: Challenge | undefined
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: (text) => {
      challenge = openChallenge(secret, `register ${user.id}`, { text, now })
      return challenge !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
  }).then((answer) => answer, notVerified)
  if (!verified?.verified || !challenge) return undefined
  const { credential } = verified.registrationInfo
  return {
    challenge,
    passkey: {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
    },
  }
}

/**
 * Verifies the browser's response for a sign-in; returns the id of the passkey's owner and the proof for
 * `startSession`, or undefined for an invalid response or an unknown passkey.
 */
export async function verifyPasskey(
  db: Database,
  response: AuthenticationResponseJSON,
  { origin, now }: PasskeyContext,
): Promise<{ readonly userId: string; readonly proof: Proof } | undefined> {
  const passkey = await findPasskey(db, response.id)
  if (!passkey) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { secret } = await loadSite(db)
  let challenge: Challenge | undefined
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (text) => {
      challenge = openChallenge(secret, signingIn, { text, now })
      return challenge !== undefined
    },
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
      transports: [...passkey.transports],
    },
  }).then((answer) => answer, notVerified)
  if (!verified?.verified || !challenge) return undefined
  const counter = verified.authenticationInfo.newCounter
  return { userId: passkey.userId, proof: { by: 'passkey', passkeyId: passkey.id, counter, challenge } }
}

// SimpleWebAuthn throws an error for most invalid responses; for a wrong signature, it returns `verified: false`
// instead. Both mean that the passkey is not verified.
function notVerified(): undefined {
  return undefined
}

const signingIn = 'sign in'
const expiryBytes = 6
const chanceBytes = 16

/**
 * Creates a WebAuthn challenge that contains its expiry and an HMAC with the site's secret. The challenge can therefore
 * be verified without being stored; only the hash of a used challenge is stored, so that no challenge is used twice.
 */
function newChallenge(secret: string, purpose: string, now: number): Uint8Array<ArrayBuffer> {
  const expiry = Buffer.alloc(expiryBytes)
  expiry.writeUIntBE(now + goodFor, 0, expiryBytes)
  const head = Buffer.concat([expiry, randomBytes(chanceBytes)])
  return new Uint8Array(Buffer.concat([head, markOf(secret, purpose, head)]))
}

function openChallenge(
  secret: string,
  purpose: string,
  { text, now }: { readonly text: string; readonly now: number },
): Challenge | undefined {
  const bytes = Buffer.from(text, 'base64url')
  const head = bytes.subarray(0, expiryBytes + chanceBytes)
  const mark = bytes.subarray(expiryBytes + chanceBytes)
  const expected = markOf(secret, purpose, head)
  if (mark.length !== expected.length || !timingSafeEqual(mark, expected)) return undefined
  const expiresAt = head.readUIntBE(0, expiryBytes)
  return expiresAt > now ? { hash: hash('sha256', bytes, 'hex'), expiresAt } : undefined
}

function markOf(secret: string, purpose: string, head: Uint8Array): Buffer {
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(`passkey ${purpose}`).update(head).digest()
}

/** Returns the e-mail address of a passkey's owner; undefined for an unknown passkey. */
export async function findEmailOfPasskey(db: Database, id: string): Promise<string | undefined> {
  const passkey = await findPasskey(db, id)
  return passkey && (await findUser(db, passkey.userId))?.user.email
}

/** Returns a user's passkeys as the panel lists them, the oldest first. */
export async function listOwnPasskeys(db: Database, userId: string) {
  const passkeys = await listPasskeys(db, userId)
  return passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({ id, name, createdAt, lastUsedAt }))
}
