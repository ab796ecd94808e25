import { html } from '../../html.ts'
import { builtInLanguages, type PageLanguage } from '../words/words.ts'

const reload = html`<meta http-equiv="refresh" content="2">`

/**
 * The pages that visitors see when a request of a page is not served, by status, in all languages, since they are sent
 * without looking at the request or at the database. After 503 a page that was read loads itself again in two seconds; a
 * form must be sent again by the visitor, since a reload would lose what was entered.
 */
const pages = {
  GET: { 429: page('tooMany'), 500: page('failed'), 503: page('busy', reload) },
  POST: { 429: page('tooMany'), 500: page('failed'), 503: page('busy') },
} as const

/** Returns the configuration of a route of the booking page, such as `GET /book/`: open to all, with pages as errors. */
export function pageRoute(row: `${'GET' | 'POST'} ${string}`) {
  return { config: { row, open: true, errorPages: row.startsWith('GET ') ? pages.GET : pages.POST } }
}

function page(text: keyof PageLanguage['words'] & ('tooMany' | 'failed' | 'busy'), head = html``): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">${head}
<title>${text === 'busy' ? '503' : 'Error'}</title></head><body>${[...builtInLanguages].map(([locale, { words }]) => html`<p lang="${locale}">${words[text]}</p>`)}</body></html>
`.text
}
