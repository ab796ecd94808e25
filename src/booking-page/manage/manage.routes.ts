import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { awaitedMeeting } from '../../calendars/destinations/awaited-meeting.sql.ts'
import { findCustomer } from '../../customers/customers.sql.ts'
import { receiveForm } from '../../http/request/form-body.ts'
import { send } from '../../http/response/response.ts'
import { calendarFile } from '../../mail/calendar-file.ts'
import { loadMoney } from '../../payments/desk/desk-payments.sql.ts'
import { listPaymentsOf } from '../../payments/payments.sql.ts'
import { listReceiptsOfCustomer } from '../../payments/receipts/receipts.sql.ts'
import { previewCancellations } from '../../payments/refunds/cancellation.operations.ts'
import type { ExpectedPrice } from '../../reservations/booking/slot-price.ts'
import { managePath, openManageSecret } from '../../reservations/manage-secret.operations.ts'
import { fullPrice } from '../../reservations/payment.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { dateAt } from '../../scheduling/time/zone.ts'
import { monthOf } from '../calendar.ts'
import { type Faults, longestFault, readAnswersSent } from '../details.ts'
import { showMonth } from '../month.routes.ts'
import {
  answerPage,
  locationOf,
  openRequest,
  type PageRequest,
  type PageSources,
  redirect,
} from '../page-context.routes.ts'
import { isOwnFormToken, ownFormToken } from '../secrets.operations.ts'
import { pageRoute } from '../views/error-pages.ts'
import { messagePage, viewFor } from '../views/layout.ts'
import {
  cancelPage,
  type ExpectedRefund,
  type ManageView,
  managePage,
  movePricePage,
  type RefusedCancellation,
} from '../views/manage.ts'
import { readVisit, type Visit, visitUrl } from '../visit.ts'
import type { Words } from '../words/en.ts'
import { listOthers, type MovedBooking } from './manage.operations.ts'
import { findRating, listNames } from './manage.sql.ts'
import { manageCookie, openManagePage } from './manage-cookie.routes.ts'
import { answerPayment } from './payment.routes.ts'
import { canChange } from './policy.ts'
import { answerReceipt } from './receipt.routes.ts'

/**
 * A request of a customer who has opened the manage page (the page of one reservation), with the secret from the
 * cookie.
 */
interface ManageRequest extends PageRequest {
  readonly reservation: Reservation
  readonly secret: string
}

type Handle = (page: ManageRequest) => Promise<void>

/**
 * Serves the manage pages, on which a customer manages a single reservation. A link with a secret opens them; its
 * response sets a cookie and redirects, so that the secret is not part of the URLs of the pages.
 */
