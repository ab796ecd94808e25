import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { type Content, type Html, html } from '../../html.ts'
import type { ReservationMoney } from '../../payments/desk/desk-payments.ts'
import type { Receipt } from '../../payments/receipts/receipt.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { answerField } from '../details.ts'
import { canChange, canRate, changeableUntil, type Rating } from '../manage/policy.ts'
import { localText, type ServicePage } from '../settings.ts'
import { visitUrl } from '../visit.ts'
import type { Words } from '../words/en.ts'
import { numberText } from '../words/numbers.ts'
import { fill } from '../words/words.ts'
import { calendarLinks, meetingContent } from './done.ts'
import { answerInput, type FormFields } from './form.ts'
import { durationText, priceText } from './format.ts'
import type { Page, View } from './layout.ts'
import { zoneText } from './month.ts'

/** The data of the page on which a customer manages a reservation. */
export interface ManageView extends View {
  readonly reservation: Reservation
  /** The service and the provider of the reservation; either is undefined after its removal. */
  readonly service: Service | undefined
  readonly provider: Provider | undefined
  readonly page: ServicePage
  readonly location: string
  /**
   * The address of the online meeting; `expected` while a calendar system is to create it, and null for an appointment
   * without one.
   */
  readonly meeting: string | null
  /** The CSRF token of the forms on the page. */
  readonly form: string
  /**
   * The URL of the page on which the customer manages the reservation, with its secret. The URL of the calendar file is
   * built from it.
   */
  readonly manageUrl: string
  readonly rating: Rating | undefined
  /** The amounts that were paid and are due for the reservation; undefined when there was nothing to pay. */
  readonly money: ReservationMoney | undefined
  /** The receipts and credit notes of the reservation that were issued to its customer, the oldest first. */
  readonly receipts: readonly Pick<Receipt, 'id' | 'kind' | 'number'>[]
  /**
   * The names of the other persons who were booked with the same form and whose reservations the customer may also
   * cancel; empty unless the reservation is that of the form's first person.
   */
  readonly others: readonly string[]
  /** The name of the message about the action that the customer just completed; undefined if there is none. */
  readonly done: keyof Words | undefined
  /** The errors in the customer's answers, by the name of the input. */
  readonly faults: FormFields['faults']
  /** The answers that the customer sent, if any of them is invalid; otherwise undefined. */
  readonly entered: URLSearchParams | undefined
}

/** What is refunded when a customer cancels, in the smallest unit of the currency. */
export interface ExpectedRefund {
  readonly currency: string
  readonly amount: number
  /** The amount that was paid for the reservation online or by voucher and has not been refunded; 0 for none. */
  readonly paid: number
  /**
   * The sum of the refunds in `currency` if the customer cancels this reservation together with those of the persons in
   * `ManageView.others`.
   */
  readonly ofAll: number
}

/** Returns the page on which a customer manages one reservation. */
export function managePage(view: ManageView): Page {
  const { words, formats, reservation, page, done, now, visit } = view
  const changeable = canChange(reservation, page, now)
  const until = changeableUntil(reservation, page)
  const over = reservation.end <= now
  const cancelled = reservation.status === 'cancelled'
  const policy = () => {
    if (cancelled) return undefined
    if (over) return words.past
    if (until === undefined) return words.notChangeable
    return changeable
      ? fill(words.changeUntil, { time: `${formats.date(until)}, ${formats.time(until)}` })
      : words.tooLate
  }
  const sentence = policy()
  const body = html`<h1>${words.manageTitle}</h1>${done && html`<p class="note" role="status">${words[done]}</p>`}
${facts(view)}${sentence && html`<p class="soft">${sentence}</p>`}
${payable(reservation) && html`<div class="buttons"><a class="main" href="${visitUrl('/manage/payment/', visit)}">${reservation.payment?.method === 'card' ? words.toCard : words.toPayment}</a></div>`}
${changeable && html`<div class="buttons"><a class="${payable(reservation) ? 'plain' : 'main'}" href="${visitUrl('/manage/move/', visit)}">${words.move}</a><a class="plain" href="${visitUrl('/manage/cancel/', visit)}">${words.cancel}</a></div>`}
${reservation.status === 'confirmed' && !over && links(view)}${!cancelled && !over && reservation.start > now && answersForm(view)}
${canRate(reservation, now) && ratingForm(view)}
<p><a href="${visitUrl('/book/', visit, { with: '', seats: '', reservation: '' })}">${words.bookAnother}</a>${view.offersBookings && html` · <a href="${visitUrl('/book/bookings/', visit, { reservation: '' })}">${words.myBookings}</a>`}</p>`
  return { title: words.manageTitle, body }
}

