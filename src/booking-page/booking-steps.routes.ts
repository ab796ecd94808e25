import type { Provider } from '../catalogue/providers/provider.ts'
import { dueOnline, noShowFeeOf, paymentMethods, paymentRule } from '../catalogue/services/payment-rule.ts'
import type { Service } from '../catalogue/services/service.ts'
import { type Html, html } from '../html.ts'
import { send } from '../http/response/response.ts'
import type { RefusalCode } from '../messages/refusal.ts'
import { moneyOf } from '../money.ts'
import { couponCode } from '../payments/coupons/coupon.ts'
import { priceOf } from '../reservations/booking/slot-price.ts'
import type { Hold } from '../reservations/holds/hold.ts'
import { findHold } from '../reservations/holds/holds.sql.ts'
import { overridesOf } from '../scheduling/opening-hours.ts'
import type { RequestedSlot } from '../scheduling/plan/plan.ts'
import { sourceFor } from '../scheduling/rules/rule-case.ts'
import { dateAt } from '../scheduling/time/zone.ts'
import { bookingKey } from './book.operations.ts'
import { answerBooked } from './booked/booked.routes.ts'
import { couponOf } from './coupon/coupon.routes.ts'
import { voucherOf } from './coupon/voucher.routes.ts'
import { type BookingDetails, keptEntries, readDetails } from './details.ts'
import { linkState } from './links/booking-link.ts'
import { providersOf, servicePath, showMonth } from './month.routes.ts'
import { answerPage, countStep, type PageRequest } from './page-context.routes.ts'
import { listCountries, readPhone } from './phone.operations.ts'
import { isProof, newChallenge } from './proof/proof.operations.ts'
import { hashAddress, hashForm, hashSecret, isFormSecret, newFormSecret } from './secrets.operations.ts'
import { chosenMethod, type FormView, formPage, reviewPage } from './views/form.ts'
import { messagePage } from './views/layout.ts'

/**
 * Handles a form posted to the page of a service: the choice of a time, the entered details, the return to the details,
 * the final booking, or the release or extension of the hold (the temporary reservation of the chosen time).
 * `hasOutcome` tells whether the form was booked already, or its booking refused.
 */
export async function answerStep(
  page: PageRequest,
  service: Service,
  { hasOutcome }: { readonly hasOutcome: boolean },
): Promise<void> {
  const { sent, catalogue, now, view } = page
  const sentForm = sent.get('form') ?? ''
  if (!isFormSecret(catalogue, sentForm, now))
    return showMonth(page, service, { alert: view.words.formExpired, status: 422 })
  const step = sent.get('step') ?? 'choose'
  // A browser can restore a page with a form that was booked or refused, which would only repeat that outcome. Another
  // choice therefore continues with a new form.
  const form = hasOutcome && step !== 'book' ? newFormSecret(catalogue, now) : sentForm
  if (step === 'choose') return choose(page, service, form)
  const slot = readHeld(page, service)
  if (!slot) return showMonth(page, service, { alert: view.words.formExpired, status: 422 })
  if (step === 'release') return release(page, service, form, slot)
  if (step === 'extend') return extend(page, service, form, slot)
  if (step === 'edit') return hold(page, service, { form, slot }, (view) => showForm(page, view))
  return submit(page, service, { form, slot, final: step === 'book' })
}

function contextOf({ request, now }: PageRequest) {
  const actor = { kind: 'customer', id: '' } as const
  return { actor, now, requestId: request.id, dryRun: false, idempotency: null }
}

/**
 * Reserves the chosen time temporarily (a hold) and shows the form for the details, or alternative times when the
 * chosen time is taken.
 */
async function choose(page: PageRequest, service: Service, form: string): Promise<void> {
  const { sent } = page
  const [start = '', candidates = ''] = (sent.get('slot') ?? '').split('.')
  const known = new Set(providersOf(page, service).map(({ id }) => id))
  const providerIds = candidates
    .split('-', 20)
    .map(Number)
    .filter((id) => known.has(id))
  if (!/^\d{1,12}$/.test(start) || providerIds.length === 0) return showMonth(page, service, { status: 422 })
  return hold(page, service, { form, slot: { start: Number(start) }, providerIds }, (view) => {
    countStep(page, service.id, 'chose_time')
    return showForm(page, view)
  })
}

/**
 * Reserves a time temporarily for the form (a hold) unless the form already holds it, then calls `show`, which shows
 * the next page. Calls `refuse` instead when the hold is refused, such as when the time is taken.
 */
