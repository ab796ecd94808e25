import { html } from '../../html.ts'
import { builtInLanguages, type PageLanguage } from '../words/words.ts'

const reload = html`<meta http-equiv="refresh" content="2">`

/**
 * The error pages of the booking page by status, in every built-in language, because they are sent without reading the
 * request or the database. With status 503, a page that was requested with GET reloads after two seconds. A form must
 * be sent again by the visitor, because a reload would lose the entered values.
 */
const pages = {
  GET: { 429: page('tooMany'), 500: page('failed'), 503: page('busy', reload) },
  POST: { 413: page('tooLong'), 429: page('tooMany'), 500: page('failed'), 503: page('busy') },
} as const

/**
 * Returns the configuration of a route of the booking page, such as `GET /book/`: no sign-in is required, and errors
 * are sent as pages.
 */
export function pageRoute(row: `${'GET' | 'POST'} ${string}`) {
  return { config: { row, open: true, errorPages: row.startsWith('GET ') ? pages.GET : pages.POST } }
}

/** Returns the configuration of a page whose path has no secret: that of `pageRoute`, with `HEAD` answered like `GET`. */
export function publicPageRoute(row: `GET ${string}`) {
  return { ...pageRoute(row), exposeHeadRoute: true }
}

function page(text: keyof PageLanguage['words'] & ('tooLong' | 'tooMany' | 'failed' | 'busy'), head = html``): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">${head}
<title>${text === 'busy' ? '503' : 'Error'}</title></head><body>${[...builtInLanguages].map(([locale, { words }]) => html`<p lang="${locale}">${words[text]}</p>`)}</body></html>
`.text
}
