import { type Appearance, logoFormatOfId } from '../../catalogue/site/appearance.ts'
import { type Content, html } from '../../html.ts'
import type { Locale } from '../templates/template.ts'

/** The sender of a message as its layout shows it. */
export interface Brand {
  readonly name: string
  readonly color: string | null
  /** The URL of the logo; undefined when the message shows none. */
  readonly logoUrl: string | undefined
}

/**
 * Returns the name, colour and logo that messages of a site show. `logoUrl` is the URL of the site's logos, to which
 * the id of the logo is appended.
 */
export function brandOf(
  { name, appearance: { color, logo } }: { readonly name: string; readonly appearance: Appearance },
  logoUrl: string,
): Brand {
  // Mail programs do not show SVG images, so messages of a site with an SVG logo show only its name.
  const shown = logo !== null && logoFormatOfId(logo) !== 'svg'
  return { name, color, logoUrl: shown ? `${logoUrl}${logo}` : undefined }
}

/** A link with its text. */
export interface Link {
  readonly text: string
  readonly url: string
}

/** The content of a message, which `layout` renders as HTML. */
export interface MailContent {
  readonly locale: Locale
  readonly subject: string
  readonly site: Brand
  readonly paragraphs: readonly string[]
  readonly details: readonly (readonly [string, string])[]
  /** The URL of a link on a line of its own, after the first paragraph; absent when the message has no such link. */
  readonly link?: string
  /** A link below the details of the message; absent when the message has no such link. */
  readonly action?: Link
  /** More links, each on a line of its own below `action`. */
  readonly links?: readonly Link[]
  /** Small text at the end of the message; `''` when the message has no such text. */
  readonly note: string
  readonly footer?: Link
}

/**
 * Returns a message as HTML, with its texts escaped. Styles are attributes, since many mail programs ignore style
 * sheets; only the colours for dark mode are in a style sheet.
 */
export function layout({
  locale,
  subject,
  site,
  paragraphs,
  details,
  link,
  action,
  links = [],
  note,
  footer,
}: MailContent): string {
  const rows = details.map(
    ([name, value]) =>
      html`<tr><th scope="row" style="padding:4px 16px 4px 0;text-align:left;font-weight:600;vertical-align:top;white-space:nowrap">${name}</th><td style="padding:4px 0;vertical-align:top">${value}</td></tr>`,
  )
  const texts = paragraphs.map((text) => html`<p style="margin:0 0 16px">${lines(text)}</p>\n`)
  if (link !== undefined) texts.splice(1, 0, html`<p style="margin:0 0 16px"><a href="${link}">${link}</a></p>\n`)
  const { name, color, logoUrl } = site
  const band = color === null ? '' : `border-top:6px solid ${color};`
  const head =
    logoUrl === undefined
      ? name
      : html`<img src="${logoUrl}" alt="${name}" style="display:block;max-height:56px;max-width:240px;padding:4px;border-radius:4px;background:#ffffff">`
  const button =
    action && html`<p style="margin:0 0 16px"><a href="${action.url}" style="font-weight:600">${action.text}</a></p>\n`
  const more = links.map(({ text, url }) => html`<p style="margin:0 0 16px"><a href="${url}">${text}</a></p>\n`)
  const table = rows.length > 0 && html`<table style="border-collapse:collapse;margin:0 0 16px">${rows}</table>\n`
  const end = footer && html`<br><a href="${footer.url}">${footer.text}</a>`
  const small = (note !== '' || footer) && html`<p style="margin:0;font-size:13px">${note}${end}</p>\n`
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${subject}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){body,.card{background:#1a1b1e!important;color:#e9ecef!important}a{color:#74c0fc!important}}</style>
</head><body style="margin:0;padding:24px 12px;background:#f1f3f5;color:#212529;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div class="card" style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;overflow-wrap:anywhere;${band}border-radius:8px">
<p style="margin:0 0 16px;font-weight:700">${head}</p>
${texts}${table}${button}${more}${small}</div></body></html>
`.text
}

function lines(text: string): Content {
  return text.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`))
}
