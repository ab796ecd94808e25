import type { Provider } from '../../catalogue/providers/provider.ts'
import type { FormField } from '../../catalogue/services/booking-form.ts'
import type { PaymentMethod } from '../../catalogue/services/payment-rule.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { type Content, type Html, html } from '../../html.ts'
import { labelled } from '../../messages/labelled.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import type { BookableTime } from '../calendar.ts'
import { answerField, type Faults, personFields } from '../details.ts'
import { localText } from '../settings.ts'
import type { Words } from '../words/en.ts'
import { fill } from '../words/words.ts'
import { durationText, priceText } from './format.ts'
import { hiddenFields, type Page, type View } from './layout.ts'
import { zoneText } from './month.ts'
import type { CouponOffer, PaymentOffer, VoucherOffer } from './payment.ts'

/** A country and its calling code, for phone numbers. */
export interface Country {
  /** The ISO 3166 code of the country, such as `DE`. */
  readonly code: string
  readonly calling: string
}

/** The data from which the inputs for customers' details and answers are rendered. */
export interface FormFields extends View {
  /** The values of the inputs, by the name of the input: what the customer entered, or what is filled in beforehand. */
  readonly entered: URLSearchParams
  readonly faults: Faults
}

/** The data of the page with the form for the customer's details. */
export interface FormView extends FormFields {
  readonly service: Service
  readonly provider: Provider
  readonly slot: Interval
  readonly price: Pick<BookableTime, 'price' | 'currency'>
  readonly location: string
  /** The secret of the booking form. Its hash identifies the hold, the temporary reservation of the chosen time. */
  readonly form: string
  /**
   * When the temporary reservation of the chosen time expires (Unix seconds); undefined when the time is no longer
   * reserved.
   */
  readonly heldUntil: number | undefined
  readonly extendable: boolean
  readonly countries: readonly Country[]
  /** Whether customers can agree to short messages. */
  readonly offersSms: boolean
  /** Whether the reservation will wait for approval. */
  readonly approval: boolean
  /** How the seats can be paid; `methods` is empty when no payment method is offered. */
  readonly payment: PaymentOffer
  readonly coupon: CouponOffer
  readonly voucher: VoucherOffer
  readonly alert?: Content
  /**
   * The proof of work: `solution` is the solution if the visitor's browser sent one, otherwise empty; `challenge` is a
   * new challenge as JSON if `solution` is empty, otherwise empty. Absent when no proof of work is required.
   */
  readonly proof?: { readonly challenge: string; readonly solution: string }
}

/** Returns the page with the form for the customer's details. */
export function formPage(view: FormView): Page {
  const { words, path, service, visit, settings, site, faults } = view
  const consent = localText(settings.consent, visit.locale, site.language)
  const people = Array.from({ length: visit.seats }, (_, index) => personInputs(view, index))
  const body = html`<h1>${words.yourDetails}</h1>${summaryLine(view)}${view.alert}${errorList(view)}${heldNote(view)}
<form method="post" action="${path}" novalidate data-form data-once>${formState(view)}${proofField(view)}${hiddenFields({ ...view, visit: { ...visit, chosen: {} } }, keptCode(view))}
${people}${settings.phone !== 'none' && phoneInputs(view)}${settings.phone !== 'none' && view.offersSms && checkInput(view, { name: 'sms', text: words.smsConsent, required: false })}
${service.form.map((field) => answerInput(view, field))}${paymentChoice(view)}
${consent && checkInput(view, { name: 'consent', text: consent })}
${settings.termsUrl && checkInput(view, { name: 'terms', text: html`${words.acceptTerms} <a href="${settings.termsUrl}" target="_blank" rel="noopener">${words.readTerms}</a>` })}
<div class="trap" aria-hidden="true"><label>Website<input name="website" tabindex="-1" autocomplete="off"></label></div>
<div class="buttons"><button class="main" name="step" value="details">${words.toSummary}</button>${stepButton('release', words.otherTime)}${view.heldUntil !== undefined && view.extendable && stepButton('extend', words.moreTime)}</div></form>`
  return {
    title: `${words.yourDetails} · ${service.name}`,
    body: faults.size > 0 ? html`<div data-faults>${body}</div>` : body,
    proof: view.proof !== undefined,
  }
}

