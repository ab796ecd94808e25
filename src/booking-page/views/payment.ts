import { html } from '../../html.ts'
import type { Reservation } from '../../reservations/reservation.ts'
import { fill } from '../words/words.ts'
import type { Page, View } from './layout.ts'

/** The page that waits for the processor: before its page exists, and after the customer has returned from it. */
export function waitingPage({ words }: View, text: 'payPreparing' | 'payChecking'): Page {
  const body = html`<h1>${words.payTitle}</h1><p class="note" role="status">${words[text]}</p><p class="soft">${words.payWait}</p>`
  return { title: words.payTitle, body }
}

/** The page that leads on to the page of the processor. */
export function leavingPage(
  { words, formats }: View,
  { url, expiresAt }: { readonly url: string } & Pick<Reservation, 'expiresAt'>,
): Page {
  const until = expiresAt === null ? '' : fill(words.payUntil, { time: formats.time(expiresAt) })
  const body = html`<h1>${words.payTitle}</h1><p class="note">${until}</p>
<div class="buttons"><a class="main" href="${url}" rel="noreferrer">${words.toPayment}</a></div>`
  return { title: words.payTitle, body }
}
