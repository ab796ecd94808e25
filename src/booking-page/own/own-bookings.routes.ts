import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Customer } from '../../customers/customer.ts'
import { isEmail } from '../../customers/customer-email.ts'
import { listCustomersAt } from '../../customers/customers.sql.ts'
import { findDeletionRequests } from '../../customers/deletion/deletion.sql.ts'
import { listRatingsOf, listReservationsOf } from '../../customers/erasure/traces.sql.ts'
import { receiveForm } from '../../http/request/form-body.ts'
import { send } from '../../http/response/response.ts'
import { managePath } from '../../reservations/manage-secret.operations.ts'
import { shownReservation } from '../../reservations/reservation.ts'
import { cookieAttributes } from '../manage/manage-cookie.routes.ts'
import { answerPage, openRequest, type PageRequest, type PageSources, redirect } from '../page-context.routes.ts'
import {
  hashSecret,
  isFormSecret,
  isOwnFormToken,
  newFormSecret,
  newSecret,
  ownFormToken,
} from '../secrets.operations.ts'
import { pageRoute } from '../views/error-pages.ts'
import { messagePage } from '../views/layout.ts'
import { askPage, openPage, ownPage, sentPage } from '../views/own-bookings.ts'
import { visitUrl } from '../visit.ts'
import { accessSeconds } from './access.operations.ts'
import { findAccess } from './access.sql.ts'

const asking = '/book/bookings/'
const place = '/manage/bookings/'
const link = '/manage/bookings/:secret/'
const cookie = 'daybook-bookings'

/** A request by a visitor who has proved ownership of an e-mail address. */
interface OwnRequest extends PageRequest {
  readonly emailKey: string
  readonly secret: string
  /**
   * All customers with the e-mail address, which several customers can share; empty when no customer has it any more.
   */
  readonly customers: readonly Customer[]
}

/**
 * Serves "My bookings": a form that sends a link to an e-mail address, with a response that does not reveal whether the
 * address is known; the page that the link opens, with a button that gives the browser access; and the bookings of the
 * address, with a link that downloads the customer's data and a button that requests the deletion of this data.
 */
export function answerOwnBookings(fastify: FastifyInstance, sources: PageSources): void {
  fastify.get(asking, pageRoute(`GET ${asking}`), async (request, reply) => {
    const page = await openRequest(sources, request, reply)
    if (!(await isOffered(page))) return closed(page)
    return answerPage(page, askPage(page.view, newFormSecret(page.catalogue, page.now)), 200, own)
  })
  fastify.post(asking, pageRoute(`POST ${asking}`), async (request, reply) => {
    const sent = await receiveForm(request, reply, sources.slots)
    const page = sent && (await openRequest(sources, request, reply, sent))
    if (page) await ask(page)
  })
  fastify.get(link, pageRoute(`GET ${link}`), async (request, reply) => {
    const page = await openRequest(sources, request, reply)
    const hash = hashSecret(secretOf(request))
    if (!(await findAccess(sources.app.db, 'link', hash, page.now))) return invalid(page)
    return answerPage(page, openPage(page.view), 200, own)
  })
  fastify.post(link, pageRoute(`POST ${link}`), async (request, reply) => {
    if (!(await receiveForm(request, reply, sources.slots))) return
    const page = await openRequest(sources, request, reply)
    const secret = newSecret()
    const input = { hash: hashSecret(secretOf(request)), browserHash: hashSecret(secret) }
    const outcome = await sources.app.perform('booking-page.bookings.open', input, contextOf(page))
    if ('fault' in outcome) return failed(page)
    if (!('ok' in outcome)) return invalid(page)
    reply.raw.setHeader('Set-Cookie', cookieHeader(page, secret, accessSeconds))
    redirect(reply, visitUrl(place, page.view.visit), 303)
  })
  const get = (path: string, handle: (page: OwnRequest) => Promise<void>) =>
    fastify.get(path, pageRoute(`GET ${path}`), async (request, reply) => {
      const page = await openOwn(sources, request, reply)
      if (page) await handle(page)
    })
  const post = (path: string, handle: (page: OwnRequest) => Promise<void>) =>
    fastify.post(path, pageRoute(`POST ${path}`), async (request, reply) => {
      const sent = await receiveForm(request, reply, sources.slots)
      const page = sent && (await openOwn(sources, request, reply, sent))
      if (!page) return
      const allowed = isOwnFormToken(page.catalogue, page.secret, page.sent.get('form') ?? '', page.now)
      await (allowed ? handle(page) : answerPage(page, messagePage(page.view, 'failed', 'formExpired'), 403, own))
    })
  get(place, showOwn)
  get(`${place}data.json`, download)
  post(`${place}deletion/`, requestDeletion)
  post(`${place}leave/`, leave)
}

const own = { own: true } as const

function secretOf({ params }: FastifyRequest): string {
  return String((params as Readonly<Record<string, unknown>>).secret ?? '')
}

function contextOf({ request, now }: PageRequest) {
  const actor = { kind: 'customer', id: '' } as const
  return { actor, now, requestId: request.id, dryRun: false, idempotency: null }
}

// "My bookings" is available only when mail can be sent: without mail, a visitor cannot prove the ownership of an
// e-mail address.
async function isOffered({ sources, view }: PageRequest): Promise<boolean> {
  return view.settings.enabled && (await sources.canMail())
}

/**
 * Queues a mail with a link to "My bookings" if a customer has the entered e-mail address. The response does not reveal
 * whether a customer has it.
 */