/**
 * Returns the page that shows the summary of a booking before the customer confirms it. The second argument contains
 * the entered details, which the page sends as hidden fields.
 */
export function reviewPage(view: FormView, kept: readonly (readonly [string, string])[]): Page {
  const { words, path, formats, service, provider, slot, price, location, visit, approval, entered } = view
  const { seats } = visit
  const phone = entered.get('phone')
  const total = priceText({ ...price, price: totalOf(view) }, words, formats)
  const online = chosenMethod(view) === 'online' && view.payment.due > view.voucher.amount
  const bookLabel = online
    ? words.toPayment
    : feeOf(view) > 0
      ? words.toCard
      : approval
        ? words.requestNow
        : seats > 1
          ? fill(words.bookSeveral, { count: seats })
          : words.bookNow
  const rows: readonly (readonly [string, Content])[] = [
    [words.service, service.name],
    [
      words.when,
      html`${formats.date(slot.start)}, ${formats.time(slot.start)}–${formats.time(slot.end)}<br><span class="soft small">${zoneText(view, slot.start)}</span>`,
    ],
    [words.duration, durationText(words, slot.end - slot.start)],
    [words.provider, provider.name],
    [words.where, location],
    ...couponRows(view),
    [seats > 1 || view.coupon.reduction > 0 ? words.total : words.price, priceWithTax(view, total)],
    ...paymentRows(view),
    ...Array.from({ length: seats }, (_, index): [string, Content] => {
      const { name, email } = personFields(index)
      const address = entered.get(email) ?? ''
      const label = index === 0 ? words.name : fill(words.guest, { count: index + 1 })
      return [label, html`${entered.get(name) ?? ''}${address && html`<br>${address}`}`]
    }),
    [words.phone, phone ?? ''],
    ...service.form.map(({ key, label, kind }): [string, Content] => {
      const values = entered.getAll(answerField(key)).filter((value) => value !== '')
      return [label, kind === 'checkbox' ? (values.length > 0 ? '✓' : '') : values.join('\n')]
    }),
  ]
  const body = html`<h1>${words.summary}</h1>${view.alert}${heldNote(view)}
<dl class="sum">${rows.map(([term, content]) => content && html`<dt>${term}</dt><dd>${content}</dd>`)}</dl>${cardNote(view)}
<form method="post" action="${path}" data-form data-once>${formState(view)}${proofField(view)}${hiddenFields({ ...view, visit: { ...visit, chosen: {} } }, kept)}
<input type="hidden" name="price" value="${price.price ?? ''}${price.currency ?? ''}"><input type="hidden" name="fee" value="${feeOf(view)}">${couponInput(view)}${voucherInput(view)}
<div class="buttons"><button class="main" name="step" value="book">${bookLabel}</button>${stepButton('edit', words.change)}${stepButton('release', words.otherTime)}</div></form>`
  return { title: `${words.summary} · ${service.name}`, body, proof: view.proof !== undefined }
}

/** Returns the chosen payment method, otherwise the first one offered; undefined when none is offered. */
export function chosenMethod({ payment, entered }: Pick<FormView, 'payment' | 'entered'>): PaymentMethod | undefined {
  const chosen = entered.get('pays')
  return payment.methods.find((one) => one === chosen) ?? payment.methods[0]
}

function paymentChoice(view: FormView): Html | undefined {
  const { words, payment } = view
  if (payment.methods.length < 2) return undefined
  const chosen = chosenMethod(view)
  const names = { online: words.payOnline, card: words.payCard, on_site: words.payOnSite }
  return html`<div class="field"><fieldset><legend>${words.howToPay}</legend>${payment.methods.map(
    (method) =>
      html`<label class="check"><input type="radio" name="pays" value="${method}"${method === chosen && html` checked`}><span>${names[method]}</span></label>`,
  )}</fieldset></div>`
}