async function hold(
  page: PageRequest,
  service: Service,
  wanted: {
    readonly form: string
    readonly slot: Pick<RequestedSlot, 'start'> & Partial<RequestedSlot>
    readonly providerIds?: readonly number[]
  },
  show: (view: FormView) => Promise<void>,
): Promise<void> {
  const { sources, catalogue, request, view } = page
  const { form, slot, providerIds = slot.providerId === undefined ? [] : [slot.providerId] } = wanted
  const { start } = slot
  const by = { formHash: hashForm(form), addressHash: hashAddress(catalogue, request.ip) }
  const input = { ...by, serviceId: service.id, providerIds, start, seats: view.visit.seats }
  const outcome = await sources.app.perform('reservations.holds.place', input, contextOf(page))
  if ('fault' in outcome) return failed(page)
  if ('refused' in outcome) return refuse(page, service, outcome.refused.code, start)
  return show(await formView(page, service, { form, slot: outcome.ok }, outcome.ok))
}

async function release(page: PageRequest, service: Service, form: string, slot: RequestedSlot): Promise<void> {
  const { sources, sent, reply, view } = page
  await sources.app.perform('reservations.holds.release', { formHash: hashForm(form) }, contextOf(page))
  if (sent.get('quiet') === '1') {
    reply.hijack()
    return send(reply.raw, { status: 200, headers: { 'Content-Type': 'text/plain' }, body: '' })
  }
  return showMonth(atDateOf(page, slot.start, view.visit.zone), service)
}

/**
 * Extends the hold of a form (the temporary reservation of a time), or places a new one when it has expired, and shows
 * the form.
 */
async function extend(page: PageRequest, service: Service, form: string, slot: RequestedSlot): Promise<void> {
  const { app } = page.sources
  const outcome = await app.perform('reservations.holds.extend', { formHash: hashForm(form) }, contextOf(page))
  if ('ok' in outcome) return showForm(page, await formView(page, service, { form, slot }, outcome.ok))
  page.sent.set('slot', `${slot.start}.${slot.providerId}`)
  return choose(page, service, form)
}

interface Submission {
  readonly form: string
  readonly slot: RequestedSlot
  /** Whether the customer has confirmed the summary, so that the booking is made. */
  readonly final: boolean
}

async function submit(page: PageRequest, service: Service, { form, slot, final }: Submission): Promise<void> {
  const { sent, pages, view } = page
  const { seats, tag } = view.visit
  // A honeypot field: it is invisible to people, but programs that fill in every field also fill in this one.
  if ((sent.get('website') ?? '') !== '') return answerPage(page, messagePage(view, 'failed', 'notPossible'), 422)
  const { details, faults } = readDetails(sent, { form: service.form, settings: pages.settings, seats, tag })
  const phone = details.phone === '' ? '' : await readPhone(details.phone, details.country)
  if (phone === undefined) faults.set('phone', 'invalidPhone')
  if (phone) sent.set('phone', phone)
  const shown = await formView(page, service, { form, slot })
  if (!final) countStep(page, service.id, 'started_form')
  if (faults.size > 0) return showForm(page, { ...shown, faults }, 422)
  // If a coupon or voucher code changed since the customer saw the price, or is no longer accepted, the summary is
  // shown again before anything is booked.
  const applied = sent.get('applied') ?? ''
  const redeemed = sent.get('redeemed') ?? ''
  const unseen =
    applied !== shown.coupon.code ||
    couponCode(sent.get('code') ?? '') !== applied ||
    redeemed !== shown.voucher.code ||
    (sent.get('voucher') ?? '').trim() !== redeemed
  if (!final || unseen)
    return hold(page, service, { form, slot }, (held) =>
      answerPage(page, reviewPage(held, keptEntries(sent)), held.coupon.fault || held.voucher.fault ? 422 : 200),
    )
  return book(page, service, shown, { ...details, phone: phone ?? '' })
}