async function ask(page: PageRequest): Promise<void> {
  const { sources, request, sent, view, catalogue, now } = page
  const email = (sent.get('email') ?? '').trim()
  if (!(await isOffered(page))) return closed(page)
  const form = newFormSecret(catalogue, now)
  const isTrap = (sent.get('website') ?? '') !== ''
  if (isTrap || !isFormSecret(catalogue, sent.get('form') ?? '', now))
    return answerPage(page, askPage(view, form, { email, fault: 'formExpired' }), 422, own)
  if (email.length > 254 || !isEmail(email))
    return answerPage(page, askPage(view, form, { email, fault: 'invalidEmail' }), 422, own)
  if (!sources.limits.bookingsLink(request.ip, email, now))
    return answerPage(page, messagePage(view, 'failed', 'tooMany'), 429, own)
  const input = { email, language: view.visit.locale }
  const outcome = await sources.app.perform('bookings-mail.ask', input, contextOf(page))
  return 'ok' in outcome ? answerPage(page, sentPage(view, email), 200, own) : failed(page)
}

/**
 * Loads the customers to whose bookings the browser has access. Without access, sends an error page and returns
 * undefined.
 */
async function openOwn(
  sources: PageSources,
  request: FastifyRequest,
  reply: FastifyReply,
  posted?: URLSearchParams,
): Promise<OwnRequest | undefined> {
  const page = await openRequest(sources, request, reply, posted)
  const secret = cookieOf(request)
  const access = await findAccess(sources.app.db, 'browser', hashSecret(secret), page.now)
  if (!access) {
    await invalid(page)
    return undefined
  }
  const { emailKey } = access
  return { ...page, emailKey, secret, customers: await listCustomersAt(sources.app.db, [emailKey]) }
}

const maxShown = 200

async function showOwn(page: OwnRequest): Promise<void> {
  const { sources, catalogue, customers, view, sent, secret, now } = page
  const ids = customers.map(({ id }) => id)
  const reservations = await listReservationsOf(sources.app.db, ids)
  const requested = await findDeletionRequests(sources.app.db, ids)
  const names = new Map(customers.map(({ id, name }) => [id, name]))
  const shown = reservations.slice(-maxShown).map((reservation) => ({
    reservation,
    service: catalogue.service(reservation.serviceId)?.name ?? '',
    provider: catalogue.provider(reservation.providerId)?.name ?? '',
    customer: names.get(reservation.customerId) ?? '',
    path: managePath(catalogue, reservation),
  }))
  const content = ownPage({
    ...view,
    path: place,
    upcoming: shown.filter(({ reservation: { end, status } }) => end > now && status !== 'cancelled'),
    past: shown.filter(({ reservation: { end, status } }) => end <= now || status === 'cancelled').reverse(),
    form: ownFormToken(catalogue, secret),
    deletionRequested: ids.length > 0 && ids.every((id) => requested.has(id)),
    done: sent.get('done') === 'deletion',
  })
  return answerPage(page, content, 200, own)
}

/**
 * Sends the data of all customers with the visitor's verified e-mail address as a JSON file: contact fields,
 * reservations and ratings, without birthday, tags and further phone numbers, and without notes of staff.
 */
async function download({ sources, customers, reply }: OwnRequest): Promise<void> {
  const { db } = sources.app
  const reservations = await listReservationsOf(
    db,
    customers.map(({ id }) => id),
  )
  const people = await Promise.all(
    customers.map(async ({ id, name, email, phone, language, timezone }) => ({
      ...{ name, email, phone, language, timezone },
      reservations: reservations
        .filter(({ customerId }) => customerId === id)
        .map((one) => shownReservation(one, { full: true })),
      ratings: await listRatingsOf(db, id),
    })),
  )
  reply.hijack()
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Disposition': 'attachment; filename="my-bookings.json"',
    'Referrer-Policy': 'no-referrer',
  }
  send(reply.raw, { status: 200, headers, body: `${JSON.stringify({ customers: people }, null, 2)}\n` })
}

async function requestDeletion(page: OwnRequest): Promise<void> {
  const outcome = await page.sources.app.perform(
    'customers.deletion.request',
    { email: page.emailKey },
    contextOf(page),
  )
  if (!('ok' in outcome)) return failed(page)
  redirect(page.reply, visitUrl(place, page.view.visit, { done: 'deletion' }), 303)
}

async function leave(page: OwnRequest): Promise<void> {
  const { sources, reply, secret, view } = page
  const outcome = await sources.app.perform(
    'booking-page.bookings.leave',
    { hash: hashSecret(secret) },
    contextOf(page),
  )
  if (!('ok' in outcome)) return failed(page)
  reply.raw.setHeader('Set-Cookie', cookieHeader(page, '', 0))
  redirect(reply, visitUrl('/book/', view.visit), 303)
}

function cookieOf({ headers }: FastifyRequest): string {
  const pairs = (headers.cookie ?? '').split(';').map((part) => part.trim().split('='))
  return pairs.find(([name]) => name === cookie)?.[1] ?? ''
}

function cookieHeader({ view }: PageRequest, secret: string, seconds: number): string {
  return `${cookie}=${secret}; Path=${place}; Max-Age=${seconds}; ${cookieAttributes(view.origin)}`
}

function invalid(page: PageRequest): Promise<void> {
  const limited = !page.sources.limits.form(page.request.ip, page.now)
  if (limited) return answerPage(page, messagePage(page.view, 'failed', 'tooMany'), 429, own)
  return answerPage(page, messagePage(page.view, 'linkInvalid', 'bookingsLinkInvalid'), 404, own)
}

function closed(page: PageRequest): Promise<void> {
  return answerPage(page, messagePage(page.view, 'myBookings', 'closedText'), 404, own)
}

function failed(page: PageRequest): Promise<void> {
  return answerPage(page, messagePage(page.view, 'failed', 'busy'), 503, own)
}
