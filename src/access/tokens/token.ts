/** What an API token may do: read, or read and write. */
export type TokenScope = 'read' | 'write'

/** An API token with its permissions. */
export interface Token {
  readonly id: string
  readonly name: string
  /** The operations that the API token permits; `write` includes `read`. */
  readonly scope: TokenScope
  /** The maximum number of requests per minute with the API token; null for no limit. */
  readonly rateLimit: number | null
}

/** The reasons for which an API token is refused. */
export type TokenRefusal = 'invalid_token' | 'revoked_token' | 'expired_token'

/** A stored token without its secret, of which only the hash is stored. Instants are Unix seconds. */
export interface TokenRecord extends Token {
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
  readonly lastUsedAddress: string | null
}

/** The state of an API token; only an active one can be used. */
export type TokenState = 'active' | 'expired' | 'revoked'

/** The result of checking the secret of an API token: the token, or the reason for which it is refused. */
export type CheckedToken =
  | { readonly token: Token }
  // A refused token that was valid once has an id; a secret that belongs to no token has none.
  | { readonly reason: TokenRefusal; readonly tokenId?: string }

/** Checks the secrets of API tokens and records when they are used. */
export interface TokenRegister {
  /**
   * Returns the API token with the given secret, or why it is refused; a revocation takes effect within half a second.
   */
  check(secret: string, now: number): Promise<CheckedToken>
  /** Returns the result of `check` if it is cached or needs no query of the database; undefined otherwise. */
  remembered(secret: string, now: number): CheckedToken | undefined
  /** Records a use of the token in memory; `flush` stores the last use of each token. */
  recordUse(tokenId: string, address: string, now: number): void
  /**
   * Stores the recorded uses of API tokens in the database. Returns false on failure; the next call then stores them.
   */
  flush(): Promise<boolean>
}

/**
 * Returns the state of a token at `now`: revoked once it was revoked, else expired from `expiresAt` on, else active.
 */
export function tokenState(token: Pick<TokenRecord, 'expiresAt' | 'revokedAt'>, now: number): TokenState {
  if (token.revokedAt !== null) return 'revoked'
  return token.expiresAt !== null && token.expiresAt <= now ? 'expired' : 'active'
}

/** The characters of which the secrets of API tokens consist after the prefix. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'dbk_'
/** The number of random characters in the secret of an API token. */
export const secretLength = 34
const checksumLength = 6
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** Returns the secret of an API token for 34 random base62 characters: prefix, random part and checksum. */
export function tokenSecret(random: string): string {
  return prefix + random + checksum(prefix + random)
}

/**
 * Whether a string has the form and the checksum of an API token's secret. Typing errors and most guesses are thus
 * rejected without a query.
 */
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

// CRC-32 as in zip and PNG. Secrets are ASCII, so one character is one byte.
function crc32(text: string): number {
  let value = 0xffffffff
  for (let at = 0; at < text.length; at++) {
    value = (value >>> 8) ^ (crcTable[(value ^ text.charCodeAt(at)) & 0xff] ?? 0)
  }
  return (value ^ 0xffffffff) >>> 0
}
