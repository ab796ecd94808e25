import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { acceptedSecrets, type Catalogue, type SiteSecrets } from '../../catalogue/catalogue.ts'
import { isEmail } from '../../customers/customer-email.ts'
import { encrypt, findDecrypted, type KeyRing } from '../../encryption.ts'

/**
 * A visitor who is signed in to the host site (the owner's website), according to a token that the host site signed.
 */
export interface HostVisitor {
  /** The id of the visitor's account on the host site. */
  readonly id: number
  readonly name: string
  readonly email: string
}

/**
 * A token of the host site is accepted only if it expires within this many seconds, with a tolerance of `clockSkew`.
 */
const tokenSeconds = 600
/** Seconds by which the clock of the host site may differ from that of this server. */
const clockSkew = 60
/** Seconds within which a visitor must finish a booking after a token of the host site was accepted. */
const ticketSeconds = 3_600
const maxName = 200

/** Returns a new random secret with which the host site signs tokens. */
export function newHostSecret(): string {
  return `dbh_${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the visitor in a JSON Web Token that the host site signed with HMAC-SHA-256. Returns undefined when the
 * signature is wrong, when the token has expired, expires in more than ten minutes or is not valid yet (all with a
 * tolerance of `clockSkew`), or when it has no valid user id. The signature is verified before the token is parsed.
 */
export async function readHostToken(secret: string, token: string, now: number): Promise<HostVisitor | undefined> {
  const [head = '', body = '', signature = '', ...more] = token.split('.')
  const own = createHmac('sha256', secret).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (more.length > 0 || own.length !== given.length || !timingSafeEqual(own, given)) return undefined
  const { alg } = await decoded(head)
  const { sub, name, email, exp, nbf } = await decoded(body)
  const id = Number(sub)
  const lives = typeof exp === 'number' && exp > now - clockSkew && exp <= now + tokenSeconds + clockSkew
  const hasBegun = nbf === undefined || (typeof nbf === 'number' && nbf <= now + clockSkew)
  if (alg !== 'HS256' || !lives || !hasBegun || !Number.isSafeInteger(id) || id < 1) return undefined
  const address = typeof email === 'string' && isEmail(email) ? email : ''
  return { id, name: typeof name === 'string' ? name.slice(0, maxName) : '', email: address }
}

/** Returns the members of the JSON object in a part of a token; an empty object when the part is not a JSON object. */
function decoded(part: string): Promise<Readonly<Record<string, unknown>>> {
  return parsed(Buffer.from(part, 'base64url').toString()).then(
    (value) => (typeof value === 'object' && value !== null ? { ...value } : {}),
    () => ({}),
  )
}

async function parsed(text: string): Promise<unknown> {
  return JSON.parse(text)
}

const place = 'booking-page:host-visitor'

/**
 * Encrypts the data of a visitor that the host site identified, for use in the links and forms of the booking page, so
 * that these contain no personal data in plain text.
 */
export function sealVisitor({ secret }: Catalogue, visitor: HostVisitor, now: number): string {
  return encrypt([keyOf(secret)], JSON.stringify({ ...visitor, until: now + ticketSeconds }), place)
}

/**
 * Decrypts the text that `sealVisitor` returned; returns undefined for any other text, and for a text that is an hour
 * old or older.
 */
export function openVisitor(site: SiteSecrets, sealed: string, now: number): HostVisitor | undefined {
  const [current, ...previous] = acceptedSecrets(site, now)
  const ring: KeyRing = [keyOf(current), ...previous.map(keyOf)]
  const text = findDecrypted(ring, sealed, place)
  if (text === undefined) return undefined
  const { until, ...visitor } = JSON.parse(text) as HostVisitor & { readonly until: number }
  return until > now ? visitor : undefined
}

function keyOf(secret: string): Uint8Array {
  return createHmac('sha256', secret).update(place).digest()
}