/** A form for a cancellation that was sent and did not cancel anything. */
export interface RefusedCancellation {
  readonly fault: 'missing_reason' | 'refund_changed'
  /** The reason that the customer entered; empty for none. */
  readonly reason: string
  /** Whether the customer chose to cancel the reservations of all persons of the booking form. */
  readonly all: boolean
}

/**
 * Returns the page that asks the customer to confirm a cancellation and shows the refund; `refund` is undefined when
 * nothing can be refunded. With `refused`, the page shows why it asks again, and what the customer entered.
 */
export function cancelPage(view: ManageView, refund: ExpectedRefund | undefined, refused?: RefusedCancellation): Page {
  const { words, page, visit, site, others, form } = view
  const fault = refused?.fault
  const missingReason = fault === 'missing_reason'
  const fee = localText(page.feeText, visit.locale, site.language)
  const required = page.reason === 'required'
  const reason = html`<div class="field${missingReason && ' bad'}"><label for="f-reason">${words.cancelReason}${!required && html` <span class="soft small">(${words.optional})</span>`}</label>
<textarea id="f-reason" name="reason" maxlength="500"${required && html` required`}${missingReason && html` aria-invalid="true" aria-describedby="e-reason"`}>${refused?.reason}</textarea>${missingReason && html`<p class="error" id="e-reason">${words.missing}</p>`}</div>`
  const body = html`<h1>${words.cancelTitle}</h1>${facts(view)}${fee && html`<p class="note">${fee}</p>`}
${fault === 'refund_changed' && html`<p class="alert" role="alert">${words.refundChanged}</p>`}${refund && html`<p class="note">${refundText(view, refund)}</p>`}
<form method="post" action="${visitUrl('/manage/cancel/', visit)}" data-once novalidate><input type="hidden" name="form" value="${form}">${refund && html`<input type="hidden" name="refund" value="${refund.amount}"><input type="hidden" name="of" value="${refund.ofAll}">`}
${page.reason !== 'none' && reason}
${others.length > 0 && html`<label class="check"><input type="checkbox" name="all" aria-describedby="others"${refused?.all && html` checked`}><span>${fill(words.cancelAll, { count: others.length + 1 })}</span></label><div id="others"><p class="soft">${words.cancelOthers}</p><ul>${others.map((name) => html`<li>${name}</li>`)}</ul></div>`}
<div class="buttons"><button class="main">${words.cancelNow}</button><a class="plain" href="${visitUrl('/manage/', visit)}">${words.keep}</a></div></form>`
  return { title: words.cancelTitle, body }
}

/**
 * A time to which a reservation would move, with its price after and before the reduction of a coupon, in the smallest
 * unit of `currency`.
 */
interface MovedPrice {
  readonly slot: string
  readonly price: number | null
  readonly fullPrice: number | null
  readonly currency: string | null
}

/** Returns the page that asks the customer to agree to another price before a reservation is moved. */
export function movePricePage(
  { words, formats, reservation, visit, form }: ManageView,
  { slot, price, fullPrice, currency }: MovedPrice,
): Page {
  const code = currency ?? reservation.currency ?? ''
  const [before, after] = [reservation.price ?? 0, price ?? 0]
  const text = (amount: number) => formats.price(amount, code)
  const sentence = after > before ? words.moveCostsMore : words.moveCostsLess
  const body = html`<h1>${words.moveTitle}</h1>
<p class="note">${fill(sentence, { price: text(after), amount: text(Math.abs(after - before)) })}</p>
<form method="post" action="${visitUrl('/manage/move/', visit)}" data-once novalidate><input type="hidden" name="form" value="${form}"><input type="hidden" name="slot" value="${slot}"><input type="hidden" name="price" value="${fullPrice !== null && `${fullPrice} ${code}`}">
<div class="buttons"><button class="main">${words.move}</button><a class="plain" href="${visitUrl('/manage/', visit)}">${words.keep}</a></div></form>`
  return { title: words.moveTitle, body }
}

function refundText({ words, formats, others }: ManageView, { amount, paid, ofAll, currency }: ExpectedRefund): string {
  const price = (value: number) => formats.price(value, currency)
  const own = fill(amount > 0 ? words.refundText : words.refundNone, { amount: price(amount), paid: price(paid) })
  const sentences = [
    ...(paid > 0 ? [own] : []),
    ...(others.length > 0 ? [fill(words.refundAll, { amount: price(ofAll) })] : []),
  ]
  return sentences.join(' ')
}

function payable({ status, awaits }: Reservation): boolean {
  return status === 'pending' && awaits === 'payment'
}

