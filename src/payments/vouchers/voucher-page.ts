import { Html, html } from '../../html.ts'
import { currencyFormat, minorDigits } from '../../money.ts'
import type { Locale } from '../../notifications/templates/template.ts'
import type { Seller } from '../receipts/receipt.ts'
import { receiptStyle } from '../receipts/receipt-page.ts'
import { printedCode, type Voucher } from './voucher.ts'

/** The content of a printed voucher. */
interface PrintedVoucher extends Pick<Voucher, 'amount' | 'currency' | 'validUntil'> {
  readonly code: string
  readonly language: Locale
  readonly seller: Seller
}

const words: Readonly<Record<Locale, { readonly [Name in 'title' | 'worth' | 'code' | 'until' | 'text']: string }>> = {
  en: {
    title: 'Gift voucher',
    worth: 'Worth',
    code: 'Code',
    until: 'Valid until',
    text: 'Enter the code when you book, or show it when you pay. What is left stays on the voucher.',
  },
  de: {
    title: 'Gutschein',
    worth: 'Wert',
    code: 'Code',
    until: 'Gültig bis',
    text: 'Geben Sie den Code bei der Buchung ein, oder zeigen Sie ihn beim Bezahlen. Der Rest bleibt auf dem Gutschein.',
  },
  es: {
    title: 'Cheque regalo',
    worth: 'Valor',
    code: 'Código',
    until: 'Válido hasta',
    text: 'Introduzca el código al reservar o muéstrelo al pagar. El resto queda en el cheque.',
  },
  fr: {
    title: 'Bon cadeau',
    worth: 'Valeur',
    code: 'Code',
    until: 'Valable jusqu’au',
    text: 'Saisissez le code lors de la réservation ou présentez-le au paiement. Le solde reste sur le bon.',
  },
}

/** Returns a voucher as an HTML page to print, in the given language. */
export function voucherPage({ amount, currency, validUntil, code, language, seller }: PrintedVoucher): string {
  const said = words[language]
  const money = new Intl.NumberFormat(language, currencyFormat(currency))
  const rows = [
    [said.worth, money.format(amount / 10 ** minorDigits(currency))],
    [said.code, printedCode(code)],
    ...(validUntil === null ? [] : [[said.until, dateText(validUntil, language)]]),
  ]
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${said.title}</title><style>${new Html(receiptStyle)}</style></head>
<body><main><p class="seller"><strong>${seller.name}</strong>
${seller.address}</p><h1>${said.title}</h1><dl>${rows.map(([term, text]) => html`<dt>${term}</dt><dd class="sum">${text}</dd>`)}</dl>
<p>${said.text}</p></main></body></html>
`.text
}

function dateText(date: string, language: Locale): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(Date.UTC(year, month - 1, day))
}
