import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Finds the key of 32 bytes that secrets are kept under; undefined where the installation has none. */
export type FindKey = () => Promise<Uint8Array | undefined>

const nonceLength = 12
const tagLength = 16

/** Seals a secret for one place in the database: AES-256-GCM, so that it opens there alone, and unchanged. */
export function seal(key: Uint8Array, text: string, place: string): string {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')}`
}

/** The secret that was sealed for this place; throws for another key, another place or a changed text. */
export function unseal(key: Uint8Array, sealed: string, place: string): string {
  const bytes = Buffer.from(sealed.slice('v1.'.length), 'base64url')
  const nonce = bytes.subarray(0, nonceLength)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagLength))
  return Buffer.concat([decipher.update(bytes.subarray(nonceLength, -tagLength)), decipher.final()]).toString('utf8')
}
