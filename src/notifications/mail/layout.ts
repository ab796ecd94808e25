import { escapeHtml } from '../templates/escape-html.ts'
import type { Locale } from '../templates/template.ts'

/** The content of a message. */
export interface Page {
  readonly locale: Locale
  readonly subject: string
  readonly site: string
  readonly paragraphs: readonly string[]
  readonly details: readonly (readonly [string, string])[]
  /** A link on a line of its own, after the first paragraph. */
  readonly link?: string
  readonly note: string
  readonly footer?: { readonly text: string; readonly url: string }
}

/**
 * A message as HTML, with its texts escaped. Mail programs know no style sheets: styles stand in attributes, except for
 * what dark screens change.
 */
export function layout({ locale, subject, site, paragraphs, details, link, note, footer }: Page): string {
  const rows = details.map(
    ([name, value]) =>
      `<tr><th scope="row" style="padding:4px 16px 4px 0;text-align:left;font-weight:600;vertical-align:top">${escapeHtml(name)}</th><td style="padding:4px 0">${escapeHtml(value)}</td></tr>`,
  )
  const texts = paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`)
  if (link !== undefined)
    texts.splice(1, 0, `<p style="margin:0 0 16px"><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`)
  const end = footer ? `<br><a href="${escapeHtml(footer.url)}">${escapeHtml(footer.text)}</a>` : ''
  return `<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){body,.card{background:#1a1b1e!important;color:#e9ecef!important}a{color:#74c0fc!important}}</style>
</head><body style="margin:0;padding:24px 12px;background:#f1f3f5;color:#212529;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div class="card" style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">
<p style="margin:0 0 16px;font-weight:700">${escapeHtml(site)}</p>
${texts.join('\n')}
<table style="border-collapse:collapse;margin:0 0 16px">${rows.join('')}</table>
<p style="margin:0;font-size:13px">${escapeHtml(note)}${end}</p>
</div></body></html>
`
}
