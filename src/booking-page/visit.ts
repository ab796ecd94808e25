import { hyphenated } from '../messages/language-tag.ts'
import type { ReservationSource } from '../reservations/reservation.ts'
import { parseDate } from '../scheduling/time/date.ts'
import { isZone } from '../scheduling/time/zone.ts'
import { type Month, monthOf, parseMonth } from './calendar.ts'
import { type PageLanguages, pageLocale } from './words/words.ts'

/**
 * A visit of the booking page: the choices that the visitor has made so far, or their defaults, without the service and
 * the entered details. URLs and hidden fields contain the choices; cookies do not.
 */
export interface Visit {
  readonly locale: string
  /** The visitor's language tag, with a region if known, by which dates and amounts are formatted, such as `en-US`. */
  readonly tag: string
  readonly zone: string
  /**
   * The query parameters that links of the page repeat: those with which the page was opened, such as `embed`, and the
   * visitor's choices except the month and the date. Values that are mere defaults are not included.
   */
  readonly chosen: Readonly<Record<string, string>>
  /** The id of the provider that the visitor chose, or `any`; undefined before the choice. */
  readonly provider: number | 'any' | undefined
  readonly month: Month | undefined
  readonly date: string | undefined
  readonly seats: number
  /** Whether the booking page is embedded in another site. */
  readonly embedded: boolean
  readonly source: ReservationSource
  /** The secret of the private link with which the visitor opened the page; undefined if there is none. */
  readonly link: string | undefined
  /**
   * The visitor as the host site (the owner's website) identified them, encrypted by `sealVisitor`; undefined if there
   * is none.
   */
  readonly visitor: string | undefined
  /** The encrypted settings of a preview in the panel, as `sealPreview` returns them; undefined if there is none. */
  readonly preview: string | undefined
}

/**
 * The values that `readVisit` uses for missing parameters, and the limits that it applies. The values are those of the
 * request and the site; on the page on which a customer manages a reservation, the customer's language and time zone
 * are used instead.
 */
export interface VisitDefaults {
  readonly acceptLanguage: string
  /** The host name of the linking page if it belongs to another site; otherwise empty. */
  readonly referrer: string
  readonly siteLanguage: string
  readonly siteZone: string
  readonly maxSeats: number
  readonly languages: PageLanguages
}

const campaign = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
const maxSourceLength = 100

/** Reads a visit from query parameters or form fields; malformed values are ignored. */
export function readVisit(sent: URLSearchParams, defaults: VisitDefaults): Visit {
  const lang = pageLocale(sent.get('lang') ?? '', defaults.languages)
  const { locale, tag } = languageOf(lang, defaults)
  const zone = sent.get('zone') ?? ''
  const hasZone = zone.length <= 100 && zone !== '' && isZone(zone)
  const sentDate = sent.get('date') ?? ''
  const date = parseDate(sentDate) !== undefined && parseMonth(monthOf(sentDate)) ? sentDate : undefined
  const seats = Math.min(Math.max(Math.trunc(Number(sent.get('seats'))) || 1, 1), defaults.maxSeats)
  const embedded = sent.get('embed') === '1'
  const source = sourceOf(sent, defaults.referrer)
  const provider = providerOf(sent.get('with') ?? '')
  const preview = /^v1\.[\w-]{40,3500}$/.exec(sent.get('preview') ?? '')?.[0]
  const visitor = /^v1\.[\w-]{40,1500}$/.exec(sent.get('as') ?? '')?.[0]
  const link = /^[\w-]{43}$/.exec(sent.get('link') ?? '')?.[0]
  const { page: _, ...links } = source
  return {
    locale,
    tag,
    zone: hasZone ? zone : defaults.siteZone,
    chosen: {
      ...(lang && { lang }),
      ...(hasZone && { zone }),
      ...(provider !== undefined && { with: String(provider) }),
      ...(seats > 1 && { seats: String(seats) }),
      ...(embedded && { embed: '1' }),
      ...(link !== undefined && { link }),
      ...(visitor !== undefined && { as: visitor }),
      ...(preview !== undefined && { preview }),
      ...links,
    },
    provider,
    month: parseMonth(sent.get('month') ?? '') ?? (date && monthOf(date)),
    date,
    seats,
    embedded,
    source,
    link,
    visitor,
    preview,
  }
}

/** Returns a URL with the parameters in `chosen`, as changed by `change`; an empty value removes a parameter. */
export function visitUrl(path: string, { chosen }: Visit, change: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...chosen, ...change })) if (value !== '') parameters.set(name, value)
  const query = parameters.toString()
  return query === '' ? path : `${path}?${query}`
}

function providerOf(text: string): Visit['provider'] {
  if (text === 'any') return 'any'
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

function sourceOf(sent: URLSearchParams, referrer: string): ReservationSource {
  const entries = campaign.flatMap((name) => {
    const value = plain(sent.get(name) ?? '')
    return value === '' ? [] : [[name, value] as const]
  })
  const from = hostName(sent.get('referrer') ?? '') || hostName(referrer)
  return { page: 'booking', ...(from && { referrer: from }), ...Object.fromEntries(entries) }
}

function plain(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, maxSourceLength)
}

function hostName(text: string): string {
  return /^[a-z0-9.-]{1,253}$/i.test(text) ? text.toLowerCase() : ''
}

function languageOf(lang: string | undefined, { acceptLanguage, siteLanguage, languages }: VisitDefaults) {
  const accepted = acceptLanguage
    .slice(0, 200)
    .split(',')
    .map((part) => hyphenated(part.split(';')[0]?.trim() ?? ''))
  const localeOf = (tag: string) => pageLocale(tag, languages)
  const site = localeOf(siteLanguage) ?? 'en'
  const locale = lang ?? accepted.map(localeOf).find((one) => one !== undefined) ?? site
  const tag = [...accepted, hyphenated(siteLanguage)].find(
    (one) => localeOf(one) === locale && /^[a-z]{2}(-[A-Za-z]{2})?$/.test(one),
  )
  return { locale, tag: tag ?? (locale === 'en' ? 'en-GB' : locale) }
}
