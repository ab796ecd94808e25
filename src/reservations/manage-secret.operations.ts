import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Database } from '../db/database.ts'
import type { Reservation } from './reservation.ts'
import { findReservation } from './reservations.sql.ts'

type LinkSecret = Pick<Catalogue, 'linkSecret'>

/** The parts of a reservation that the links of its customer contain. */
type Linked = Pick<Reservation, 'id' | 'linkVersion'>

/**
 * Returns the path of the page on which a customer manages a reservation; it contains the secret that opens the page.
 */
export function managePath(catalogue: LinkSecret, of: Linked): string {
  return `/manage/${manageSecret(catalogue, of)}/`
}

/** Returns the secret in `managePath`. */
export function manageSecret({ linkSecret }: LinkSecret, of: Linked): string {
  return `${of.id}.${sign(linkSecret, 'manage', of)}`
}

/** Returns the path of the page on which a customer confirms the e-mail address; the path contains a secret. */
export function verifyPath(catalogue: LinkSecret, of: Linked): string {
  return `/manage/verify/${of.id}.${sign(catalogue.linkSecret, 'verify-email', of)}/`
}

/**
 * Returns the reservation that a secret opens on the page on which customers manage reservations. Undefined for any
 * other text, and for the secret of a customer whose reservation was given to another customer.
 */
export function openManageSecret(db: Database, catalogue: LinkSecret, text: string): Promise<Reservation | undefined> {
  return opened(db, catalogue, 'manage', text)
}

/**
 * Returns the reservation whose e-mail address a secret confirms. Undefined for any other text, and for the secret of a
 * customer whose reservation was given to another customer.
 */
export function openVerifySecret(db: Database, catalogue: LinkSecret, text: string): Promise<Reservation | undefined> {
  return opened(db, catalogue, 'verify-email', text)
}

type Purpose = 'manage' | 'verify-email'

async function opened(
  db: Database,
  catalogue: LinkSecret,
  purpose: Purpose,
  text: string,
): Promise<Reservation | undefined> {
  const [id = '', signature = '', ...more] = text.split('.')
  const found = more.length > 0 ? undefined : await findReservation(db, id)
  return found && isSame(sign(catalogue.linkSecret, purpose, found), signature) ? found : undefined
}

function sign(secret: string, purpose: Purpose, { id, linkVersion }: Linked): string {
  // Links that were sent before reservations had this number do not contain it.
  const version = linkVersion === 0 ? '' : `\n${linkVersion}`
  return createHmac('sha256', secret).update(`${purpose}\n${id}${version}`).digest('base64url').slice(0, 32)
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