async function book(page: PageRequest, service: Service, shown: FormView, details: BookingDetails): Promise<void> {
  const { sources, request, now, view, sent, catalogue } = page
  const { people, phone, answers } = details
  const emails = people.flatMap(({ email }) => (email === '' ? [] : [email]))
  if (!sources.limits.booking(request.ip, emails, now)) {
    const alert = alertOf(view.words.tooMany)
    return answerPage(page, reviewPage({ ...shown, alert }, keptEntries(sent)), 429)
  }
  const { form, slot, provider } = shown
  const formHash = hashForm(form)
  const unproven = view.settings.proofOfWork && !(await isProof(catalogue, sent.get('altcha') ?? '', form, now))
  const price = /^(?:(\d{1,15})([A-Z]{3}))?$/.exec(sent.get('price') ?? 'absent')
  const fee = /^\d{1,15}$/.exec(sent.get('fee') ?? '')
  const linkHash = claimedLink(page, service)
  const outcome = await sources.app.perform(
    'booking-page.book',
    {
      formHash,
      serviceId: service.id,
      providerId: provider.id,
      start: slot.start,
      people,
      phone,
      sms: details.sms && shown.offersSms,
      language: view.visit.tag,
      timezone: view.visit.zone,
      answers,
      source: view.visit.source,
      canMail: await sources.canMail('verify_email'),
      unproven,
      pays: chosenMethod(shown),
      ...(page.hostVisitor && { hostVisitor: page.hostVisitor }),
      ...(linkHash !== undefined && { linkHash }),
      ...(shown.coupon.code !== '' && { coupon: shown.coupon.code }),
      ...(shown.voucher.code !== '' && {
        voucher: { code: shown.voucher.code, amount: Number(sent.get('redeems')) || 0 },
      }),
      ...(price && { expectedPrice: price[2] ? { amount: Number(price[1]), currency: price[2] } : null }),
      // Without a payment method, as while no processor is connected, the summary shows no fee.
      ...(fee && chosenMethod(shown) && { expectedFee: Number(fee[0]) }),
    },
    { ...contextOf(page), idempotency: { ...bookingKey(formHash), hash: 'form' } },
  )
  if ('fault' in outcome) return failed(page)
  if ('ok' in outcome) {
    if (!outcome.replayed) countStep(page, service.id, 'booked')
    return answerBooked(page, service, outcome.ok)
  }
  const { code } = outcome.refused
  // The form was sent twice, and the first booking still runs. It needs the hold, and its outcome is not known yet.
  if (code === 'idempotency_in_progress') return failed(page)
  // Any other refusal is stored under the idempotency key of this form, so a further attempt needs a new form. The
  // temporary reservation (hold) of this form is therefore released.
  await sources.app.perform('reservations.holds.release', { formHash }, contextOf(page))
  const changed = { alert: alertOf(view.words.priceChanged) }
  if (code === 'proof_missing')
    return reviewAgain(page, service, shown, { alert: alertOf(view.words.proofMissing) }, 422)
  if (code === 'slot_price_changed') return reviewAgain(page, service, shown, changed)
  // The voucher may have been used elsewhere in the meantime; the summary is shown again with the amount that it pays
  // now.
  if (code === 'coupon_invalid' && shown.voucher.code !== '') return reviewAgain(page, service, shown, changed)
  if (code === 'coupon_invalid')
    return reviewAgain(page, service, shown, { coupon: { asks: true, code: '', reduction: 0, fault: 'couponInvalid' } })
  return refuse(page, service, code, slot.start)
}

function alertOf(text: string): Html {
  return html`<div class="alert" role="alert">${text}</div>`
}

/**
 * Shows the summary of a booking again, with the parts of the view in `changed` replaced, and with a new form secret.
 */
async function reviewAgain(
  page: PageRequest,
  service: Service,
  shown: FormView,
  changed: Partial<FormView>,
  status = 409,
): Promise<void> {
  const { catalogue, now } = page
  const form = newFormSecret(catalogue, now)
  const slot = { ...shown.slot, serviceId: service.id, providerId: shown.provider.id }
  return hold(page, service, { form, slot }, (held) =>
    answerPage(page, reviewPage({ ...held, ...changed }, keptEntries(page.sent)), status),
  )
}

/**
 * Responds to a refused hold (temporary reservation) or booking: with an error page for a blocked customer or an
 * invalid link, otherwise with the list of free times, a message above it, and the entered details as hidden fields.
 */
function refuse(page: PageRequest, service: Service, code: RefusalCode, start: number): Promise<void> {
  const { view } = page
  const { words } = view
  const instead = atDateOf(page, start, view.visit.zone)
  if (code === 'customer_blocked') return answerPage(page, messagePage(view, 'failed', 'notPossible'), 403)
  if (code === 'booking_link_invalid') return answerPage(page, messagePage(view, 'linkInvalid', 'inviteInvalid'), 403)
  if (code === 'hold_limit') return showMonth(instead, service, { alert: words.tooManyHolds, status: 429 })
  // A message about a limit per customer and day would tell a stranger who enters the name and e-mail address of a
  // customer that the customer has an appointment. A service with such a limit therefore has one message for all its
  // limits.
  if (code === 'slot_limit' && service.settings.limits.perCustomerDay !== undefined)
    return showMonth(instead, service, { alert: words.notPossible, status: 409 })
  const alert = html`<b>${words.taken}</b><p>${words.takenText}</p>`
  return showMonth(instead, service, { alert, instead: start, status: 409 })
}

/**
 * Returns the hash of the private link with which the visitor opened the page, if a booking of the service uses this
 * link; otherwise undefined. A service that requires a private link uses it in any state. Any other service uses it
 * only while it is open, so that a used, expired or revoked link does not prevent the booking.
 */
