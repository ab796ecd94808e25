import { createHmac, timingSafeEqual } from 'node:crypto'
import { acceptedSecrets, type Catalogue, type SiteSecrets } from '../catalogue/catalogue.ts'

/**
 * Returns the path of the page on which a customer manages a reservation; it contains the secret that opens the page.
 */
export function managePath(catalogue: Pick<Catalogue, 'secret'>, reservationId: string): string {
  return `/manage/${reservationId}.${sign(catalogue.secret, 'manage', reservationId)}/`
}

/** Returns the path of the page on which a customer confirms the e-mail address; the path contains a secret. */
export function verifyPath(catalogue: Pick<Catalogue, 'secret'>, reservationId: string): string {
  return `/manage/verify/${reservationId}.${sign(catalogue.secret, 'verify-email', reservationId)}/`
}

/**
 * Returns the id of the reservation that a secret opens on the page on which customers manage reservations; undefined
 * for any other text.
 */
export function openManageSecret(site: SiteSecrets, text: string): string | undefined {
  return opened(site, 'manage', text)
}

/** Returns the id of the reservation whose e-mail address a secret confirms; undefined for any other text. */
export function openVerifySecret(site: SiteSecrets, text: string): string | undefined {
  return opened(site, 'verify-email', text)
}

type Purpose = 'manage' | 'verify-email'

function opened(site: SiteSecrets, purpose: Purpose, text: string): string | undefined {
  const [id = '', signature = '', ...more] = text.split('.')
  if (more.length > 0) return undefined
  return acceptedSecrets(site).some((one) => isSame(sign(one, purpose, id), signature)) ? id : undefined
}

function sign(secret: string, purpose: Purpose, reservationId: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${reservationId}`).digest('base64url').slice(0, 32)
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
