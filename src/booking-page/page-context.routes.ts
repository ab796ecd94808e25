import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { loadCatalogue } from '../catalogue/catalogue.sql.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { AdmissionSlots } from '../http/bind.ts'
import { send } from '../http/response/response.ts'
import { readStatic } from '../http/static/static-files.ts'
import type { Daybook } from '../operations.ts'
import type { Reservation } from '../reservations/reservation.ts'
import { overridesOf } from '../scheduling/opening-hours.ts'
import { dateAt } from '../scheduling/time/zone.ts'
import type { BookableTimes } from './free-times.operations.ts'
import type { Funnel, FunnelStep } from './funnel/funnel.ts'
import { type HostVisitor, openVisitor, readHostToken, sealVisitor } from './host/host-token.operations.ts'
import type { BookingLink } from './links/booking-link.ts'
import { findLinkByHash } from './links/links.sql.ts'
import { openPreview } from './panel/preview.operations.ts'
import type { RateLimits } from './rate-limits.routes.ts'
import { hashSecret } from './secrets.operations.ts'
import { loadPages } from './settings.sql.ts'
import type { Pages } from './settings.ts'
import { type Page, renderPage, type View, viewFor } from './views/layout.ts'
import { pageStyle } from './views/style.ts'
import { readVisit } from './visit.ts'
import type { PageLanguages } from './words/words.ts'

/** The dependencies of the booking page's route handlers. */
export interface PageSources {
  readonly app: Daybook
  readonly slots: AdmissionSlots
  readonly freeTimes: BookableTimes
  readonly limits: RateLimits
  readonly funnel: Funnel
  readonly languages: PageLanguages
  /** Returns the public origin of this installation, such as `https://book.example`. */
  origin(): string
  /** Whether notifications are switched on and, when `kind` is given, the mails of that kind are not switched off. */
  canMail(kind?: 'verify_email'): Promise<boolean>
  /** Whether notifications in general and short messages (SMS) are switched on. */
  canText(): Promise<boolean>
  /** Whether a payment processor is connected. */
  takesPayments(): Promise<boolean>
  /**
   * Returns the secret with which the host site (the owner's website) signs its tokens; undefined when there is none,
   * or when it cannot be decrypted.
   */
  hostSecret(): Promise<string | undefined>
}

/** One request to the booking page, with the data that every page needs. */
export interface PageRequest {
  readonly sources: PageSources
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The query parameters of the request's URL, or the fields of the posted form. */
  readonly sent: URLSearchParams
  readonly catalogue: Catalogue
  readonly pages: Pages
  readonly view: View
  readonly now: number
  /**
   * The private link with which the visitor opened the page, even if it can no longer be used; undefined if there is
   * none.
   */
  readonly link: BookingLink | undefined
  /** The visitor that the host site identified by a signed token; undefined if there is none. */
  readonly hostVisitor: HostVisitor | undefined
}

/**
 * Loads the data that every page needs, for the query parameters of the URL or for `posted`, the fields of a posted
 * form.
 */
export async function openRequest(
  sources: PageSources,
  request: FastifyRequest,
  reply: FastifyReply,
  posted?: URLSearchParams,
): Promise<PageRequest> {
  const { app } = sources
  const [path = '', query = ''] = request.url.split('?')
  const sent = posted ?? new URLSearchParams(query.slice(0, 6_000))
  const catalogue = await loadCatalogue(app.db)
  const stored = await loadPages(app.db, catalogue)
  const { site } = catalogue
  const now = app.now()
  await acceptToken(sources, catalogue, sent, now)
  const visit = readVisit(sent, {
    acceptLanguage: request.headers['accept-language'] ?? '',
    referrer: otherHost(request),
    siteLanguage: site.language,
    siteZone: site.timezone,
    maxSeats: stored.settings.maxSeats,
    languages: sources.languages,
  })
  const draft = visit.preview === undefined ? undefined : openPreview(catalogue, visit.preview, now)
  const pages = draft ? { ...stored, settings: { ...stored.settings, ...draft, enabled: true } } : stored
  const view = viewFor({
    site,
    settings: pages.settings,
    visit,
    path,
    origin: sources.origin(),
    now,
    languages: sources.languages,
  })
  const link = visit.link === undefined ? undefined : await findLinkByHash(app.db, hashSecret(visit.link))
  const hostVisitor = visit.visitor === undefined ? undefined : openVisitor(catalogue, visit.visitor, now)
  return { sources, request, reply, sent, catalogue, pages, view, now, link, hostVisitor }
}

/**
 * Reads the token that the host site signed, in the parameter `host`. For a valid token, sets the parameter `as` to the
 * encrypted visitor; links and forms then contain the parameter `as`.
 */
