import { hash, randomInt } from 'node:crypto'
import type { Operation, Tx } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { Refusal, refusal } from '../../messages/refusal.ts'
import type { SecurityKind } from '../security-log/security-event.ts'
import { type Challenge, loadFactors, needsSecondFactor, takeCodeOf } from '../sessions/sessions.operations.ts'
import {
  countFactors,
  deletePasskeys,
  deleteTotp,
  findPasskey,
  findTotp,
  insertPasskey,
  replaceRecoveryCodes,
  replaceTotp,
  replaceTotpSecret,
  spend,
} from './second-factors.sql.ts'

interface Codes {
  /**
   * Hashes of recovery codes that the caller generated. `confirmTotp` and `registerPasskey` store them only when the
   * user has no codes; `renewCodes` replaces the user's codes with them.
   */
  readonly codeHashes: readonly string[]
}

/** Whether the generated recovery codes were stored; the caller shows them to the user only then. */
interface Kept {
  readonly codesKept: boolean
}

/**
 * Stores the secret of a new authenticator app, which counts as a second factor once the user has confirmed it; refuses
 * when the user has a confirmed authenticator app.
 */
export const beginTotp: Operation<{ readonly userId: string; readonly secret: string }, Record<never, never>> = async (
  tx,
  { userId, secret },
) => {
  await tx.lock([`user:${userId}`])
  if ((await findTotp(tx.db, userId))?.confirmed) {
    throw new Refusal({ code: 'totp_not_begun', message: message('totp_exists') })
  }
  await replaceTotp(tx.db, userId, secret, tx.now)
  return {}
}

/**
 * Confirms a new authenticator app; `step` is the time step (Unix time divided by 30 seconds) of the correct code that
 * the user entered.
 */
export const confirmTotp: Operation<Codes & { readonly userId: string; readonly step: number }, Kept> = async (
  tx,
  { userId, step, codeHashes },
) => {
  await tx.lock([`user:${userId}`])
  const totp = await findTotp(tx.db, userId)
  if (!totp || totp.confirmed) throw refusal('totp_not_begun')
  await takeCodeOf(tx, userId, step)
  const codesKept = await keepFirstCodes(tx, userId, codeHashes)
  await changed(tx, userId, { what: 'totp added', kind: 'factor_added', by: 'totp' })
  return { codesKept }
}

/**
 * After a key rotation, replaces `from`, the encrypted secret of an authenticator app, with `to`, the same secret
 * encrypted with the current key; does nothing when the stored value is no longer `from`.
 */
export const resealTotp: Operation<
  { readonly userId: string; readonly from: string; readonly to: string },
  Record<never, never>
> = async (tx, { userId, from, to }) => {
  await tx.lock([`user:${userId}`])
  await replaceTotpSecret(tx.db, userId, { from, to })
  return {}
}

/**
 * Removes a user's authenticator app, if there is one. When no second factor remains, the recovery codes are removed as
 * well.
 */
export const removeTotp: Operation<{ readonly userId: string }, Record<never, never>> = async (tx, { userId }) => {
  await tx.lock([`user:${userId}`])
  if (!(await findTotp(tx.db, userId))) return {}
  await deleteTotp(tx.db, userId)
  await dropUselessCodes(tx, userId)
  await changed(tx, userId, { what: 'totp removed', kind: 'factor_removed', by: 'totp' })
  return {}
}

/** Replaces a user's recovery codes; refuses for a user without a second factor. */
export const renewCodes: Operation<Codes & { readonly userId: string }, Record<never, never>> = async (
  tx,
  { userId, codeHashes },
) => {
  await tx.lock([`user:${userId}`])
  if (!needsSecondFactor(await loadFactors(tx.db, userId))) {
    throw new Refusal({ code: 'second_factor_unavailable', message: message('recovery_codes_alone') })
  }
  await replaceRecoveryCodes(tx.db, userId, codeHashes, tx.now)
  await changed(tx, userId, { what: 'recovery codes renewed', kind: 'codes_renewed', by: '' })
  return {}
}

/** The input of `registerPasskey`. */
export interface RegisterPasskey extends Codes {
  readonly userId: string
  readonly challenge: Challenge
  readonly passkey: {
    readonly id: string
    readonly name: string
    readonly publicKey: string
    readonly counter: number
    readonly transports: readonly string[]
  }
}

/** Stores a verified passkey; refuses an expired or used challenge, and a passkey that is already registered. */
export const registerPasskey: Operation<RegisterPasskey, Kept> = async (tx, input) => {
  const { userId, challenge, passkey, codeHashes } = input
  await tx.lock([`user:${userId}`])
  const fresh = challenge.expiresAt > tx.now && (await spend(tx.db, challenge.hash, challenge.expiresAt))
  if (!fresh || (await findPasskey(tx.db, passkey.id))) {
    throw new Refusal({ code: 'passkey_wrong', message: message('passkey_not_registered') })
  }
  await insertPasskey(tx.db, { ...passkey, userId, createdAt: tx.now, lastUsedAt: null })
  const codesKept = await keepFirstCodes(tx, userId, codeHashes)
  await changed(tx, userId, { what: 'passkey added', kind: 'factor_added', by: 'passkey' })
  return { codesKept }
}

/**
 * Removes one passkey of a user; refuses an unknown id. When no second factor remains, the recovery codes are removed
 * as well.
 */
export const removePasskey: Operation<{ readonly userId: string; readonly id: string }, Record<never, never>> = async (
  tx,
  { userId, id },
) => {
  await tx.lock([`user:${userId}`])
  if ((await deletePasskeys(tx.db, userId, id)) === 0) {
    throw refusal('passkey_not_found')
  }
  await dropUselessCodes(tx, userId)
  await changed(tx, userId, { what: 'passkey removed', kind: 'factor_removed', by: 'passkey' })
  return {}
}

async function keepFirstCodes(tx: Tx, userId: string, hashes: readonly string[]): Promise<boolean> {
  if ((await loadFactors(tx.db, userId)).recoveryCodes > 0) return false
  await replaceRecoveryCodes(tx.db, userId, hashes, tx.now)
  return true
}

async function dropUselessCodes(tx: Tx, userId: string): Promise<void> {
  const factors = (await countFactors(tx.db, [userId])).get(userId)
  if (factors && !needsSecondFactor(factors)) await replaceRecoveryCodes(tx.db, userId, [], tx.now)
}

interface Changed {
  readonly what: string
  readonly kind: SecurityKind
  readonly by: string
}

async function changed(tx: Tx, userId: string, { what, kind, by }: Changed): Promise<void> {
  tx.record({ kind, userId, by })
  await tx.append({
    type: 'user.second_factor_changed',
    objectId: userId,
    object: { id: userId, what },
    previous: null,
  })
}

// The alphabet of recovery codes leaves out 0, 1, I and O, which are easily confused with other characters.
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const codesAtOnce = 10

/** Generates ten recovery codes of 80 bits each, such as `K7QM-2RTX-9WVB-HC4D`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: codesAtOnce }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => alphabet.charAt(randomInt(32))).join('')).join('-'),
  )
}

/** Hashes a recovery code; case, blanks and hyphens do not matter. */
export function hashRecoveryCode(code: string): string {
  return hash('sha256', code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''), 'hex')
}
