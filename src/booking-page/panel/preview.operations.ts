import { createHmac } from 'node:crypto'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { encrypt, findDecrypted } from '../../encryption.ts'
import type { PageSettings } from '../settings.ts'

/** Unsaved settings of the booking page that a preview in the panel shows. */
export type PreviewSettings = Partial<Pick<PageSettings, 'radius' | 'scheme' | 'font' | 'intro' | 'texts'>>

const place = 'booking-page:preview'
const previewSeconds = 900

/** The maximum length of an encrypted preview in characters, since it is part of a URL. */
export const maxPreviewLength = 3_500

/**
 * Returns unsaved settings in encrypted form for a query parameter, valid for 15 minutes; only an installation that
 * knows the site's secret can create the encrypted text.
 */
export function sealPreview({ secret }: Pick<Catalogue, 'secret'>, settings: PreviewSettings, now: number): string {
  return encrypt([keyOf(secret)], JSON.stringify({ settings, until: now + previewSeconds }), place)
}

/**
 * Decrypts the text that `sealPreview` returned; returns undefined for any other text, and for a text that is 15
 * minutes old or older.
 */
export function openPreview(
  { secret }: Pick<Catalogue, 'secret'>,
  sealed: string,
  now: number,
): PreviewSettings | undefined {
  const text = findDecrypted([keyOf(secret)], sealed, place)
  if (text === undefined) return undefined
  const { settings, until } = JSON.parse(text) as { readonly settings: PreviewSettings; readonly until: number }
  return until > now ? settings : undefined
}

function keyOf(secret: string): Uint8Array {
  return createHmac('sha256', secret).update(place).digest()
}
