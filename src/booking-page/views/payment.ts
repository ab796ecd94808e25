import type { PaymentMethod } from '../../catalogue/services/payment-rule.ts'
import { html } from '../../html.ts'
import type { Payment, PaymentPurpose } from '../../payments/payment.ts'
import type { Words } from '../words/en.ts'
import { fill } from '../words/words.ts'
import type { Page, View } from './layout.ts'

/** How the seats of a booking can be paid, for the form and the summary. */
export interface PaymentOffer {
  readonly methods: readonly PaymentMethod[]
  /** The amount due online for all seats, in the smallest unit of the currency. */
  readonly due: number
  /**
   * The sum of the no-show fees of all seats to which a customer agrees by saving a card, in the smallest unit of the
   * currency.
   */
  readonly noShowFee: number
  readonly taxPercent: number | null
}

/** The coupon field of a booking, and what the entered code does. */
export interface CouponOffer {
  /** Whether the form has a field for a coupon code. */
  readonly asks: boolean
  /** The normalised coupon code that reduces the price; empty for none. */
  readonly code: string
  /** The amount by which the coupon reduces the price of all seats, in the smallest unit of the currency. */
  readonly reduction: number
  /** Why the entered coupon code was not accepted, as the name of a message; absent when there is no error. */
  readonly fault?: keyof Words | undefined
}

/** The voucher field of a booking, and what the entered code pays. */
export interface VoucherOffer {
  /** Whether the form has a field for a voucher code. */
  readonly asks: boolean
  /** The code of the voucher that pays, as typed; empty for none. */
  readonly code: string
  /** The amount that the voucher pays, in the smallest unit of the currency. */
  readonly amount: number
  /** Why the entered voucher code was not accepted, as the name of a message; absent when there is no error. */
  readonly fault?: keyof Words | undefined
}

/**
 * Returns the page that is shown while Daybook waits for the payment processor: with `payPreparing`, for the creation
 * of the payment page by the processor; with `payChecking`, for the result of the payment.
 */
export function waitingPage({ words }: View, purpose: PaymentPurpose, text: 'payPreparing' | 'payChecking'): Page {
  const card = purpose === 'card'
  const title = card ? words.cardTitle : words.payTitle
  const said = card && text === 'payChecking' ? words.cardChecking : words[text]
  const body = html`<h1>${title}</h1><p class="note" role="status">${said}</p><p class="soft">${words.payWait}</p>`
  return { title, body }
}

/** Returns the page that links to the payment processor's page. */
export function leavingPage(
  { words, formats }: View,
  { url, expiresAt, purpose }: { readonly url: string } & Pick<Payment, 'expiresAt' | 'purpose'>,
): Page {
  const card = purpose === 'card'
  const title = card ? words.cardTitle : words.payTitle
  const sentence = { pay: words.payUntil, fee: words.payUntil, card: words.cardUntil, link: words.linkUntil }[purpose]
  // A payment link is open for most of a day, mostly past midnight, so that the time alone would be misread.
  const time = purpose === 'link' ? `${formats.date(expiresAt)}, ${formats.time(expiresAt)}` : formats.time(expiresAt)
  const until = fill(sentence, { time })
  const body = html`<h1>${title}</h1><p class="note">${until}</p>
<div class="buttons"><a class="main" href="${url}" rel="noreferrer">${card ? words.toCard : words.toPayment}</a></div>`
  return { title, body }
}