export function answerManagePage(fastify: FastifyInstance, sources: PageSources): void {
  const get = (path: string, handle: Handle) =>
    fastify.get(path, pageRoute(`GET ${path}`), async (request, reply) => {
      const page = await openPage(sources, request, reply)
      if (page) await handle(page)
    })
  const post = (path: string, handle: Handle) =>
    fastify.post(path, pageRoute(`POST ${path}`), async (request, reply) => {
      const sent = await receiveForm(request, reply, sources.slots)
      const page = sent && (await openPage(sources, request, reply, sent))
      if (page && (await isAllowed(page))) await handle(page)
    })
  fastify.get('/manage/:secret/', pageRoute('GET /manage/:secret/'), async (request, reply) => {
    const opened = await openLink(sources, request, reply)
    if (opened) openManagePage(opened.page, { secret: opened.secret, path: '/manage/' })
  })
  fastify.get('/manage/:secret/calendar.ics', pageRoute('GET /manage/:secret/calendar.ics'), async (request, reply) => {
    const opened = await openLink(sources, request, reply)
    if (opened) await answerCalendar(opened.page, opened.reservation)
  })
  get('/manage/', async (page) => answerManage(page, managePage(await viewOf(page))))
  get('/manage/cancel/', async (page) => {
    if (isChangeable(page)) return answerManage(page, cancelPage(await viewOf(page), await refundOf(page)))
    return backToStart(page)
  })
  fastify.get('/manage/:secret/payment/', pageRoute('GET /manage/:secret/payment/'), async (request, reply) => {
    const opened = await openLink(sources, request, reply)
    if (opened) openManagePage(opened.page, { secret: opened.secret, path: '/manage/payment/' })
  })
  get('/manage/payment/', async (page) => {
    if (!sources.limits.form(page.request.ip, page.now))
      return answerManage(page, messagePage(page.view, 'failed', 'tooMany'), 429)
    return answerPayment({ ...page, check: () => checkPayment(page) })
  })
  fastify.get('/manage/:secret/receipt/', pageRoute('GET /manage/:secret/receipt/'), async (request, reply) => {
    const opened = await openLink(sources, request, reply)
    if (!opened) return
    const id = opened.page.sent.get('id') ?? ''
    openManagePage(opened.page, { secret: opened.secret, path: '/manage/receipt/', more: { id } })
  })
  get('/manage/receipt/', answerReceipt)
  get('/manage/move/', chooseMove)
  post('/manage/move/', move)
  post('/manage/cancel/', cancel)
  post('/manage/answers/', answer)
  post('/manage/rating/', rate)
}

async function openLink(sources: PageSources, request: FastifyRequest, reply: FastifyReply) {
  const page = await openRequest(sources, request, reply)
  const secret = String((request.params as Readonly<Record<string, unknown>>).secret ?? '')
  const reservation = await reservationOf(page, secret)
  if (reservation) return { page, secret, reservation }
  await invalid(page)
  return undefined
}

/**
 * Opens the reservation whose secret the cookie contains, in the language and time zone of its customer, if known. When
 * the cookie has no valid secret, or when the request comes from the page or the payment of another reservation, whose
 * cookie that of a later link has replaced, sends an error page and returns undefined.
 */
async function openPage(
  sources: PageSources,
  request: FastifyRequest,
  reply: FastifyReply,
  posted?: URLSearchParams,
): Promise<ManageRequest | undefined> {
  const page = await openRequest(sources, request, reply, posted)
  const secret = manageCookie(request)
  const reservation = await reservationOf(page, secret)
  if (!reservation) {
    await invalid(page)
    return undefined
  }
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  const customer = await findCustomer(sources.app.db, reservation.customerId)
  const { site } = page.catalogue
  const visit = readVisit(query, {
    acceptLanguage: customer?.language || (request.headers['accept-language'] ?? ''),
    referrer: '',
    siteLanguage: site.language,
    siteZone: customer?.timezone ?? reservation.zone,
    maxSeats: 1,
    languages: sources.languages,
  })
  // The URLs of the page name the reservation, so that a browser with the pages of two reservations does not change the
  // one that was opened last from the page of the other.
  const wanted = page.sent.get('reservation') ?? query.get('reservation') ?? reservation.id
  const viewOfVisit = (of: Visit) =>
    viewFor({ ...page.view, visit: { ...of, chosen: { ...of.chosen, reservation: wanted } } })
  if (wanted === reservation.id && (await isOfPayment(page, reservation.id, query.get('payment'))))
    return { ...page, view: viewOfVisit(visit), reservation, secret }
  const view = viewOfVisit(page.view.visit)
  await answerManage({ ...page, view }, messagePage(view, 'manageTitle', 'otherOpened'), 409)
  return undefined
}

/** Whether a payment, with which the payment processor sends the customer back, is one of a reservation. */
async function isOfPayment({ sources }: PageRequest, reservationId: string, paymentId: string | null) {
  if (paymentId === null) return true
  return (await listPaymentsOf(sources.app.db, reservationId)).some(({ id }) => id === paymentId)
}

