import { createHash } from 'node:crypto'
import type { Operation } from '../../db/perform/app.ts'
import { message } from '../../messages/message.ts'
import { wrongFields } from '../../messages/refusal.ts'
import { logoFormatOf, maxLogoBytes } from './appearance.ts'
import { insertLogo } from './logo.sql.ts'
import { editSite } from './site.operations.ts'

/**
 * Stores a logo and makes it the site's logo. Earlier logos stay stored, since sent messages link to them and an undo
 * can restore them.
 */
export const setLogo: Operation<{ readonly content: string }, Record<never, never>> = async (tx, { content }) => {
  const bytes = Buffer.from(content, 'base64')
  const format = logoFormatOf(bytes)
  if (bytes.length > maxLogoBytes || !format) {
    const kilobytes = maxLogoBytes / 1_024
    throw wrongFields({ content: format ? message('logo_too_large', { kilobytes }) : message('logo_format') })
  }
  const logo = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${format}`
  await tx.lock(['catalogue!'])
  await insertLogo(tx.db, logo, bytes, tx.now)
  return editSite(tx, { appearance: { logo } })
}
