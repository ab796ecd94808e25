import { decrypt, encrypt, type KeyRing } from '../../encryption.ts'

const period = 30
const issuer = 'Daybook'

/** Creates a secret for an authenticator app, in base32, and the URI for a QR code. */
export async function newTotp(email: string): Promise<{ readonly secret: string; readonly uri: string }> {
  const { Secret, TOTP } = await import('otpauth')
  const secret = new Secret({ size: 20 })
  const uri = new TOTP({ issuer, label: email, secret, period }).toString()
  return { secret: secret.base32, uri }
}

/**
 * Returns the time step (Unix time divided by 30 seconds) of an authenticator code. Codes of the current step, the one
 * before and the one after it are accepted; returns undefined for any other code.
 */
export async function stepOf(secret: string, code: string, now: number): Promise<number | undefined> {
  const { Secret, TOTP } = await import('otpauth')
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period })
  const delta = totp.validate({ token, timestamp: now * 1000, window: 1 })
  return delta === null ? undefined : Math.floor(now / period) + delta
}

/** Returns the `place` argument of `encrypt` for the secret of a user's authenticator app. */
export function totpPlace(userId: string): string {
  return `totp:${userId}`
}

/**
 * Encrypts the secret of a user's authenticator app with the current key; the result can be decrypted for this user
 * only.
 */
export function sealTotp(keys: KeyRing, userId: string, secret: string): string {
  return encrypt(keys, secret, totpPlace(userId))
}

/**
 * Decrypts the secret of a user's authenticator app; throws when the secret was encrypted for another user or with a
 * key that is not in the key ring.
 */
export function unsealTotp(keys: KeyRing, userId: string, sealed: string): string {
  return decrypt(keys, sealed, totpPlace(userId))
}
