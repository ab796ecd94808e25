import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Catalogue } from '../catalogue/catalogue.ts'

/** Returns the path of the page on which a customer manages a reservation; the path contains its secret. */
export function managePath(catalogue: Pick<Catalogue, 'secret'>, reservationId: string): string {
  return `/manage/${reservationId}.${sign(catalogue.secret, reservationId)}/`
}

/** Returns the id of the reservation that the secret of a manage page opens; undefined for any other text. */
export function openManageSecret(
  { secret, previousSecret }: Pick<Catalogue, 'secret' | 'previousSecret'>,
  text: string,
): string | undefined {
  const [id = '', signature = '', ...more] = text.split('.')
  if (more.length > 0) return undefined
  const secrets = [secret, ...(previousSecret ? [previousSecret.secret] : [])]
  return secrets.some((one) => isSame(sign(one, id), signature)) ? id : undefined
}

function sign(secret: string, reservationId: string): string {
  return createHmac('sha256', secret).update(`manage\n${reservationId}`).digest('base64url').slice(0, 32)
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