async function acceptToken(
  { hostSecret }: PageSources,
  catalogue: Catalogue,
  sent: URLSearchParams,
  now: number,
): Promise<void> {
  const token = sent.get('host') ?? ''
  if (!/^[\w-]+\.[\w-]+\.[\w-]{43}$/.test(token)) return
  const secret = await hostSecret()
  const visitor = secret === undefined ? undefined : await readHostToken(secret, token, now)
  if (visitor) sent.set('as', sealVisitor(catalogue, visitor, now))
}

/**
 * Returns the host name of the page whose link the visitor followed, from the header `Referer`; empty when the page
 * belongs to this installation or is unknown.
 */
function otherHost({ headers: { referer = '', host = '' } }: FastifyRequest): string {
  if (!URL.canParse(referer)) return ''
  const from = new URL(referer)
  return from.host === host ? '' : from.hostname
}

/**
 * Sends a page. An `own` page concerns one customer: other sites cannot embed it, search engines must not list it, and
 * its URL is not sent as `Referer`. With `refresh`, the browser reloads the page or loads another one.
 */
export async function answerPage(
  { reply, view }: PageRequest,
  page: Page,
  status = 200,
  { own = false, refresh }: { readonly own?: boolean; readonly refresh?: string } = {},
): Promise<void> {
  const { style, hash } = styleOf(view)
  const body = renderPage(view, page, { style, script: await scriptAddress() })
  const { allowedOrigins, indexed } = view.settings
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "base-uri 'none'",
    `form-action ${["'self'", ...afterOrigin(view)].join(' ')}`,
    `frame-ancestors ${view.visit.preview !== undefined ? "'self'" : allowedOrigins.length > 0 && !own ? ["'self'", ...allowedOrigins].join(' ') : "'none'"}`,
  ].join('; ')
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': own ? 'no-referrer' : 'same-origin',
    Vary: 'Accept-Language',
    ...(refresh !== undefined && { Refresh: refresh }),
    ...((!indexed ||
      own ||
      page.canonical === undefined ||
      view.visit.link !== undefined ||
      view.visit.visitor !== undefined ||
      view.visit.preview !== undefined) && {
      'X-Robots-Tag': 'noindex',
    }),
  }
  reply.hijack()
  send(reply.raw, { status, headers, body })
}

/**
 * Returns the origin of `afterUrl`, the site owner's page, if customers are redirected to it after a booking; otherwise
 * an empty array. The content security policy must contain this origin, because browsers apply `form-action` to
 * redirects as well.
 */
function afterOrigin({ settings: { afterUrl, afterMode } }: View): readonly string[] {
  return afterMode === 'redirect' && afterUrl !== '' ? [new URL(afterUrl).origin] : []
}

/**
 * Counts a step of a booking by date, service and source (campaign or linking site), without data that identifies the
 * visitor. `HEAD` is not counted: programs send it, such as monitors and link checkers.
 */
export function countStep({ sources, request, view, now }: PageRequest, serviceId: string, step: FunnelStep): void {
  if (request.method === 'HEAD') return
  const { source } = view.visit
  const day = dateAt(view.site.timezone, now)
  sources.funnel.count({ day, serviceId, step, source: source.utm_source ?? source.referrer ?? '' })
}

/** Redirects the browser to another URL. */
export function redirect(reply: FastifyReply, location: string, status: 301 | 303): void {
  reply.hijack()
  send(reply.raw, { status, headers: { Location: location, 'Content-Type': 'text/plain' }, body: '' })
}

const styles = new Map<string, { readonly style: string; readonly hash: string }>()
const maxStyles = 20

function styleOf({ site, settings }: View) {
  const { radius, scheme, font } = settings
  const wanted = { color: site.appearance.color, radius, scheme, font }
  const key = JSON.stringify(wanted)
  const known = styles.get(key)
  if (known) return known
  const style = pageStyle(wanted)
  const made = { style, hash: createHash('sha256').update(style).digest('base64') }
  if (styles.size >= maxStyles) styles.clear()
  styles.set(key, made)
  return made
}

const scriptPath = '/book/-/page.js'
let scriptTag: string | undefined

/** Returns the script of the booking page; throws when the file is missing. */
export async function pageScript(): Promise<Buffer> {
  const bytes = await readStatic(new URL('../../web/booking/page.js', import.meta.url))
  if (!bytes) throw new Error('The installation has no web/booking/page.js.')
  return bytes
}

/** Returns the URL of the script with a hash of its content, so that browsers can cache the script indefinitely. */
async function scriptAddress(): Promise<string> {
  scriptTag ??= createHash('sha256')
    .update(await pageScript())
    .digest('base64url')
    .slice(0, 12)
  return `${scriptPath}?v=${scriptTag}`
}

/** Returns the place that an override gives to the date of a reservation; empty if it gives none. */
export function locationOf({ catalogue }: PageRequest, reservation: Reservation): string {
  const provider = catalogue.provider(reservation.providerId)
  return (provider && overridesOf(provider, catalogue.site.holidays, reservation).location) ?? ''
}
