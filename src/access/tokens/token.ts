export type TokenScope = 'read' | 'write'

/** What a request may do once its secret is known. */
export interface Token {
  readonly id: string
  readonly name: string
  /** `write` includes `read`. */
  readonly scope: TokenScope
  /** Requests a minute; null does not bind. */
  readonly rateLimit: number | null
}

export type TokenRefusal = 'invalid_token' | 'revoked_token' | 'expired_token'

/** A token as kept: all but its secret, of which only a hash is. Instants are Unix seconds. */
export interface TokenRecord extends Token {
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  readonly lastUsedAddress: string | null
}

export type TokenState = 'active' | 'expired' | 'revoked'

export type CheckedToken =
  | { readonly token: Token }
  // The id of a token that was good once; an unknown secret has none.
  | { readonly reason: TokenRefusal; readonly tokenId?: string }

/** Knows which secrets are good, and who used them when. */
export interface TokenRegister {
  /** The token behind the secret, or why it is no good; a change is known within half a second. */
  check(secret: string, now: number): Promise<CheckedToken>
  /** The same without waiting for the database; undefined when it would have to be asked. */
  remembered(secret: string, now: number): CheckedToken | undefined
  /** Remembers the use; kept with the next `flush`. */
  recordUse(tokenId: string, address: string, now: number): void
  /** Writes down every use since the last time; false when that did not succeed, and waits for the next. */
  flush(): Promise<boolean>
}

/** What a token is good for at `now`: revoked for good, expired from its last second on, active otherwise. */
export function tokenState(token: Pick<TokenRecord, 'expiresAt' | 'revokedAt'>, now: number): TokenState {
  if (token.revokedAt !== null) return 'revoked'
  return token.expiresAt !== null && token.expiresAt <= now ? 'expired' : 'active'
}

/** The characters that secrets are made of. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'dbk_'
/** How many random characters a secret carries. */
export const secretLength = 34
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** The secret made of 34 random base62 characters: prefix, those, and six of checksum. */
export function tokenSecret(random: string): string {
  return prefix + random + checksum(prefix + random)
}

/** Whether the text can be a secret at all: guesses and typing errors fail here, without a look at the database. */
export function isTokenSecret(text: string): boolean {
  return shape.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < checksumLength; place++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

// The CRC-32 of zip and PNG, over the text's characters, which are all ASCII here.
function crc32(text: string): number {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    value = (value >>> 8) ^ (crcTable[(value ^ text.charCodeAt(at)) & 0xff] ?? 0)
  }
  return (value ^ 0xffffffff) >>> 0
}
