import { createHmac } from 'node:crypto'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import { encrypt, findDecrypted } from '../../encryption.ts'
import type { PageSettings } from '../settings.ts'

/** What a preview shows of settings that are not saved. */
export type PreviewSettings = Partial<Pick<PageSettings, 'radius' | 'scheme' | 'font' | 'intro' | 'texts'>>

const place = 'booking-page:preview'
const previewSeconds = 900

/** The longest sealed preview: it is part of an address. */
export const maxPreviewLength = 3_500

/** Returns settings that are not saved as a parameter of the page, which nobody else can make. */
export function sealPreview({ secret }: Pick<Catalogue, 'secret'>, settings: PreviewSettings, now: number): string {
  return encrypt([keyOf(secret)], JSON.stringify({ settings, until: now + previewSeconds }), place)
}

/** Returns the settings of `sealPreview` within a quarter of an hour; undefined for any other text. */
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