function reservationOf({ sources, catalogue }: PageRequest, secret: string): Promise<Reservation | undefined> {
  return openManageSecret(sources.app.db, catalogue, secret)
}

async function invalid(page: PageRequest): Promise<void> {
  const limited = !page.sources.limits.form(page.request.ip, page.now)
  if (limited) return answerManage(page, messagePage(page.view, 'failed', 'tooMany'), 429)
  return answerManage(page, messagePage(page.view, 'linkInvalid', 'notFoundText'), 404)
}

/**
 * Whether a posted form contains the CSRF token of the customer's own page, and the rate limit allows the request. When
 * either is not the case, sends an error page and returns false.
 */
async function isAllowed(page: ManageRequest): Promise<boolean> {
  const { sources, request, now, sent, view } = page
  const isOwn = isOwnFormToken(page.catalogue, page.secret, sent.get('form') ?? '', now)
  const allowed = sources.limits.form(request.ip, now)
  if (isOwn && allowed) return true
  await answerManage(page, messagePage(view, 'failed', allowed ? 'formExpired' : 'tooMany'), allowed ? 403 : 429)
  return false
}

/** Sends a page that other sites cannot embed, and whose URL browsers do not send as `Referer`. */
function answerManage(page: PageRequest, content: Parameters<typeof answerPage>[1], status = 200): Promise<void> {
  return answerPage(page, content, status, { own: true })
}

async function viewOf(page: ManageRequest): Promise<ManageView> {
  const { reservation, catalogue, pages, view, sources, sent, secret } = page
  const { db } = sources.app
  const done = doneMessages[sent.get('done') ?? '']
  const money = reservation.payment ? await loadMoney(db, reservation) : undefined
  return {
    ...view,
    path: '/manage/',
    offersBookings: await sources.canMail(),
    reservation,
    service: catalogue.service(reservation.serviceId),
    provider: catalogue.provider(reservation.providerId),
    page: pages.service(reservation.serviceId),
    location: locationOf(page, reservation),
    meeting: await awaitedMeeting(db, reservation, page.now),
    form: ownFormToken(catalogue, secret),
    manageUrl: view.origin + managePath(catalogue, reservation),
    rating: await findRating(db, reservation.id),
    money,
    receipts: await listReceiptsOfCustomer(db, reservation),
    others: await listNames(db, await listOthers(db, pages, reservation, page.now)),
    done,
    faults: new Map(),
    entered: undefined,
  }
}

/**
 * Returns what is refunded if the customer cancels the reservation now, alone or with those of the others of its form;
 * undefined when nothing was paid for any of them that can be refunded.
 */
async function refundOf({ sources, reservation, pages, now }: ManageRequest): Promise<ExpectedRefund | undefined> {
  const { db } = sources.app
  const [own] = await previewCancellations(db, [reservation.id], { now, by: 'customer' })
  const ids = [reservation.id, ...(await listOthers(db, pages, reservation, now))]
  const all = await previewCancellations(db, ids, { now, by: 'customer' })
  const ofAll = all.find(({ currency }) => own === undefined || currency === own.currency)
  if (!ofAll) return undefined
  return { currency: ofAll.currency, amount: own?.rule ?? 0, paid: own?.all ?? 0, ofAll: ofAll.rule }
}

const doneMessages: Readonly<Record<string, keyof Words>> = {
  moved: 'moved',
  cancelled: 'cancelled',
  answers: 'answersSaved',
  rated: 'rated',
  late: 'tooLate',
  verified: 'verified',
  paid: 'paid',
  cardSaved: 'cardSaved',
}

function isChangeable({ reservation, pages, now }: ManageRequest): boolean {
  return canChange(reservation, pages.service(reservation.serviceId), now)
}

function backToStart(page: ManageRequest, done = 'late'): Promise<void> {
  redirect(page.reply, visitUrl('/manage/', page.view.visit, { done }), 303)
  return Promise.resolve()
}

