import type { Provider } from '../../catalogue/providers/provider.ts'
import type { Service } from '../../catalogue/services/service.ts'
import { html } from '../../html.ts'
import type { Interval } from '../../scheduling/time/interval.ts'
import { fill } from '../words/words.ts'
import type { Page, View } from './layout.ts'
import { zoneText } from './month.ts'

/** The data of the page on which a customer confirms the e-mail address of a booking. */
export interface VerifyView extends View {
  readonly reservation: Interval
  /** When the booking expires unless the customer confirms the e-mail address (Unix seconds). */
  readonly until: number
  /** The service and the provider of the booking; either is undefined after its removal. */
  readonly service: Service | undefined
  readonly provider: Provider | undefined
}

/** Returns the page with the button that confirms the e-mail address. */
export function verifyPage(view: VerifyView): Page {
  const { words, formats, reservation, until, service, provider } = view
  const { start, end } = reservation
  const time = `${formats.date(until)}, ${formats.time(until)}`
  const body = html`<h1>${words.verifyTitle}</h1><p class="note">${fill(words.verifyAsk, { time })}</p>
<dl class="sum">${service && html`<dt>${words.service}</dt><dd>${service.name}</dd>`}
<dt>${words.when}</dt><dd>${formats.date(start)}, ${formats.time(start)}–${formats.time(end)}<br><span class="soft small">${zoneText(view, start)}</span></dd>
${provider && html`<dt>${words.provider}</dt><dd>${provider.name}</dd>`}</dl>
<form method="post" data-once><button class="main">${words.verifyNow}</button></form>`
  return { title: words.verifyTitle, body }
}