/** Returns the status of a reservation in words. */
export function statusText(
  words: Words,
  { status, awaits, payment }: Pick<Reservation, 'status' | 'awaits' | 'payment'>,
): string {
  const unpaid = payment?.method === 'card' ? words.statusNoCard : words.statusUnpaid
  const waiting = { email: words.statusUnverified, payment: unpaid }
  const pending = awaits === null ? words.statusPending : waiting[awaits]
  return { pending, confirmed: words.statusConfirmed, cancelled: words.statusCancelled }[status]
}

function facts(view: ManageView): Html {
  const { words, formats, reservation, service, provider, location } = view
  const { start, end } = reservation
  const rows: readonly (readonly [string, Content])[] = [
    [words.service, service?.name],
    [
      words.when,
      html`${formats.date(start)}, ${formats.time(start)}–${formats.time(end)}<br><span class="soft small">${zoneText(view, start)}</span>`,
    ],
    [words.duration, durationText(words, end - start)],
    [words.provider, provider?.name],
    [words.where, location],
    [words.online, meetingContent(words, view.meeting)],
    ...couponFacts(view),
    [words.price, priceText(reservation, words, formats)],
    ...moneyFacts(view),
    [words.cardFee, feeFact(view)],
    [words.receipts, receiptLinks(view)],
    [words.status, statusText(words, reservation)],
  ]
  return html`<dl class="sum">${rows.map(([term, content]) => content && html`<dt>${term}</dt><dd>${content}</dd>`)}</dl>`
}

function couponFacts({ words, formats, reservation: { payment } }: ManageView): readonly (readonly [string, string])[] {
  if (!payment?.coupon) return []
  const { code, reduction } = payment.coupon
  return [[fill(words.couponRow, { code }), formats.price(-reduction, payment.currency)]]
}

function receiptLinks({ words, receipts, visit }: ManageView): Content {
  if (receipts.length === 0) return undefined
  return receipts.map(({ id, kind, number }, at) => {
    const text = fill(kind === 'receipt' ? words.receiptNumber : words.creditNoteNumber, { number })
    return html`${at > 0 && html`<br>`}<a href="${visitUrl('/manage/receipt/', visit, { id })}">${text}</a>`
  })
}

function moneyFacts({ words, formats, reservation, money }: ManageView): readonly (readonly [string, Content])[] {
  const { payment } = reservation
  if (payment === null || payment.paid === 0) return []
  const rows = [
    [words.paidSum, payment.paid],
    [words.refundedSum, payment.refunded],
    [words.dueLater, money?.due ?? 0],
  ] as const
  return rows.flatMap(([term, amount]) =>
    amount > 0 ? [[term, formats.price(amount, payment.currency)] as const] : [],
  )
}

function feeFact({ formats, reservation: { payment } }: ManageView): string | undefined {
  return payment?.noShowFee && formats.price(payment.noShowFee.amount, payment.currency)
}

function links(view: ManageView): Html | undefined {
  const { service, reservation } = view
  return service && calendarLinks({ ...view, service, slot: reservation })
}

function answersForm(view: ManageView): Html | undefined {
  const { words, service, reservation, form, visit, faults, entered } = view
  if (!service || service.form.length === 0) return undefined
  const fields: FormFields = { ...view, faults, entered: entered ?? answersOf(service, reservation, visit.tag) }
  return html`<h2>${words.answers}</h2><form method="post" action="${visitUrl('/manage/answers/', visit)}" data-once novalidate>
<input type="hidden" name="form" value="${form}">${service.form.map((field) => answerInput(fields, field))}
<button class="plain">${words.saveAnswers}</button></form>`
}

function answersOf({ form }: Service, { data }: Reservation, tag: string): URLSearchParams {
  const entries = form.flatMap(({ key }): [string, string][] => {
    const value = data[key]
    if (value === undefined || value === false) return []
    const values = Array.isArray(value) ? value : [value === true ? 'on' : value]
    return values.map((one) => [answerField(key), typeof one === 'number' ? numberText(one, tag) : String(one)])
  })
  return new URLSearchParams(entries)
}

function ratingForm({ words, rating, form, visit }: ManageView): Html {
  const stars = [1, 2, 3, 4, 5].map((count) => {
    const checked = rating?.score === count && html` checked`
    return html`<label class="check"><input type="radio" name="score" value="${count}" required${checked}><span>${fill(words.stars, { count })}</span></label>`
  })
  return html`<h2>${words.rate}</h2><p class="soft small">${words.rateHint}</p>
<form method="post" action="${visitUrl('/manage/rating/', visit)}" data-once><input type="hidden" name="form" value="${form}">
<fieldset class="stars"><legend class="trap">${words.rate}</legend>${stars}</fieldset>
<div class="field"><label for="f-comment">${words.comment} <span class="soft small">(${words.optional})</span></label><textarea id="f-comment" name="comment" maxlength="2000">${rating?.comment ?? ''}</textarea></div>
<button class="plain">${words.sendRating}</button></form>`
}
