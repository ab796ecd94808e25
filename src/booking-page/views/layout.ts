import { logoPath } from '../../catalogue/site/appearance.ts'
import type { Site } from '../../catalogue/site/site.ts'
import { type Content, Html, html } from '../../html.ts'
import type { PageSettings } from '../settings.ts'
import { type Visit, visitUrl } from '../visit.ts'
import { en, type Words } from '../words/en.ts'
import { withOwnTexts } from '../words/own-texts.ts'
import type { PageLanguage, PageLanguages } from '../words/words.ts'
import { type Formats, formatsFor } from './format.ts'

/** The data that every page of the booking page needs. */
export interface View {
  readonly site: Site
  readonly settings: PageSettings
  readonly visit: Visit
  readonly languages: PageLanguages
  readonly direction: PageLanguage['direction']
  readonly words: Words
  readonly formats: Formats
  /** The path of the page's URL, without the query. */
  readonly path: string
  /** The public origin of this installation, such as `https://book.example`. */
  readonly origin: string
  readonly now: number
  /** Whether the page has a link to "My bookings"; false when absent. */
  readonly offersBookings?: boolean
}

/** Returns the data that the page at a path needs, with the texts and formats of the visitor's language. */
export function viewFor(from: Omit<View, 'words' | 'direction' | 'formats'>): View {
  const { languages, visit } = from
  const { words: general, direction } = languages.get(visit.locale) ?? { words: en, direction: 'ltr' }
  const words = withOwnTexts(general, from.settings.texts, visit.locale)
  return { ...from, words, direction, formats: formatsFor(visit) }
}

/** The content of one page, which `renderPage` completes to a document. */
export interface Page {
  readonly title: string
  readonly description?: string
  readonly body: Content
  /** The canonical URL of the page for search engines; absent for pages that search engines must not list. */
  readonly canonical?: string
  /** A description of the service and its price for search engines, as JSON-LD; absent if there is none. */
  readonly offer?: Readonly<Record<string, unknown>>
  /** The URL of the picture that other sites show with a link to the page; when absent, a general one is used. */
  readonly image?: string
  /** Whether the page contains a proof-of-work challenge and needs the script that solves it. */
  readonly proof?: boolean
}

/** The style sheet and the script that every page contains. */
export interface PageParts {
  readonly style: string
  /** The URL of the booking page's script, with a hash of its content. */
  readonly script: string
}

/** Returns the complete HTML document of a page. */
export function renderPage(
  view: View,
  { title, description, body, canonical, offer, image, proof }: Page,
  parts: PageParts,
): string {
  const { site, settings, visit, words, direction } = view
  const { locale, embedded } = visit
  const listed = canonical !== undefined && settings.indexed
  return html`<!doctype html>
<html lang="${locale}"${direction === 'rtl' && new Html(' dir="rtl"')}${embedded && new Html(' class="embed"')}><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>${title} · ${site.name}</title>
${description && html`<meta name="description" content="${description}">`}
${listed ? html`<link rel="canonical" href="${canonical}">` : html`<meta name="robots" content="noindex">`}
<meta property="og:title" content="${title} · ${site.name}"><meta property="og:type" content="website">
<meta property="og:image" content="${image ?? `${view.origin}/book/-/preview.png`}">
${description && html`<meta property="og:description" content="${description}">`}
<link rel="icon" href="data:,"><style>${new Html(parts.style)}</style>
${offer && html`<script type="application/ld+json">${new Html(jsonInHtml(offer))}</script>`}
${proof && html`<script src="/book/-/proof.js" defer></script>`}<script src="${parts.script}" defer></script></head>
<body><a class="skip" href="#main">${words.skip}</a><div class="wrap">
${!embedded && header(view)}
<main id="main" tabindex="-1">${body}</main></div></body></html>
`.text
}

function header({ site, visit, path, words, languages }: View): Html {
  const logo = site.appearance.logo && logoPath + site.appearance.logo
  const others = [...languages].filter(([locale]) => locale !== visit.locale)
  return html`<header class="site"><a href="${visitUrl('/book/', visit, { with: '', seats: '' })}">${logo ? html`<img src="${logo}" alt="${site.name}">` : site.name}</a>
<nav class="langs" aria-label="${words.language}">${others.map(
    ([locale, { name }]) =>
      html`<a href="${visitUrl(path, visit, { lang: locale })}" lang="${locale}" hreflang="${locale}">${name}</a>`,
  )}</nav></header>`
}

/** Serialises a value as JSON that can be embedded in HTML: it cannot end the element that contains it. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

/** Returns hidden fields with the visitor's choices and additional entries. */
export function hiddenFields({ visit }: View, more: Iterable<readonly [string, string]> = []): Html {
  const entries = [...Object.entries(visit.chosen), ...more]
  return html`${entries.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`
}

/** Returns a page with a heading, a sentence and a link to the start page; `title` and `text` are keys of `words`. */
export function messagePage({ words, visit }: View, title: keyof Words, text: keyof Words): Page {
  const body = html`<h1>${words[title]}</h1><p>${words[text]}</p><p><a href="${visitUrl('/book/', visit)}">${words.toStart}</a></p>`
  return { title: words[title], body }
}