function claimedLink({ view, link, pages, now }: PageRequest, { id }: Service): string | undefined {
  if (view.visit.link === undefined || link?.serviceId !== id) return undefined
  const claims = pages.service(id).access === 'link' || linkState(link, now) === 'open'
  return claims ? hashSecret(view.visit.link) : undefined
}

function failed(page: PageRequest): Promise<void> {
  return answerPage(page, messagePage(page.view, 'failed', 'busy'), 503)
}

/** Returns a copy of the request in which the local date of the instant `at` is the chosen date. */
function atDateOf(page: PageRequest, at: number, zone: string): PageRequest {
  const date = dateAt(zone, at)
  return { ...page, view: { ...page.view, visit: { ...page.view.visit, date, month: date.slice(0, 7) } } }
}

/**
 * Reads the slot that is temporarily reserved for a form from the form's field `held`; undefined when the field is
 * malformed, or when the provider is unknown or does not give the service.
 */
function readHeld(page: PageRequest, service: Service): RequestedSlot | undefined {
  const [start = '', id = ''] = (page.sent.get('held') ?? '').split('.')
  const provider = providersOf(page, service).find((one) => String(one.id) === id)
  if (!provider || !/^\d{1,12}$/.test(start)) return undefined
  const { duration } = sourceFor(page.catalogue, service, provider).rule
  return { serviceId: service.id, providerId: provider.id, start: Number(start), end: Number(start) + duration }
}

function showForm(page: PageRequest, view: FormView, status = 200): Promise<void> {
  return answerPage(page, formPage(view), status)
}

/** Loads the data that the form and the summary show: the slot, its hold, the price and how it can be paid. */
async function formView(
  page: PageRequest,
  service: Service,
  { form, slot }: Pick<Submission, 'form' | 'slot'>,
  placed?: Hold,
): Promise<FormView> {
  const { sources, catalogue, now } = page
  const provider = catalogue.provider(slot.providerId) as Provider
  const found = placed ?? (await findHold(sources.app.db, hashForm(form)))
  const isHeld = found && found.expiresAt > now && found.start === slot.start && found.providerId === provider.id
  const { rule } = sourceFor(catalogue, service, provider)
  const overrides = overridesOf(provider, catalogue.site.holidays, slot)
  const { price, currency } = priceOf(catalogue, rule, overrides)
  const approval = overrides.approval ?? service.settings.approval
  const payment = paymentRule(service.settings)
  const full = moneyOf({ price, currency })
  const methods = paymentMethods(payment, full)
  const takesPayments = methods.some((one) => one !== 'on_site') && (await sources.takesPayments())
  const { parts, ...coupon } = await couponOf(page, { service, price, currency })
  const reduced = full === null ? [] : parts.map((part) => ({ ...full, amount: full.amount - part }))
  const total = methods.length === 0 ? 0 : reduced.reduce((sum, { amount }) => sum + amount, 0)
  const entered = prefilled(page)
  const offer = {
    methods: takesPayments ? methods : methods.filter((one) => one === 'on_site'),
    due: reduced.reduce((sum, one) => sum + dueOnline(payment, one, 'online'), 0),
    noShowFee: reduced.reduce((sum, one) => sum + noShowFeeOf(payment, one), 0),
    taxPercent: payment.taxPercent,
  }
  const online = (chosenMethod({ payment: offer, entered }) ?? methods[0]) === 'online' ? offer.due : 0
  return {
    ...page.view,
    path: servicePath(page, service),
    service,
    provider,
    slot,
    price: { price, currency },
    location: overrides.location ?? '',
    form,
    heldUntil: isHeld ? found.expiresAt : undefined,
    extendable: isHeld ? !found.extended : false,
    entered,
    ...(page.view.settings.proofOfWork && { proof: await proofOf(page, form) }),
    faults: new Map(),
    countries: await listCountries(),
    offersSms: await sources.canText(),
    approval: approval !== 'none',
    payment: offer,
    coupon,
    voucher: await voucherOf(page, { due: total, online, currency }),
  }
}

/**
 * Returns the entered values. When neither a name nor an e-mail address was sent, adds the name and the e-mail address
 * of the visitor that the host site (the owner's website) has identified, if any.
 */
function prefilled({ sent, hostVisitor }: PageRequest): URLSearchParams {
  if (!hostVisitor || sent.has('name') || sent.has('email')) return sent
  const { name, email } = hostVisitor
  const entered = new URLSearchParams(sent)
  entered.set('name', name)
  entered.set('email', email)
  return entered
}

/** Returns the proof of work of a form: the solution that was sent for this form, otherwise a new challenge. */
async function proofOf({ catalogue, sent }: PageRequest, form: string) {
  const solution = sent.get('form') === form ? (sent.get('altcha') ?? '') : ''
  return { solution, challenge: solution === '' ? await newChallenge(catalogue, form) : '' }
}
