import { primaryLanguage } from '../messages/language-tag.ts'
import type { PageFont } from './views/fonts.ts'
import type { OwnTexts } from './words/own-texts.ts'

/**
 * A text in several languages, by language tag (BCP 47). For a missing language, `localText` returns the text in the
 * site's language, or else in any language.
 */
export type LocalText = Readonly<Partial<Record<string, string>>>

/** Whether the booking page asks customers for a value, and whether the value is required. */
export type Wish = 'none' | 'optional' | 'required'

/**
 * Who can book a service on the booking page: every visitor, visitors who know its URL, visitors who have a private
 * link, users of the host site (the owner's website), or no visitor.
 */
export type Access = 'listed' | 'unlisted' | 'link' | 'host' | 'closed'

/** The settings of the booking page. */
export interface PageSettings {
  readonly enabled: boolean
  /** The radius of the corners of boxes and buttons on the booking page, in pixels. */
  readonly radius: number
  readonly scheme: 'auto' | 'light' | 'dark'
  readonly font: PageFont
  /** The site's own texts, which replace the standard texts of the page. */
  readonly texts: OwnTexts
  /** A text that the booking page shows above the list of services; empty for none. */
  readonly intro: LocalText
  readonly phone: Wish
  /** A statement that customers must agree to before they book; empty for none. */
  readonly consent: LocalText
  /** The URL of the terms that customers must accept before they book; empty for none. */
  readonly termsUrl: string
  /** The origins of sites that may embed the booking page; when empty, no other site may. */
  readonly allowedOrigins: readonly string[]
  /** The URL of the owner's page to which customers continue after a booking; empty for none. */
  readonly afterUrl: string
  /** Whether customers are redirected to `afterUrl`, or get a button to it on the confirmation page. */
  readonly afterMode: 'button' | 'redirect'
  /** Whether search engines may list the booking page. */
  readonly indexed: boolean
  /** The maximum number of seats that one form can book. */
  readonly maxSeats: number
  /**
   * Whether a booking stays pending until the customer has confirmed the e-mail address. No confirmation is required
   * while no mail can be sent, or when the host site identified the visitor by the same address.
   * `ServicePage.verifyEmail` can override this setting for one service.
   */
  readonly verifyEmail: boolean
  /**
   * Whether the visitor's browser must solve a proof of work. A booking without a solution requires the customer to
   * confirm the e-mail address, unless the host site identified the visitor by the same address. While no mail can be
   * sent, a booking without a solution is accepted only from a visitor that the host site identified.
   */
  readonly proofOfWork: boolean
}

/** The settings of the booking page on a new site. */
export const defaultPageSettings: PageSettings = {
  enabled: true,
  radius: 10,
  scheme: 'auto',
  font: 'system',
  texts: {},
  intro: {},
  phone: 'optional',
  consent: {},
  termsUrl: '',
  allowedOrigins: [],
  afterUrl: '',
  afterMode: 'button',
  indexed: true,
  maxSeats: 6,
  verifyEmail: false,
  proofOfWork: false,
}

/** How one service appears on the booking page. */
export interface ServicePage {
  readonly access: Access
  /** The heading under which the service is listed; empty for none. */
  readonly category: string
  /** The URL of a picture of the service; empty for none. */
  readonly picture: string
  /** Whether customers can choose the provider when several providers give the service. */
  readonly choosesProvider: boolean
  /**
   * The minimum number of hours between a cancellation or move by the customer and the start of the reservation; null
   * when customers can never cancel or move a reservation.
   */
  readonly changeHours: number | null
  /** Whether customers who cancel a reservation are asked for a reason, and whether the reason is required. */
  readonly reason: Wish
  /** A text about the cost of a cancellation, shown to the customer; empty for none. */
  readonly feeText: LocalText
  /** Whether customers must confirm their e-mail address; `site` means that `PageSettings.verifyEmail` decides. */
  readonly verifyEmail: 'site' | 'always' | 'never'
}

/** How a service without settings of its own appears on the booking page. */
export const defaultServicePage: ServicePage = {
  access: 'listed',
  category: '',
  picture: '',
  choosesProvider: true,
  changeHours: 24,
  reason: 'optional',
  feeText: {},
  verifyEmail: 'site',
}

/** Whether the settings require customers to confirm the e-mail address of bookings of a service. */
export function verifiesEmail(settings: PageSettings, { verifyEmail }: ServicePage): boolean {
  return verifyEmail === 'site' ? settings.verifyEmail : verifyEmail === 'always'
}

/** The settings of the booking page, and how each service appears on it. */
export interface Pages {
  readonly settings: PageSettings
  service(id: string): ServicePage
  /** Returns the current slug of a service: the last segment of the path of its page. */
  slugOf(serviceId: string): string
  /** Returns the id of the service whose current or earlier slug is `slug`; undefined for an unknown slug. */
  findService(slug: string): string | undefined
  /** Returns the position of a service in display order, from 0 up; undefined for an unknown service. */
  positionOf(serviceId: string): number | undefined
}

const maxSlugLength = 60

/**
 * Returns a name in the form of a path segment: at most 60 lower-case Latin letters, digits and hyphens; empty when the
 * name contains no Latin letters or digits.
 */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/ß/g, 'ss')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return plain.slice(0, maxSlugLength).replace(/^-+|-+$/g, '')
}

/**
 * Returns one slug per name, in the same order. A name without Latin letters and digits gets the slug `fallback`. A
 * slug that is reserved, in `others` or already assigned to an earlier name gets a number as suffix.
 */
export function slugsOf(names: readonly string[], fallback: string, others: readonly string[] = []): string[] {
  const taken = new Set(others)
  return names.map((name) => {
    const plain = slugOf(name) || fallback
    let slug = plain
    for (let count = 2; taken.has(slug) || reserved.has(slug); count += 1) {
      const suffix = `-${count}`
      slug = plain.slice(0, maxSlugLength - suffix.length).replace(/-$/, '') + suffix
    }
    taken.add(slug)
    return slug
  })
}

// Path segments below `/book/` that have another meaning.
const reserved: ReadonlySet<string> = new Set(['with', 'bookings', 'link'])

/** Whether a text can be the slug of a service. */
export function isSlug(text: string): boolean {
  return text.length <= maxSlugLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) && !reserved.has(text)
}

/** Returns a text in a language, otherwise in the site's language, otherwise in any; empty when there is none. */
export function localText(text: LocalText, locale: string, siteLanguage: string): string {
  const ofSite = text[siteLanguage] ?? text[primaryLanguage(siteLanguage)]
  return text[locale] ?? ofSite ?? Object.values(text)[0] ?? ''
}
