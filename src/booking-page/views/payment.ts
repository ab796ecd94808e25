import { html } from '../../html.ts'
import type { Payment, PaymentPurpose } from '../../payments/payment.ts'
import { fill } from '../words/words.ts'
import type { Page, View } from './layout.ts'

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