function contextOf({ request, now, reservation }: ManageRequest) {
  const actor = { kind: 'customer', id: reservation.customerId } as const
  return { actor, now, requestId: request.id, dryRun: false, idempotency: null }
}

async function chooseMove(page: ManageRequest): Promise<void> {
  const { catalogue, reservation, view, secret } = page
  const service = catalogue.service(reservation.serviceId)
  if (!service || !isChangeable(page)) return backToStart(page)
  const date = view.visit.date ?? dateAt(view.visit.zone, reservation.start)
  const visit = { ...view.visit, provider: reservation.providerId, date, month: view.visit.month ?? monthOf(date) }
  return showMonth({ ...page, view: { ...view, visit } }, service, {
    moved: reservation,
    own: {
      title: view.words.moveTitle,
      path: '/manage/move/',
      backUrl: visitUrl('/manage/', view.visit),
      form: ownFormToken(catalogue, secret),
    },
    ...(page.sent.has('taken') && { alert: view.words.taken, instead: Number(page.sent.get('taken')) || page.now }),
  })
}

async function move(page: ManageRequest): Promise<void> {
  const { sources, sent, reservation, view } = page
  const [start = '', provider = ''] = (sent.get('slot') ?? '').split('.')
  const providerId = Number(provider.split('-')[0])
  if (!/^\d{1,12}$/.test(start) || !Number.isSafeInteger(providerId)) return chooseMove(page)
  const input = { id: reservation.id, providerId, start: Number(start) }
  const moved = (expectedPrice: ExpectedPrice | undefined, dryRun: boolean) =>
    sources.app.perform(
      'booking-page.move',
      { ...input, ...(expectedPrice !== undefined && { expectedPrice }) },
      { ...contextOf(page), dryRun },
    )
  let outcome = await moved(agreedPrice(page), false)
  if ('refused' in outcome && outcome.refused.code === 'slot_price_changed') {
    outcome = await moved(undefined, true)
    if ('ok' in outcome) return askAboutPrice(page, { slot: sent.get('slot') ?? '', ...outcome.ok })
  }
  if ('ok' in outcome) return backToStart(page, 'moved')
  if ('refused' in outcome && outcome.refused.code === 'change_too_late') return backToStart(page)
  if ('fault' in outcome) return answerManage(page, messagePage(view, 'failed', 'busy'), 503)
  const date = dateAt(view.visit.zone, Number(start))
  redirect(page.reply, visitUrl('/manage/move/', view.visit, { taken: start, date }), 303)
}

/**
 * Returns the price to which the customer agreed: the one in the posted form, otherwise the current price of the
 * reservation without the reduction by a coupon. Undefined for a reservation with a price that is not paid through the
 * service, which may have any price at its new time.
 */
function agreedPrice({ sent, reservation }: ManageRequest): ExpectedPrice | undefined {
  const [agreed, amount, currency = ''] = /^(?:(\d{1,15}) ([A-Z]{3}))?$/.exec(sent.get('price') ?? 'absent') ?? []
  if (agreed !== undefined) return amount === undefined ? null : { amount: Number(amount), currency }
  const price = fullPrice(reservation)
  if (price === null || reservation.currency === null) return null
  return reservation.payment ? { amount: price, currency: reservation.currency } : undefined
}

async function askAboutPrice(page: ManageRequest, moved: MovedBooking & { readonly slot: string }): Promise<void> {
  return answerManage(page, movePricePage(await viewOf(page), moved), 409)
}

function checkPayment(page: ManageRequest): Promise<unknown> {
  const { sources, reservation } = page
  return sources.app.perform('payments.check', { reservationId: reservation.id }, contextOf(page))
}

const maxReason = 500

