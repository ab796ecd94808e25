import { type Message, message } from '../../messages/message.ts'

/** The appearance of the site in mail and on pages for customers. */
export interface Appearance {
  /** The site's brand colour as `#rrggbb`; null for none. */
  readonly color: string | null
  /** The id of the site's logo, which ends in the file extension of its format; null for none. */
  readonly logo: string | null
}

/** The appearance of a new site: neither a colour nor a logo. */
export const defaultAppearance: Appearance = { color: null, logo: null }

/** The path and the beginning of the query under which a logo is served; the id of the logo follows. */
export const logoPath = '/site-logo/?id='

/** The maximum size of a logo in bytes; it is small because messages and pages load the logo. */
export const maxLogoBytes = 65_536

/** The formats of a logo by their file extensions, with their media types. */
export const logoFormats = { png: 'image/png', jpg: 'image/jpeg', svg: 'image/svg+xml' } as const

/** The format of a logo, by its file extension. */
export type LogoFormat = keyof typeof logoFormats

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const jpeg = [0xff, 0xd8, 0xff]
const svgStart = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<svg[\s>]/s

/** Returns the format of a logo file, detected by its content; undefined for a file in any other format. */
export function logoFormatOf(bytes: Uint8Array): LogoFormat | undefined {
  if (png.every((byte, at) => bytes[at] === byte)) return 'png'
  if (jpeg.every((byte, at) => bytes[at] === byte)) return 'jpg'
  return svgStart.test(new TextDecoder().decode(bytes)) ? 'svg' : undefined
}

/** Returns the format of a logo by its id; undefined for a text that is not the id of a logo. */
export function logoFormatOfId(id: string): LogoFormat | undefined {
  const extension = /^[0-9a-f]{32}\.(png|jpg|svg)$/.exec(id)?.[1]
  return extension === 'png' || extension === 'jpg' || extension === 'svg' ? extension : undefined
}

// The minimum contrast of the brand colour with white: WCAG 2.2 requires 3 for meaningful graphics.
const leastContrast = 3

/** Returns what is wrong with a brand colour whose contrast with white is too low; undefined for any other. */
export function contrastFault(color: string | null | undefined): Message | undefined {
  if (!color) return undefined
  const ratio = contrast(color, '#ffffff')
  if (ratio >= leastContrast) return undefined
  return message('color_contrast', { ratio: Math.floor(ratio * 10) / 10, least: leastContrast })
}

/**
 * Returns the text colour, black or white, that is easier to read on a background colour; its contrast is at least 4.5.
 */
export function textColorOn(color: string): '#000000' | '#ffffff' {
  return contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000000' : '#ffffff'
}

/** Returns the contrast of two colours (`#rrggbb`) by WCAG 2.2: from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