function priceWithTax(view: FormView, total: string): Content {
  const { words, payment, formats } = view
  if (!totalOf(view) || payment.taxPercent === null) return total
  return html`${total}<br><span class="soft small">${fill(words.taxIncluded, { percent: formats.number(payment.taxPercent) })}</span>`
}

/**
 * Returns the price of all seats after the reduction by the coupon, in the smallest unit of the currency; null without
 * a price.
 */
function totalOf({ price, visit, coupon }: FormView): number | null {
  return price.price === null ? null : price.price * visit.seats - coupon.reduction
}

function couponRows(view: FormView): readonly (readonly [string, Content])[] {
  const { words, formats, price, visit, coupon } = view
  if (coupon.reduction === 0 || price.currency === null) return []
  return [
    [words.price, priceText(price, words, formats, visit.seats)],
    [fill(words.couponRow, { code: coupon.code }), formats.price(-coupon.reduction, price.currency)],
  ]
}

// Pressing Enter activates the first button of a form. Here, that button applies the code and shows the summary again,
// so that a code which was typed but not applied is not ignored.
function couponInput(view: FormView): Html | undefined {
  const { words, coupon, entered } = view
  if (!coupon.asks) return undefined
  const shown = { ...view, faults: new Map(coupon.fault ? [['code', coupon.fault]] : []) }
  const typed = coupon.code || (entered.get('code') ?? '')
  return html`<input type="hidden" name="applied" value="${coupon.code}">${wrapped(
    shown,
    'code',
    html`<label for="f-code">${words.coupon}${optional(view)}</label><span class="code"><input id="f-code" name="code" value="${typed}" maxlength="60" autocomplete="off" autocapitalize="characters" spellcheck="false"${faultAttributes(shown, 'code')}><button class="plain" name="step" value="details" formnovalidate>${words.couponApply}</button></span>`,
  )}`
}

function voucherInput(view: FormView): Html | undefined {
  const { words, voucher, entered } = view
  if (!voucher.asks) return undefined
  const shown = { ...view, faults: new Map(voucher.fault ? [['voucher', voucher.fault]] : []) }
  const typed = voucher.code || (entered.get('voucher') ?? '')
  return html`<input type="hidden" name="redeemed" value="${voucher.code}"><input type="hidden" name="redeems" value="${voucher.amount}">${wrapped(
    shown,
    'voucher',
    html`<label for="f-voucher">${words.voucher}${optional(view)}</label><span class="code"><input id="f-voucher" name="voucher" value="${typed}" maxlength="60" autocomplete="off" autocapitalize="characters" spellcheck="false"${faultAttributes(shown, 'voucher')}><button class="plain" name="step" value="details" formnovalidate>${words.voucherApply}</button></span>`,
  )}`
}

function paymentRows(view: FormView): readonly (readonly [string, Content])[] {
  const { words, payment, price, formats } = view
  const method = chosenMethod(view)
  const total = totalOf(view)
  if (method === undefined || total === null) return []
  const due = method === 'online' ? payment.due : 0
  const text = (amount: number) => priceText({ ...price, price: amount }, words, formats)
  const { amount } = view.voucher
  const now = Math.max(0, due - amount)
  const later = total - amount - now
  return [
    [words.voucher, amount > 0 && formats.price(-amount, price.currency ?? '')],
    [words.dueNow, now > 0 && text(now)],
    [words.dueLater, later > 0 && text(later)],
    [words.cardFee, feeOf(view) > 0 && text(feeOf(view))],
  ]
}

function cardNote(view: FormView): Html | undefined {
  const fee = feeOf(view)
  if (fee === 0) return undefined
  const amount = priceText({ ...view.price, price: fee }, view.words, view.formats)
  return html`<p class="note">${fill(view.words.cardText, { amount })}</p>`
}

/**
 * Returns the no-show fee to which a customer who saves a card agrees, in the smallest unit of the currency; 0 with any
 * other payment method.
 */
function feeOf(view: FormView): number {
  return chosenMethod(view) === 'card' ? view.payment.noShowFee : 0
}

function formState(view: FormView): Html {
  const { form, slot, provider } = view
  return hiddenFields(view, [
    ['form', form],
    ['held', `${slot.start}.${provider.id}`],
  ])
}