async function cancel(page: ManageRequest): Promise<void> {
  const { sources, sent, reservation, pages, view } = page
  const policy = pages.service(reservation.serviceId)
  const reason = policy.reason === 'none' ? '' : (sent.get('reason') ?? '').trim().slice(0, maxReason)
  const all = sent.get('all') === 'on'
  const refund = await refundOf(page)
  const askAgain = async (fault: RefusedCancellation['fault'], status: number) =>
    answerManage(page, cancelPage(await viewOf(page), refund, { fault, reason, all }), status)
  if (policy.reason === 'required' && reason === '') return askAgain('missing_reason', 422)
  // The customer agreed to a certain refund. When the refund has changed since the page was shown, the customer is
  // asked again.
  const agreed = sent.get('refund') === String(refund?.amount) && (!all || sent.get('of') === String(refund?.ofAll))
  if (refund && !agreed && isChangeable(page)) return askAgain('refund_changed', 409)
  const input = { id: reservation.id, reason, all }
  const outcome = await sources.app.perform('booking-page.cancel', input, contextOf(page))
  if ('fault' in outcome) return answerManage(page, messagePage(view, 'failed', 'busy'), 503)
  return backToStart(page, 'ok' in outcome ? 'cancelled' : 'late')
}

async function answer(page: ManageRequest): Promise<void> {
  const { sources, sent, reservation, catalogue, view } = page
  const form = catalogue.service(reservation.serviceId)?.form ?? []
  const refused = async (faults: Faults) =>
    answerManage(page, managePage({ ...(await viewOf(page)), faults, entered: sent }), 422)
  // A required question may have been added after the booking. What was answered must stay answered.
  const asked = form.map((field) => ({ ...field, required: field.required && field.key in reservation.data }))
  const { answers, faults } = readAnswersSent(sent, asked, view.visit.tag)
  if (faults.size > 0) return refused(faults)
  const outcome = await sources.app.perform('booking-page.answer', { id: reservation.id, answers }, contextOf(page))
  if ('fault' in outcome) return answerManage(page, messagePage(view, 'failed', 'busy'), 503)
  // Together with other data of the reservation, the answers may be too long.
  if ('refused' in outcome && outcome.refused.code === 'invalid_parameter' && Object.keys(answers).length > 0)
    return refused(longestFault(answers))
  return backToStart(page, 'ok' in outcome ? 'answers' : 'late')
}

const maxComment = 2_000

async function rate(page: ManageRequest): Promise<void> {
  const { sources, sent, reservation, view } = page
  const score = Number(sent.get('score'))
  if (!Number.isInteger(score) || score < 1 || score > 5) return backToStart(page, '')
  const comment = (sent.get('comment') ?? '').trim().slice(0, maxComment)
  const outcome = await sources.app.perform(
    'booking-page.rate',
    { id: reservation.id, score, comment },
    contextOf(page),
  )
  if ('fault' in outcome) return answerManage(page, messagePage(view, 'failed', 'busy'), 503)
  return backToStart(page, 'ok' in outcome ? 'rated' : 'late')
}

async function answerCalendar({ catalogue, reply, now, view }: PageRequest, reservation: Reservation): Promise<void> {
  const { id, start, end, status, serviceId, providerId, createdAt, updatedAt } = reservation
  const service = catalogue.service(serviceId)
  const provider = catalogue.provider(providerId)
  const body = await calendarFile({
    method: status === 'cancelled' ? 'CANCEL' : 'PUBLISH',
    isTentative: status === 'pending',
    uid: `${id}@${new URL(view.origin).hostname}`,
    sequence: updatedAt - createdAt,
    ...{ start, end, now },
    summary: [service?.name, catalogue.site.name].filter((part) => part).join(' · '),
    description: provider?.name ?? '',
    meeting: reservation.meeting,
  })
  reply.hijack()
  const headers = {
    'Content-Type': 'text/calendar; charset=utf-8',
    'Content-Disposition': 'attachment; filename="appointment.ics"',
    'Referrer-Policy': 'no-referrer',
  }
  send(reply.raw, { status: 200, headers, body })
}
