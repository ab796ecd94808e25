import type { PaymentMethod } from '../../catalogue/services/payment-rule.ts'
import { html } from '../../html.ts'
import type { Payment, PaymentPurpose } from '../../payments/payment.ts'
import type { Words } from '../words/en.ts'
import { fill } from '../words/words.ts'
import type { Page, View } from './layout.ts'

/** How the seats of a form can be paid. */
export interface PaymentOffer {
  readonly methods: readonly PaymentMethod[]
  /** What is due online for all seats, in the smallest unit. */
  readonly due: number
  /** What missed visits of all seats cost a customer who saves a card, in the smallest unit. */
  readonly noShowFee: number
  readonly taxPercent: number | null
}

/** The coupon of a form. */
export interface CouponOffer {
  /** Whether a code can be entered. */
  readonly asks: boolean
  /** The code that reduces the price, as it is stored; empty for none. */
  readonly code: string
  /** What the code takes off all seats, in the smallest unit. */
  readonly reduction: number
  /** Why the entered code is not accepted. */
  readonly fault?: keyof Words | undefined
}

/** The gift voucher of a form. */
export interface VoucherOffer {
  /** Whether a code can be entered. */
  readonly asks: boolean
  /** The code that pays, as it was typed; empty for none. */
  readonly code: string
  /** What it pays of the total, in the smallest unit. */
  readonly amount: number
  /** Why the entered code is not accepted. */
  readonly fault?: keyof Words | undefined
}

/** The page that waits for the processor: before its page exists, and after the customer has returned from it. */
export function waitingPage({ words }: View, purpose: PaymentPurpose, text: 'payPreparing' | 'payChecking'): Page {
  const card = purpose === 'card'
  const title = card ? words.cardTitle : words.payTitle
  const said = card && text === 'payChecking' ? words.cardChecking : words[text]
  const body = html`<h1>${title}</h1><p class="note" role="status">${said}</p><p class="soft">${words.payWait}</p>`
  return { title, body }
}

/** The page that leads on to the page of the processor. */
export function leavingPage(
  { words, formats }: View,
  { url, expiresAt, purpose }: { readonly url: string } & Pick<Payment, 'expiresAt' | 'purpose'>,
): Page {
  const card = purpose === 'card'
  const title = card ? words.cardTitle : words.payTitle
  const sentence = { pay: words.payUntil, fee: words.payUntil, card: words.cardUntil, link: words.linkUntil }[purpose]
  const until = fill(sentence, { time: formats.time(expiresAt) })
  const body = html`<h1>${title}</h1><p class="note">${until}</p>
<div class="buttons"><a class="main" href="${url}" rel="noreferrer">${card ? words.toCard : words.toPayment}</a></div>`
  return { title, body }
}