function keptCode({ coupon, voucher }: FormView): readonly (readonly [string, string])[] {
  const codes = [['code', coupon.code] as const, ['voucher', voucher.code] as const]
  return codes.filter(([, code]) => code !== '')
}

function proofField({ proof }: FormView): Html | undefined {
  return (
    proof &&
    html`<input type="hidden" name="altcha" value="${proof.solution}" data-proof="${proof.challenge}" data-worker="/book/-/proof-worker.js">`
  )
}

function stepButton(step: string, text: string): Html {
  return html`<button class="plain" name="step" value="${step}" formnovalidate>${text}</button>`
}

function summaryLine(view: FormView): Html {
  const { words, service, provider, slot, formats, price, visit } = view
  const parts = [
    service.name,
    fill(words.withProvider, { name: provider.name }),
    durationText(words, slot.end - slot.start),
    priceText(price, words, formats, visit.seats),
  ]
  return html`<p><b>${formats.date(slot.start)}, ${formats.time(slot.start)}</b><br>
<span class="soft">${parts.filter((part) => part !== '').join(' · ')}</span><br><span class="soft small">${zoneText(view, slot.start)}</span></p>`
}

function heldNote({ words, formats, heldUntil, now }: FormView): Html {
  if (heldUntil === undefined) return html`<p class="note">${words.heldExpired}</p>`
  return html`<p class="note" data-held="${heldUntil - now}" data-expired="${words.heldExpired}">${fill(words.heldUntil, { time: formats.time(heldUntil) })}</p>`
}

function errorList(view: FormView): Html | undefined {
  const { words, faults } = view
  if (faults.size === 0) return undefined
  return html`<div class="alert" role="alert" tabindex="-1"><b>${words.errorTitle}</b><ul>${[...faults].map(
    ([name, fault]) =>
      html`<li><a href="#f-${name}">${labelled(labelOf(view, name), words[fault], view.visit.locale)}</a></li>`,
  )}</ul></div>`
}

function labelOf({ words, service }: FormView, name: string): string {
  const guest = /^guest(\d+)(name|email)$/.exec(name)
  if (guest) return fill(guest[2] === 'name' ? words.guestName : words.guestEmail, { count: guest[1] ?? '' })
  const field = service.form.find(({ key }) => answerField(key) === name)
  if (field) return field.label
  const own: Readonly<Record<string, keyof Words>> = {
    name: 'name',
    email: 'email',
    phone: 'phone',
    terms: 'acceptTerms',
  }
  return words[own[name] ?? 'mustAgree']
}

/** Returns the ARIA attributes that connect an input with its error and its help text. */
function faultAttributes({ faults }: FormFields, name: string, help = false): Html {
  const bad = faults.has(name)
  const described = [bad ? `e-${name}` : '', help ? `h-${name}` : ''].filter((id) => id !== '').join(' ')
  return html`${bad && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}`
}

function errorText({ words, faults }: FormFields, name: string): Html | undefined {
  const fault = faults.get(name)
  return fault && html`<p class="error" id="e-${name}">${words[fault]}</p>`
}

function wrapped(view: FormFields, name: string, content: Html, condition: FormField['when'] = null): Html {
  const attributes =
    condition !== null && html` data-when="${answerField(condition.field)}" data-is="${String(condition.is)}"`
  return html`<div class="field${view.faults.has(name) && ' bad'}"${attributes}>${content}${errorText(view, name)}</div>`
}

function personInputs(view: FormView, index: number): Html {
  const { words, entered } = view
  const { name, email } = personFields(index)
  const first = index === 0
  const count = index + 1
  const nameLabel = first ? words.name : fill(words.guestName, { count })
  const emailLabel = first ? words.email : fill(words.guestEmail, { count })
  return html`${wrapped(
    view,
    name,
    html`<label for="f-${name}">${nameLabel}</label><input id="f-${name}" name="${name}" value="${entered.get(name) ?? ''}" required maxlength="200"${first && html` autocomplete="name"`}${faultAttributes(view, name)}>`,
  )}${wrapped(
    view,
    email,
    html`<label for="f-${email}">${emailLabel}${!first && optional(view)}</label><input id="f-${email}" name="${email}" type="email" value="${entered.get(email) ?? ''}" maxlength="254"${first && html` required autocomplete="email"`}${faultAttributes(view, email, first)}>${first && html`<p class="soft small" id="h-${email}">${words.emailHint}</p>`}`,
  )}`
}

