import { type Content, Html, html } from '../../html.ts'
import { labelled } from '../../messages/labelled.ts'
import { currencyFormat, minorDigits } from '../../money.ts'
import type { Receipt } from './receipt.ts'
import { wordsOfReceipt } from './receipt-words.ts'

/**
 * The style sheet of receipts and vouchers. The Content-Security-Policy of the page on which a customer sees a receipt
 * allows it by its hash.
 */
export const receiptStyle = `body{margin:2rem auto;max-width:40rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color:#111;background:#fff}
h1{font-size:1.5rem;margin:2rem 0 1rem}.seller{white-space:pre-line}dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.25rem 1.5rem;margin:0}
dt{color:#555}dd{margin:0;overflow-wrap:anywhere}.sum{font-weight:700}@media(max-width:30rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}
@media print{body{margin:0;max-width:none}}`

/**
 * Returns a receipt or credit note as an HTML page to print; `customer` is the name of the customer, undefined when the
 * customer or the reservation was removed.
 */
export function receiptPage(receipt: Receipt, customer: string | undefined): string {
  const { kind, number, issuedAt, corrects, service, serviceAt, method, zone, seller } = receipt
  const { locale, words } = wordsOfReceipt(receipt.language)
  const isReceipt = kind === 'receipt'
  const title = isReceipt ? words.receipt : words.creditNote
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone })
  const rows: readonly (readonly [string, Content])[] = [
    [words.number, number],
    [words.date, date.format(issuedAt * 1_000)],
    [isReceipt ? words.correctsCreditNote : words.correctsReceipt, corrects ?? undefined],
    [words.customer, customer],
    [words.service, service],
    [words.serviceDate, date.format(serviceAt * 1_000)],
    [words.reservation, receipt.reservationId],
    [words.method, { online: words.online, on_site: words.onSite, voucher: words.voucher }[method]],
    ...sums(receipt),
  ]
  return html`<!doctype html>
<html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${title} ${number}</title><link rel="icon" href="data:,"><style>${new Html(receiptStyle)}</style></head>
<body><main><p class="seller"><strong>${seller.name}</strong>
${seller.address}${
  seller.taxNumber &&
  html`
${labelled(words.taxNumber, seller.taxNumber, locale)}`
}</p>
<h1>${title}</h1><dl>${rows.map(([term, content]) => content && html`<dt>${term}</dt><dd>${content}</dd>`)}</dl></main></body></html>
`.text
}

function sums({ kind, amount, currency, taxRate, tax, language }: Receipt): readonly (readonly [string, Content])[] {
  const { locale, words } = wordsOfReceipt(language)
  const digits = minorDigits(currency)
  const money = new Intl.NumberFormat(locale, currencyFormat(currency))
  const text = (value: number) => money.format(value / 10 ** digits)
  const total = html`<span class="sum">${text(amount)}</span>`
  const label = kind === 'receipt' ? words.amountPaid : words.amountReturned
  if (taxRate === null || tax === null) return [[label, total]]
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  return [
    [label, total],
    [words.tax.replace('{rate}', percent.format(taxRate / 10_000)), text(tax)],
    [words.net, text(amount - tax)],
  ]
}
