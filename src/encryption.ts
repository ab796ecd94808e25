import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Keys of 32 bytes each: the first encrypts, all decrypt, so that a key can be rotated while the service runs. */
export type KeyRing = readonly [Uint8Array, ...Uint8Array[]]

/** Returns the keys with which secrets are encrypted; undefined when the installation has none. */
export type KeySource = () => Promise<KeyRing | undefined>

const nonceLength = 12
const tagLength = 16

/**
 * Encrypts a secret with AES-256-GCM. `place` identifies the use of the secret and is authenticated: decryption fails
 * for any other place.
 */
export function encrypt([key]: KeyRing, text: string, place: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')}`
}

/**
 * Decrypts a secret with any key of the ring; throws if it was encrypted with another key or for another `place`, or if
 * the text was changed.
 */
export function decrypt(ring: KeyRing, sealed: string, place: string): string {
  const text = findDecrypted(ring, sealed, place)
  if (text === undefined) throw new Error(`What is encrypted for ${place} belongs to none of the keys, or was changed.`)
  return text
}

/**
 * Decrypts a secret with any key of the ring; undefined if it was encrypted with another key or for another `place`, or
 * if the text was changed.
 */
export function findDecrypted(ring: KeyRing, sealed: string, place: string): string | undefined {
  for (const key of ring) {
    const text = decrypted(key, sealed, place)
    if (text !== undefined) return text
  }
  return undefined
}

/** Whether the first key of the ring, the one that encrypts new secrets, decrypts a secret. */
export function isCurrent([key]: KeyRing, sealed: string, place: string): boolean {
  return decrypted(key, sealed, place) !== undefined
}

function decrypted(key: Uint8Array, sealed: string, place: string): string | undefined {
  const bytes = Buffer.from(sealed.slice('v1.'.length), 'base64url')
  if (bytes.length < nonceLength + tagLength) return undefined
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagLength))
  const text = decipher.update(bytes.subarray(nonceLength, -tagLength))
  try {
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    // Node throws when the authentication tag does not match, as after a change of the text or with another key.
    return undefined
  }
}