function optional({ words }: FormFields): Html {
  return html` <span class="soft small">(${words.optional})</span>`
}

function phoneInputs(view: FormView): Html {
  const { words, entered, settings, countries, visit } = view
  const chosen = entered.get('country') || new Intl.Locale(visit.tag).maximize().region
  const names = new Intl.DisplayNames(visit.tag, { type: 'region' })
  const listed = countries
    .map(({ code, calling }) => ({ code, text: `${names.of(code)} +${calling}` }))
    .sort((one, other) => one.text.localeCompare(other.text, visit.tag))
  return wrapped(
    view,
    'phone',
    html`<label for="f-phone">${words.phone}${settings.phone === 'optional' && optional(view)}</label><span class="phone">
<select name="country" aria-label="${words.country}" autocomplete="country">${listed.map(({ code, text }) => html`<option value="${code}"${code === chosen && html` selected`}>${text}</option>`)}</select>
<input id="f-phone" name="phone" type="tel" value="${entered.get('phone') ?? ''}" maxlength="50" autocomplete="tel"${settings.phone === 'required' && html` required`}${faultAttributes(view, 'phone')}></span>`,
  )
}

interface CheckInput {
  readonly name: string
  readonly text: Content
  readonly required?: boolean
}

function checkInput(view: FormView, { name, text, required = true }: CheckInput): Html {
  const checked = view.entered.get(name) === 'on' && html` checked`
  return wrapped(
    view,
    name,
    html`<label class="check"><input id="f-${name}" type="checkbox" name="${name}"${checked}${required && html` required`}${faultAttributes(view, name)}><span>${text}</span></label>`,
  )
}

/** Returns the input for a question of the service, with its error. */
export function answerInput(view: FormFields, field: FormField): Html {
  const { key, label, kind, help, required, options, when } = field
  const { words, entered } = view
  const name = answerField(key)
  const value = entered.get(name) ?? ''
  const values = new Set(entered.getAll(name))
  const about = html` id="f-${name}" name="${name}"${required && html` required`}${faultAttributes(view, name, help !== '')}`
  const hint = help && html`<p class="soft small" id="h-${name}">${help}</p>`
  const head = html`<label for="f-${name}">${label}${!required && optional(view)}</label>`
  const box = (option: string, type: string, at: number) =>
    html`<label class="check"><input type="${type}" name="${name}" value="${option}"${values.has(option) && html` checked`}${at === 0 && html` id="f-${name}"`}><span>${option}</span></label>`
  const content = () => {
    switch (kind) {
      case 'long_text':
        return html`${head}${hint}<textarea${about} maxlength="5000">${value}</textarea>`
      case 'choice':
        return html`${head}${hint}<select${about}><option value="">${words.chooseOne}</option>${options.map((option) => html`<option${option === value && html` selected`}>${option}</option>`)}</select>`
      case 'choices':
        return html`<fieldset${faultAttributes(view, name, help !== '')}><legend>${label}${!required && optional(view)}</legend>${hint}${options.map((option, at) => box(option, 'checkbox', at))}</fieldset>`
      case 'checkbox':
        return html`<label class="check"><input type="checkbox" value="on"${about}${value === 'on' && html` checked`}><span>${label}${!required && optional(view)}</span></label>${hint}`
      case 'number':
        return html`${head}${hint}<input inputmode="decimal" value="${value}"${about} maxlength="30">`
      case 'date':
        return html`${head}${hint}<input type="date" value="${value}"${about}>`
      case 'text':
        return html`${head}${hint}<input value="${value}"${about} maxlength="500">`
    }
  }
  return wrapped(view, name, content(), when)
}
