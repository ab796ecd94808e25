import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { acceptedSecrets, type Catalogue, formSeconds, type SiteSecrets } from '../catalogue/catalogue.ts'
import { networkOf } from '../http/network.ts'

/**
 * Seconds by which the time in a form may lie in the future, because clocks of servers differ or a clock was set back.
 */
const clockSkew = 300

/**
 * Returns the secret of a new form of the booking page: the time, 16 random bytes, and a signature, so that only forms
 * issued by this installation are accepted.
 */
export function newFormSecret({ secret }: Catalogue, now: number): string {
  const text = `${now.toString(36)}.${randomBytes(16).toString('base64url')}`
  return `${text}.${sign(secret, 'booking-form', text)}`
}

/**
 * Whether the secret of a form has a valid signature and contains a time that is less than 24 hours ago or at most
 * `clockSkew` seconds in the future. Secrets signed with the previous site secret are accepted as well.
 */
export function isFormSecret(site: SiteSecrets, form: string, now: number): boolean {
  const [issued = '', random = '', signature = '', ...more] = form.split('.')
  const age = now - Number.parseInt(issued, 36)
  if (more.length > 0 || !(age >= -clockSkew && age < formSeconds)) return false
  const text = `${issued}.${random}`
  return acceptedSecrets(site, now).some((one) => isSame(sign(one, 'booking-form', text), signature))
}

/** Returns a new random secret for a link or a cookie, with 256 bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 hash under which the secret of a link or a cookie is stored. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/**
 * Returns the CSRF token of the forms on the manage page or on the page "My bookings"; other sites cannot know the
 * token.
 */
export function ownFormToken({ secret }: Pick<Catalogue, 'secret'>, pageSecret: string): string {
  return sign(secret, 'manage-form', pageSecret)
}

/**
 * Whether a form that was posted from the manage page or from "My bookings" contains the CSRF token of `ownFormToken`;
 * a token derived from the previous site secret is accepted for a day after the rotation.
 */
export function isOwnFormToken(site: SiteSecrets, pageSecret: string, given: string, now: number): boolean {
  return acceptedSecrets(site, now).some((one) => isSame(ownFormToken({ secret: one }, pageSecret), given))
}

/**
 * Returns the hash of a form's secret, by which the form's hold (temporary reservation of a time) and booking are
 * found.
 */
export function hashForm(form: string): string {
  return createHash('sha256').update(form).digest('base64url')
}

/**
 * Returns a keyed hash of a client address, by which the holds (temporary reservations) of each client are counted; for
 * an IPv6 address, the hash covers only the first 64 bits.
 */
export function hashAddress({ secret }: Catalogue, address: string): string {
  return sign(secret, 'booking-address', networkOf(address))
}

function sign(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url').slice(0, 32)
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
